import { hash } from 'node:crypto'
import { trackHealth } from '../health.ts'
import type { OperatorState } from '../operator-state.ts'
import type { Storage } from '../storage.ts'
import { openPostgresApprovals } from './approvals.ts'
import { type Connection, openConnection, type Query } from './connection.ts'
import { openPostgresConnections } from './connections.ts'
import { type Clock, type DatabaseClock, onDatabaseClock, openDatabaseClock } from './database-clock.ts'
import { openPostgresLedger } from './ledger.ts'
import { createLedgerOrder } from './ledger-order.ts'
import { openPostgresState } from './operator-state.ts'
import { needsJournal, type OutageJournal, type OutageOptions, openOutageJournal } from './outage-journal.ts'
import { openPool, type Pool } from './pool.ts'
import { openPostgresRuleUses } from './rule-uses.ts'
import { openPostgresRuns } from './runs.ts'
import { bringUpToDate, makePartitions } from './schema.ts'
import { openPostgresSessions } from './sessions.ts'
import { openPostgresSignIns } from './sign-ins.ts'
import { openPostgresCounters, openPostgresEvidence, openPostgresNotes, openPostgresReplies } from './small-stores.ts'
import { openPostgresTasks } from './tasks.ts'
import { openVersions } from './versions.ts'

/** Where and how Postgres stores state. */
export interface PostgresStorageOptions {
  /** `postgres://user:password@host:port/database`. Tables are made in the schema `toolpact`. */
  readonly url: string
  /** Keeps the state of several tenants apart in one database. Default: `default`. */
  readonly tenant?: string
  /** How long one statement may take before the storage counts as unavailable. Default: 5 seconds. */
  readonly timeoutMs?: number
  /** Connections of this process. Default: 8, and one that listens. */
  readonly maxConnections?: number
  /** Whose clock measures limits and expiry: that of the database, or the `now` that callers give. Default: `database`. */
  readonly clock?: Clock
  /** What happens to records while Postgres is unavailable. Default: calls that cannot be recorded do not run. */
  readonly outage?: OutageOptions
  /** Where archives of the ledger are written, in a folder for each ledger. Without it, nothing can be archived. */
  readonly archiveFolder?: string
  /** Receives a line for the operator for each write failure, with what to do, and for the recovery. */
  readonly report?: (message: string) => void
}

/** Where a tenant stores its state: a pool of its own, or one that tenants share. */
export interface PooledStorageOptions extends PostgresStorageOptions {
  readonly pool?: Pool
}

const defaultTimeoutMs = 5000
const defaultMaxConnections = 8
/** How long calls that read continue with the rules and tokens that were read last. */
const maxStaleMs = 3_600_000
const channel = 'toolpact'
const partitionsEveryMs = 43_200_000

/**
 * Stores everything in Postgres, for any number of processes on any number of machines. Rejects if the database cannot be
 * reached.
 */
