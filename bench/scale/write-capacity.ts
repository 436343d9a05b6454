import { readFileSync, writeFileSync } from 'node:fs'
import {
  assumptions,
  type Capacity,
  isClose,
  maxDeviation,
  toCapacity,
  toComparisons,
  toCosts,
  toLimits,
} from './capacity.ts'
import { type Measured, readMeasured } from './measured.ts'

/** Calls per second that the page plans for. */
const rates = [1000, 100_000, 1_000_000]

const page = new URL('../../docs/capacity.md', import.meta.url)

/** Puts the tables into docs/capacity.md. */
export function writeCapacity(): void {
  writeFileSync(page, toPage(readFileSync(page, 'utf8'), readMeasured()!))
}

/** The page with tables made from what was measured. */
export function toPage(text: string, measured: Measured): string {
  const costs = toCosts(measured)
  const sections = {
    measured: `Measured on ${measured.run.slice(0, 10)}: ${measured.machine}.${measured.isNoisy ? ' **The machine was busy with other work: trust no digit after the first, and measure again before you buy anything.**' : ''}`, // biome-ignore format: one line
    costs: toTable(
      ['what', 'cost'],
      [
        ['replica, processor time per call', toMs(costs.call)],
        ['replica, processor time per commit', toMs(costs.callCommit)],
        ['replica, memory', `${Math.round(costs.memoryMb)} MB`],
        ['calls that share a commit', (1 / costs.commitsPerCall).toFixed(1)],
        ['Postgres, processor time per row', toMs(costs.row)],
        ['Postgres, processor time per commit', toMs(costs.commit)],
        ['Postgres, processor time for ordering, counting and polling, per call', toMs(costs.upkeep)],
        ['log per row', `${Math.round(costs.walRow)} bytes`],
        ['log per commit', `${Math.round(costs.walCommit)} bytes`],
        ['log for ordering, counting and sealing, per call', `${Math.round(costs.walUpkeep)} bytes`],
        ['entry on disk, with indexes and tree', `${Math.round(costs.entryBytes)} bytes`],
        ['sealing an entry, processor time of the replica', toMs(costs.seal)],
        ['sealing an entry, processor time of Postgres', toMs(costs.sealPostgres)],
        ['verifying an entry', `${(costs.verifySeconds * 1e6).toFixed(1)} µs`],
      ],
    ),
    needs: toNeeds(rates.map((rate) => toCapacity(costs, rate))),
    limits: toTable(
      ['limit', 'reached at'],
      toLimits(costs).map(({ what, callsPerSecond }) => [what, `${toRounded(callsPerSecond)} calls per second`]),
    ),
    model: toTable(
      ['what', 'model', 'measured', 'model / measured', 'verdict'],
      toComparisons(measured).map((one) => {
        const verdict = isClose(one) ? 'close' : (one.excuse ?? `off by more than ${maxDeviation}×`)
        return [one.what, toValue(one.predicted, one.unit), toValue(one.measured, one.unit), (one.predicted / one.measured).toFixed(2), verdict] // biome-ignore format: one line
      }),
    ),
  }
  return Object.entries(sections).reduce((text, [name, section]) => replace(text, name, section), text)
}

/** What each rate of calls needs, a column each. */
export function toNeeds(all: readonly Capacity[]): string {
  const { utilization, postgresProcessors, walMbPerSecond } = assumptions
  const rows: [string, (one: Capacity) => string][] = [
    ['replicas, one of them spare', ({ replicas }) => toRounded(replicas)],
    ['their memory', ({ replicaMemoryGb }) => toGb(replicaMemoryGb)],
    ['rows per second', ({ rowsPerSecond }) => toRounded(rowsPerSecond)],
    ['commits per second', ({ commitsPerSecond }) => toRounded(commitsPerSecond)],
    [`processors of Postgres, used to ${utilization * 100} %`, (one) => toRounded(Math.ceil(one.postgresProcessors))],
    ['log, MB per second', (one) => toRounded(one.walMbPerSecond)],
    [`Postgres clusters of ${postgresProcessors} processors and ${walMbPerSecond} MB of log per second`, ({ clusters }) => toRounded(clusters)], // biome-ignore format: one line
    ['trees: tenants, at least', ({ trees }) => toRounded(trees)],
    ['checkpoints per tree and day', ({ checkpointsPerDay }) => toRounded(checkpointsPerDay)],
    ['data per day', ({ gbPerDay }) => toGb(gbPerDay)],
    ['partition of a month', ({ gbPerPartition }) => toGb(gbPerPartition)],
    ['partitions per cluster and year', ({ partitionsPerYear }) => toRounded(partitionsPerYear)],
    ["verifying a day's entries, one process", ({ verifyHoursPerDay: hours }) => hours < 1 ? `${toRounded(hours * 60)} minutes` : `${toRounded(hours)} hours`], // biome-ignore format: one line
  ]
  const heading = ['', ...all.map(({ callsPerSecond }) => `${callsPerSecond.toLocaleString('en')} calls per second`)]
  return toTable(heading, rows.map(([name, toCell]) => [name, ...all.map(toCell)])) // biome-ignore format: one line
}

function replace(text: string, name: string, section: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/capacity.md has no section ${name}.`)
  return text.slice(0, from + start.length) + section + text.slice(to)
}

function toTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, heading.map((_, column) => (column ? '--:' : '---')), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Two digits: more are not known. */
function toRounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}

function toGb(gb: number): string {
  return gb >= 1000 ? `${toRounded(gb / 1000)} TB` : `${toRounded(gb)} GB`
}

function toMs(ms: number): string {
  return `${(ms * 1000).toPrecision(3)} µs`
}

function toValue(value: number, unit: string): string {
  if (unit === 'ms') return toMs(value)
  if (unit === 'bytes') return value >= 1e6 ? `${toRounded(value / 1e6)} MB` : `${Math.round(value)} bytes`
  return unit === 's' ? `${value.toPrecision(3)} s` : toRounded(value)
}
