import type { Measured, MeasuredGrowth } from './measured.ts'

/** What the model adds to the measurements. */
export const assumptions = {
  /** Share of its processors that a server may use on average, so that peaks and the loss of a replica can be absorbed. */
  utilization: 0.6,
  /** An intent and an outcome. */
  rowsPerCall: 2,
  /** Processors of the largest Postgres server. */
  postgresProcessors: 64,
  /** What its log and its standby can take, in MB per second. */
  walMbPerSecond: 500,
  secondsBetweenCheckpoints: 5,
  daysOfPartition: 30,
} as const

/** Costs in ms of processor time, sizes in bytes. */
export interface Costs {
  /** Of a replica: for a call, and for each commit. */
  readonly call: number
  readonly callCommit: number
  /** Of Postgres: for a row, for each commit, and for ordering, counting and polling, per call. */
  readonly row: number
  readonly commit: number
  readonly upkeep: number
  readonly walRow: number
  readonly walCommit: number
  /** For ordering, counting and sealing, per call. */
  readonly walUpkeep: number
  readonly commitsPerCall: number
  readonly entryBytes: number
  /** Of the replica that seals, and of Postgres, per entry. */
  readonly seal: number
  readonly sealPostgres: number
  readonly verifySeconds: number
  readonly memoryMb: number
}

/** What a rate of calls needs. */
export interface Capacity {
  readonly callsPerSecond: number
  readonly replicas: number
  readonly replicaMemoryGb: number
  readonly commitsPerSecond: number
  readonly rowsPerSecond: number
  readonly postgresProcessors: number
  readonly walMbPerSecond: number
  readonly sealingProcessors: number
  /** Trees, each sealed by one process: as many tenants are needed, or more. */
  readonly trees: number
  readonly clusters: number
  readonly gbPerDay: number
  readonly gbPerPartition: number
  readonly partitionsPerYear: number
  readonly checkpointsPerDay: number
  /** Of one day's entries, by one process. */
  readonly verifyHoursPerDay: number
}

/** Derives what one operation costs. A line through two measurements separates what a commit costs from what a row costs. */
export function toCosts(measured: Measured): Costs {
  const { calls, appends } = measured
  const { rowsPerCall } = assumptions
  const one = calls[0]!
  const most = calls.at(-1)!
  const [single, many] = [appends[0]!, appends.at(-1)!]
  const perCommit = (few: number, lots: number) => Math.max(0, (few - lots) / (1 / single.rowsPerCommit - 1 / many.rowsPerCommit)) // biome-ignore format: one line
  const commit = perCommit(single.postgres, many.postgres)
  const row = many.postgres - commit / many.rowsPerCommit
  const walCommit = perCommit(single.walBytesPerRow, many.walBytesPerRow)
  const walRow = many.walBytesPerRow - walCommit / many.rowsPerCommit
  const callCommit = Math.max(0, (most.server - one.server) / (most.commitsPerCall - one.commitsPerCall))
  const grown = toGrowth(measured).at(-1)!
  return {
    call: one.server - callCommit * one.commitsPerCall,
    callCommit,
    row,
    commit,
    upkeep: Math.max(0, one.postgres - rowsPerCall * row - one.commitsPerCall * commit),
    walRow,
    walCommit,
    walUpkeep: Math.max(0, one.walBytesPerCall - rowsPerCall * walRow - one.commitsPerCall * walCommit),
    commitsPerCall: one.commitsPerCall,
    entryBytes: grown.bytes / grown.entries,
    seal: grown.sealing.server,
    sealPostgres: grown.sealing.postgres,
    verifySeconds: grown.verifySeconds / grown.entries,
    memoryMb: Math.max(...calls.map(({ memoryMb }) => memoryMb)),
  }
}

export function toCapacity(costs: Costs, callsPerSecond: number): Capacity {
  const { utilization, rowsPerCall, postgresProcessors, walMbPerSecond, secondsBetweenCheckpoints, daysOfPartition } = assumptions // biome-ignore format: one line
  const rowsPerSecond = rowsPerCall * callsPerSecond
  const busy = (msPerSecond: number) => msPerSecond / 1000 / utilization
  const replicas = Math.ceil(busy(callsPerSecond * toReplicaMs(costs, costs.commitsPerCall))) + 1
  const onPostgres = busy(callsPerSecond * toPostgresMs(costs, costs.commitsPerCall) + rowsPerSecond * costs.sealPostgres) // biome-ignore format: one line
  const wal = (callsPerSecond * toWalBytes(costs, costs.commitsPerCall)) / 1e6
  const sealing = busy(rowsPerSecond * costs.seal)
  const gbPerDay = (rowsPerSecond * 86_400 * costs.entryBytes) / 1e9
  return {
    callsPerSecond,
    replicas,
    replicaMemoryGb: (replicas * costs.memoryMb) / 1024,
    commitsPerSecond: callsPerSecond * costs.commitsPerCall,
    rowsPerSecond,
    postgresProcessors: onPostgres,
    walMbPerSecond: wal,
    sealingProcessors: sealing,
    trees: Math.ceil(sealing),
    clusters: Math.max(Math.ceil(onPostgres / postgresProcessors), Math.ceil(wal / walMbPerSecond)),
    gbPerDay,
    gbPerPartition: gbPerDay * daysOfPartition,
    partitionsPerYear: 12,
    checkpointsPerDay: 86_400 / secondsBetweenCheckpoints,
    verifyHoursPerDay: (rowsPerSecond * 86_400 * costs.verifySeconds) / 3600,
  }
}

