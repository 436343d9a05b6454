import { cpus } from 'node:os'
import { hasPostgres, openPostgresCluster } from '../test/helpers/postgres-cluster.ts'
import { isNoisy } from './noise.ts'
import { numberOption } from './number-option.ts'
import { machine } from './publish.ts'
import { measureAppends } from './scale/appends.ts'
import { measureCalls } from './scale/calls.ts'
import { measureGrowth, toGrowthTable } from './scale/growth.ts'
import { type Measured, type MeasuredAppends, readMeasured, writeMeasured } from './scale/measured.ts'
import { measureQuestion } from './scale/question.ts'
import { writeCapacity } from './scale/write-capacity.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'One, two and three replicas on a real Postgres on the same machine beside one server on SQLite, and beside bare inserts with the same durability; and a ledger as it grows. `--entries=10000000` lets it grow further.',
}

/** How far ledgers grow: `--entries=10000000` for all sizes. */
const entries = numberOption('entries', 1_000_000)
let measured: Measured | undefined

export async function* bench(): AsyncGenerator<Table> {
  if (!hasPostgres) {
    console.log('Postgres is not installed, so nothing of scale is measured.')
    return
  }
  const cluster = await openPostgresCluster(['shared_buffers=256MB', 'max_wal_size=4GB', 'max_connections=200'])
  const run = new Date().toISOString()
  const noises: (number | undefined)[] = []
  let appends: MeasuredAppends[] = []
  const keep = (table: Table) => {
    noises.push(table.noise)
    return table
  }
  try {
    const { table, calls } = await measureCalls(cluster)
    yield keep(table)
    for await (const table of measureAppends(cluster, (found) => { appends = found })) yield keep(table) // biome-ignore format: one line
    yield await measureQuestion(cluster)
    const grown = await measureGrowth(entries, run)
    const before = readMeasured()?.growth
    // Sizes that were not measured this time.
    const larger = (engine: 'postgres' | 'sqlite') => before?.[engine].filter((row) => row.entries > entries) ?? []
    const growth = { sqlite: [...grown.sqlite, ...larger('sqlite')], postgres: [...grown.postgres, ...larger('postgres')] } // biome-ignore format: one line
    yield toGrowthTable('sqlite', growth.sqlite, run)
    yield toGrowthTable('postgres', growth.postgres, run)
    measured = { run, machine, cores: cpus().length, isNoisy: noises.some(isNoisy), calls, appends, growth }
  } finally {
    cluster.remove()
  }
}

/** For the capacity model, and the page that is made with it. */
export function store(): void {
  if (!measured) return
  writeMeasured(measured)
  writeCapacity()
}
