import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway, toGateways } from './host/gateways.ts'
import { measureManyUpstreams } from './host/many-upstreams.ts'
import { printTable, toTime } from './print-table.ts'
import { type Contender, memoryOf, stop } from './serve/contender.ts'
import { measure } from './serve/measure.ts'

const loads = [
  { callers: 1, calls: 300, rounds: 6 },
  { callers: 16, calls: 800, rounds: 6 },
  { callers: 64, calls: 1200, rounds: 6 },
]

/** `tools/call` of one stdio server through Toolpact, all checks and the ledger on disk, and through other gateways. */
export async function bench() {
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
    console.log(`\nLoad of the machine before: ${loadavg()[0]!.toFixed(1)}`)
    printTable('From the start to the first answer, once', ['', 'start', 'ratio', 'memory'], cells)
    for (const load of loads) await measure('tools/call of a stdio server (aim: no slower than the SDK over HTTP)', contenders, load) // biome-ignore format: one line
  } finally {
    await Promise.all(contenders.map(({ child }) => stop(child)))
  }
  await measureManyUpstreams(folder)
  console.log(`\nLoad of the machine after: ${loadavg()[0]!.toFixed(1)}`)
  rmSync(folder, { recursive: true, force: true })
}