/** A limit of one Postgres, and the rate of calls at which it is reached. */
export interface Limit {
  readonly what: string
  readonly callsPerSecond: number
}

/** Where one Postgres, and one tree, end. */
export function toLimits(costs: Costs): Limit[] {
  const { utilization, rowsPerCall, postgresProcessors, walMbPerSecond } = assumptions
  const postgresMs = toPostgresMs(costs, costs.commitsPerCall) + rowsPerCall * costs.sealPostgres
  const processors = (count: number) => (count * 1000 * utilization) / postgresMs
  return [
    { what: 'one process that seals one tree', callsPerSecond: (1000 * utilization) / (rowsPerCall * costs.seal) },
    { what: 'a Postgres with 16 processors', callsPerSecond: processors(16) },
    { what: `a Postgres with ${postgresProcessors} processors`, callsPerSecond: processors(postgresProcessors) },
    { what: `a log of ${walMbPerSecond} MB per second`, callsPerSecond: (walMbPerSecond * 1e6) / toWalBytes(costs, costs.commitsPerCall) }, // biome-ignore format: one line
  ].sort((one, other) => one.callsPerSecond - other.callsPerSecond)
}

/** What the model predicts for something that was measured, but that it was not made from. */
export interface Comparison {
  readonly what: string
  readonly predicted: number
  readonly measured: number
  readonly unit: string
  /** Why it says nothing about the model. */
  readonly excuse?: string
}

/** Beyond this, the model is wrong. */
export const maxDeviation = 1.25

export function isClose({ predicted, measured }: Comparison): boolean {
  return Math.max(predicted / measured, measured / predicted) <= maxDeviation
}

export function toComparisons(measured: Measured): Comparison[] {
  const costs = toCosts(measured)
  const ms = { unit: 'ms' }
  const bytes = { unit: 'bytes' }
  const calls = measured.calls.flatMap(
    ({ replicas, perSecond, client, server, postgres, others, commitsPerCall, walBytesPerCall }) => {
      // biome-ignore format: one line
      const name = `${replicas} replica${replicas === 1 ? '' : 's'}`
      const [onReplica, onPostgres] = [toReplicaMs(costs, commitsPerCall), toPostgresMs(costs, commitsPerCall)]
      const free = measured.cores - others
      // If something else was the limit, such as the disk, processor time says nothing about it.
      const isSaturated = perSecond * (client + server + postgres) > 850 * free || perSecond * server > 850 * replicas
      const excuse = measured.isNoisy ? 'too noisy to tell' : isSaturated ? undefined : 'processors were not the limit'
      const limits = [(replicas * 1000) / onReplica, 1000 / client, (free * 1000) / (client + onReplica + onPostgres)]
      return [
        { what: `processor time of a call, ${name}`, predicted: onReplica + onPostgres, measured: server + postgres, ...ms }, // biome-ignore format: one line
        { what: `log of a call, ${name}`, predicted: toWalBytes(costs, commitsPerCall), measured: walBytesPerCall, ...bytes }, // biome-ignore format: one line
        { what: `calls per second on this machine, ${name}`, predicted: Math.min(...limits), measured: perSecond, unit: '/s', ...(excuse && { excuse }) }, // biome-ignore format: one line
      ]
    },
  )
  const appends = measured.appends.slice(1, -1).map(({ rowsPerCommit, postgres }) => ({
    what: `processor time of Postgres for a row, ${rowsPerCommit} in a commit`,
    predicted: costs.row + costs.commit / rowsPerCommit,
    measured: postgres,
    ...ms,
  }))
  const rows = toGrowth(measured)
  const [before, last] = [rows.at(-2), rows.at(-1)!]
  const count = `${last.entries.toLocaleString('en')} entries`
  const scaled = (of: (row: MeasuredGrowth) => number) => (of(before!) * last.entries) / before!.entries
  const growth = before
    ? [
        { what: `size of ${count}`, predicted: scaled(({ bytes }) => bytes), measured: last.bytes, ...bytes },
        {
          what: `processor time of verifying an entry of ${count}`,
          predicted: before.verifying,
          measured: last.verifying,
          ...ms,
        },
        { what: `processor time of sealing an entry of ${count}`, predicted: before.sealing.server, measured: last.sealing.server, ...ms }, // biome-ignore format: one line
      ]
    : []
  return [...calls, ...appends, ...growth]
}

function toReplicaMs({ call, callCommit }: Costs, commitsPerCall: number): number {
  return call + callCommit * commitsPerCall
}

function toPostgresMs({ row, commit, upkeep }: Costs, commitsPerCall: number): number {
  return assumptions.rowsPerCall * row + commit * commitsPerCall + upkeep
}

function toWalBytes({ walRow, walCommit, walUpkeep }: Costs, commitsPerCall: number): number {
  return assumptions.rowsPerCall * walRow + walCommit * commitsPerCall + walUpkeep
}

/** Sizes of the last run, the largest last. */
function toGrowth({ run, growth }: Measured): MeasuredGrowth[] {
  return growth.postgres.filter((row) => row.run === run).sort((one, other) => one.entries - other.entries)
}