export async function openPostgresStorage(
  options: PooledStorageOptions,
  connect: typeof openConnection = openConnection,
): Promise<Storage> {
  const {
    url,
    tenant = 'default',
    timeoutMs = defaultTimeoutMs,
    maxConnections = defaultMaxConnections,
    pool,
    clock = 'database',
    outage,
    archiveFolder,
    report = () => {},
  } = options
  const health = trackHealth(report, outage?.keepsReads ? `Only calls that read run, recorded in a journal in ${outage.directory} until Postgres is back; others are refused.` : undefined) // biome-ignore format: one line
  const connection = connect({
    ...{ url, tenant, timeoutMs, maxConnections, pool },
    onResult: (failure) => (failure ? health.failed(failure) : health.succeeded()),
  })
  const notes = openPostgresNotes(connection)
  const order = createLedgerOrder(connection)
  let journal: OutageJournal | undefined
  try {
    await bringUpToDate(connection)
    await makePartitions(connection)
    if (outage && needsJournal(outage))
      journal = await openOutageJournal({ ...outage, ...order, connection, notes, report })
  } catch (error) {
    await connection.close()
    throw error
  }
  const versions = openVersions(connection, { maxStaleMs: outage?.keepsReads ? maxStaleMs : 0 })
  const {
    ledger,
    proof,
    end: endLedger,
  } = openPostgresLedger(connection, { notes, report, order, journal, archiveFolder, outageFolder: outage?.directory })
  const ruleUses = openPostgresRuleUses(connection)
  const own = hash('sha256', tenant).slice(0, 16)
  // A notice makes an answer known at once; whoever misses it polls.
  connection.listen(channel, (payload) => (payload === '' || payload === own) && versions.look())
  const upkeep = setInterval(() => makePartitions(connection).catch(() => {}), partitionsEveryMs).unref()
  let closing: Promise<void> | undefined

  async function close() {
    clearInterval(upkeep)
    versions.end()
    await endLedger()
    await ruleUses.end()
    await connection.close()
  }

  const times = openDatabaseClock(connection.query, clock)
  const notify = (query: Query) => query('SELECT pg_notify($1, $2)', channel, own)
  return {
    ...openPostgresState(connection, versions),
    ledger,
    proof: onDatabaseClock(proof, times, { lease: [1] }),
    counters: openPostgresCounters(connection, clock),
    approvals: onDatabaseClock(openPostgresApprovals(connection, { versions, notify }), times, timedApprovals),
    notes,
    ruleUses,
    replies: onDatabaseClock(openPostgresReplies(connection), times, { claim: [2] }),
    evidence: openPostgresEvidence(connection),
    sessions: openPostgresSessions(connection),
    tasks: onDatabaseClock(openPostgresTasks(connection, versions), times, timedTasks),
    signIns: openTimedSignIns(connection, times),
    runs: onDatabaseClock(openPostgresRuns(connection, versions), times, timedRuns),
    connections: onDatabaseClock(openPostgresConnections(connection), times, { lease: [1, 2] }),
    async health() {
      const probed = await probeHealth(connection, health)
      const outage = journal?.status()
      return { ...probed, ...(outage && { isWritable: false, journal: outage }) }
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

const timedApprovals = {
  ...{ grant: [0], use: [2], explain: [2], request: [0, 1], resume: [1, 2], questions: [0], find: [1], details: [1] },
  ...{ answer: [2], look: [1], extend: [1, 2], withdraw: [1], discard: [1] },
  payload: 'details',
} as const
const timedTasks = {
  ...{ add: [0, 1], find: [2], list: [1, 2], waiting: [1], claim: [1, 2], renew: [0, 1], change: [2, 3], answer: [3] },
  cancel: [2],
}
const timedRuns = {
  ...{ add: [0, 1], find: [], steps: [], list: [0], ready: [1], claim: [1, 2], renew: [0, 1], change: [1, 2] },
  cancel: [2],
}

/** Idle connections close at once, so that a command can end. */
const idleMs = 50

/** Connections that several tenants of this process share. They are closed last. */
export function openPostgresPool({ url, maxConnections = 2 * defaultMaxConnections }: SharedPoolOptions): Pool {
  return openPool({ url, timeoutMs: defaultTimeoutMs, maxConnections })
}

type SharedPoolOptions = Pick<PostgresStorageOptions, 'url' | 'maxConnections'>

/** What tells who a caller of a tenant is, and whether Postgres answers, without opening anything else of the tenant. */
export interface TenantDoor extends Pick<OperatorState, 'tokens'>, Required<Pick<Storage, 'signIns' | 'health'>> {}

/** Opens it on shared connections. It needs no closing. */
export async function openPostgresDoor(pool: Pool, { tenant, keepsReads }: DoorOptions): Promise<TenantDoor> {
  const health = trackHealth(() => {})
  const onResult = (failure: Error | undefined) => (failure ? health.failed(failure) : health.succeeded())
  const connection = openConnection({ url: '', tenant, timeoutMs: pool.timeoutMs, maxConnections: 0, pool, onResult })
  await bringUpToDate(connection)
  return {
    tokens: openPostgresState(connection, openVersions(connection, { maxStaleMs: keepsReads ? maxStaleMs : 0 })).tokens,
    signIns: openTimedSignIns(connection, openDatabaseClock(connection.query, 'database')),
    health: () => probeHealth(connection, health),
  }
}

interface DoorOptions {
  readonly tenant: string
  /** Calls that read continue while Postgres is unavailable, so their callers must be known then. */
  readonly keepsReads: boolean
}

function openTimedSignIns(connection: Connection, times: DatabaseClock) {
  return onDatabaseClock(openPostgresSignIns(connection), times, { add: [0, 1], find: [1], take: [1] })
}

async function probeHealth({ query, tenant }: Connection, health: ReturnType<typeof trackHealth>) {
  const probe = "UPDATE documents SET version = version + 1 WHERE tenant = $1 AND name = 'health'"
  await query(probe, tenant).catch(() => {})
  return health.now()
}

/** Only what operators decided. It needs no closing. */
export async function openPostgresStateOnly({
  url,
  tenant = 'default',
}: Pick<PostgresStorageOptions, 'url' | 'tenant'>): Promise<OperatorState> {
  const connection = openConnection({ url, tenant, timeoutMs: defaultTimeoutMs, maxConnections: 1, idleMs })
  await bringUpToDate(connection)
  return openPostgresState(connection, openVersions(connection))
}
