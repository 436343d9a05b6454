import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { compare } from './compare.ts'

test('contenders take turns, and the table has times, ratios, intervals and memory', async () => {
  const turns: string[] = []
  const toContender = (name: string, aim?: number) => ({ name, run: () => turns.push(name), memory: () => 2048, aim })
  const table = await compare('Both', [toContender('base'), toContender('other', 1e9)], { rounds: 3, samples: 2 })
  // Rounds are repeated while other programs use the machine.
  expect(turns.join(' ')).toMatch(
    /^base other base base other other other other base base(?: base base| other other){2,8}$/,
  )
  expect(table.heading).toEqual(['', 'p50', 'p99', 'per second', 'ratio', 'interval', 'memory'])
  expect(table.rows.map(([name]) => name)).toEqual(['base', 'other'])
  expect(table.rows[0]!.slice(4)).toEqual(['1.00×', '1.00–1.00', '2.0 KB'])
  expect(table.notes).toEqual([expect.stringMatching(/other at most 1000000000×/)])
  expect(table.noise).toBeGreaterThanOrEqual(1)
})

test('what an operation allocates is measured, though it is collected', async () => {
  let kept: unknown
  const options = { rounds: 1, samples: 50, operations: 2 }
  const fill = (count: number) => () => {
    kept = new Array(count).fill(1.5)
  }
  const { heading, rows } = await compare(
    'Arrays',
    [
      { name: 'small', run: fill(10) },
      { name: 'large', run: fill(20_000) },
    ],
    options,
  )
  expect(kept).toHaveLength(20_000)
  expect(heading.at(-1)).toBe('allocated')
  // Eight bytes each, for two operations.
  expect(rows[1]!.at(-1)).toMatch(/^(?:7|8)\d\.\d KB$/)
  expect(rows[0]!.at(-1)).toMatch(/^(?:\d+ B|[1-4]\.\d KB)$/)
})

test.runIf(process.platform === 'linux')('processes that are started count in the time of processors', async () => {
  const work = 'for (const end = process.cpuUsage().user + 15e4; process.cpuUsage().user < end;);'
  const toContender = (name: string, script: string) => ({
    name,
    run: () => spawnSync(process.execPath, ['-e', script]),
    memory: () => 0,
  })
  const contenders = [toContender('idle', '0'), toContender('busy', work)]
  const { heading, rows } = await compare('Processes', contenders, { rounds: 1, processor: true })
  expect(heading.slice(-3)).toEqual(['processor', 'its ratio', 'memory'])
  const [idle, busy] = rows.map((cells) => Number.parseFloat(cells.at(-3)!))
  expect(busy! - idle!).toBeGreaterThan(80)
})
