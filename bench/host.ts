import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayVersions, startGateway, toGateways } from './host/gateways.ts'
import { measureManyUpstreams } from './host/many-upstreams.ts'
import { toTime } from './print-table.ts'
import { type Contender, memoryOf, stop } from './serve/contender.ts'
import { measure } from './serve/measure.ts'
import type { About, Table } from './table.ts'

/** With what Toolpact must reach beside the SDK called directly. */
const loads = [
  { callers: 1, calls: 300, rounds: 48, aim: { minThroughput: 1, maxLatency: 1 } },
  { callers: 16, calls: 800, rounds: 32, aim: { minThroughput: 1.5 } },
  { callers: 64, calls: 1200, rounds: 32, aim: { minThroughput: 1.5, maxMemory: 120 } },
]

export const about: About = {
  compares:
    '`tools/call` of one stdio server through Toolpact, with all checks and the ledger on disk, beside other gateways and the official SDK called directly.',
  peers: Object.entries(gatewayVersions).map(([name, version]) => `${name} ${version}`),
}

export async function* bench(): AsyncGenerator<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  const contenders: Contender[] = []
  try {
    const rows: { name: string; milliseconds: number; memory: number }[] = []
    for (const gateway of await toGateways(folder)) {
      const { contender, milliseconds } = await startGateway(gateway)
      contenders.push(contender)
      rows.push({ name: gateway.name, milliseconds, memory: memoryOf(contender.child) })
    }
    const [base] = rows
    const cells = rows.map(({ name, milliseconds, memory }) => [
      name,
      toTime(milliseconds),
      `${(milliseconds / base!.milliseconds).toFixed(2)}×`,
      `${Math.round(memory)} MB`,
    ])
    yield {
      title: 'From the start to the first answer',
      heading: ['', 'start', 'ratio', 'memory'],
      rows: cells,
      notes: ['Started once each, one after the other: how much that varies is not known.'],
    }
    // The first four are the SDK, the direct upstream and Toolpact in two protocol revisions.
    const aheadOf = rows.slice(4).map(({ name }) => name)
    for (const { aim, ...load } of loads) {
      const what = { title: 'tools/call of a stdio server', aim: { ...aim, aheadOf } }
      yield await measure(what, contenders, load)
    }
  } finally {
    await Promise.all(contenders.map(({ child }) => stop(child)))
  }
  yield await measureManyUpstreams(folder)
  rmSync(folder, { recursive: true, force: true })
}
