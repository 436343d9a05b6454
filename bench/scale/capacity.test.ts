import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isClose, toCapacity, toComparisons, toCosts, toLimits } from './capacity.ts'
import { type Measured, type MeasuredGrowth, readMeasured } from './measured.ts'
import { toPage } from './write-capacity.ts'

const growth = (entries: number): MeasuredGrowth => ({
  ...{ run: 'a', entries, bytes: entries * 800, sealing: { server: 0.01, postgres: 0.005 } },
  ...{
    verifySeconds: entries * 4e-6,
    verifying: 0.004,
    reads: { newest: 1, call: 1, page: 5, proof: 1 },
    sealUs: 20,
    noise: 1,
  },
})

/** A machine on which a row costs 20 µs, a commit 200 µs, and a call 100 µs and 400 µs for each commit. */
const measured: Measured = {
  ...{ run: 'a', machine: 'a machine', cores: 4, isNoisy: false },
  calls: [0.05, 0.1, 0.15].map((commitsPerCall, index) => {
    const [server, postgres, client] = [0.1 + 0.4 * commitsPerCall, 0.04 + 0.2 * commitsPerCall, 0.05]
    const perSecond = Math.min(((index + 1) * 1000) / server, 3500 / (server + postgres + client))
    const walBytesPerCall = 2000 + 300 * commitsPerCall
    return { replicas: index + 1, perSecond, client, server, postgres, others: 0.5, commitsPerCall, walBytesPerCall, memoryMb: 200 } // biome-ignore format: one line
  }),
  appends: [1, 16, 64].map((rowsPerCommit) => ({ rowsPerCommit, perSecond: 1, postgres: 0.02 + 0.2 / rowsPerCommit, walBytesPerRow: 1000 + 300 / rowsPerCommit })), // biome-ignore format: one line
  growth: { postgres: [10_000, 100_000].map(growth), sqlite: [10_000].map(growth) },
}

describe('the model', () => {
  test('finds the costs that a machine has, and predicts what was measured', () => {
    const costs = toCosts(measured)
    expect(costs.row).toBeCloseTo(0.02)
    expect(costs.commit).toBeCloseTo(0.2)
    expect(costs.call).toBeCloseTo(0.1)
    expect(costs.callCommit).toBeCloseTo(0.4)
    expect(costs.upkeep).toBeCloseTo(0)
    for (const one of toComparisons(measured)) expect(one.predicted / one.measured, one.what).toBeCloseTo(1)
  })

  test('plans for rates of calls', () => {
    const one = toCapacity(toCosts(measured), 1000)
    // 120 ms of a processor, used to 60 %, and a spare one.
    expect(one).toMatchObject({ replicas: 2, rowsPerSecond: 2000, commitsPerSecond: 50, clusters: 1, trees: 1 })
    expect(one.gbPerDay).toBeCloseTo(138.24)
    const million = toCapacity(toCosts(measured), 999_000)
    expect(million.replicas).toBe(201)
    expect(million.trees).toBe(34)
    expect(million.clusters).toBe(5)
    expect(toLimits(toCosts(measured)).map(({ what }) => what)[0]).toContain('seals')
  })

  test('is found wrong where it is off by more than a quarter', () => {
    const slower = { ...measured, appends: measured.appends.with(1, { ...measured.appends[1]!, postgres: 0.05 }) }
    const wrong = toComparisons(slower).filter((one) => !isClose(one))
    expect(wrong.map(({ what }) => what)).toEqual(['processor time of Postgres for a row, 16 in a commit'])
  })
})

describe('docs/capacity.md', () => {
  const stored = readMeasured()!

  test('is made from what was measured', () => {
    const text = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8')
    expect(text, 'Run npm run capacity -- --write, which writes it.').toBe(toPage(text, stored))
  })

  test.each(toComparisons(stored))('the model fits: $what', (one) => {
    if (one.excuse !== undefined) return
    expect(isClose(one), `The model says ${one.predicted}, and ${one.measured} ${one.unit} was measured.`).toBe(true)
  })
})
