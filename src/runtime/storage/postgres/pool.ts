import postgres, { type Sql } from 'postgres'
import { toClosedError } from '../../../contract/toolpact-error.ts'
import { toPostgresError, toTimeoutError } from './postgres-error.ts'
import { fromStoredText, toStoredText } from './postgres-text.ts'

/** Connections to one database. Everything on them ends in bounded time. */
export interface Pool {
  /** Host, port and database, without user and password. */
  readonly location: string
  readonly timeoutMs: number
  /** Runs a job on a connection, once one is free. Rejects with an error of the storage, or with the `cause` of a `JobError`. */
  run<Result>(job: (pool: Sql) => Promise<Result>, options?: RunOptions): Promise<Result>
  /** Calls `onNotice` for each notice on a channel, and after each reconnect. Returns what stops it. */
  listen(channel: string, onNotice: (payload: string) => void): () => void
  /** How many jobs one tenant may run at the same time, so that others find a connection. */
  readonly maxJobs: number
  close(): Promise<void>
}

interface RunOptions {
  /** Called when the job ends, with its failure if it is one of Postgres. */
  readonly onResult?: (failure: Error | undefined) => void
}

export interface PoolOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** The tenant of every connection. Without one, several tenants share them, and each transaction names its own. */
  readonly tenant?: string
  readonly timeoutMs: number
  readonly maxConnections: number
  /** Closes idle connections after this long, so that a process can end without closing the storage. */
  readonly idleMs?: number
}

/** What the job of a transaction threw itself, which is no failure of Postgres. */
export class JobError extends Error {}

export function openPool(options: PoolOptions): Pool {
  const { timeoutMs, maxConnections } = options
  const location = toLocation(options.url)
  const slots = createSlots(maxConnections)
  /** Called for the notices of each channel. One connection listens to all. */
  const listeners = new Map<string, Set<(payload: string) => void>>()
  let pool = connect(options)
  let isClosed = false

  function replacePool() {
    const before = pool
    pool = connect(options)
    before.end({ timeout: 0 }).catch(() => {})
    for (const channel of listeners.keys()) startListening(channel)
  }

  function startListening(channel: string) {
    const tell = (payload: string) => {
      for (const onNotice of listeners.get(channel)!) onNotice(payload)
    }
    // If listening fails, polling remains. The library listens again after each reconnect.
    pool.listen(channel, tell, () => tell('')).catch(() => {})
  }

  return {
    location,
    timeoutMs,
    maxJobs: options.tenant === undefined ? Math.max(1, Math.floor(maxConnections / 2)) : maxConnections,
    /** Bounds a job by time. A connection that hangs may never answer, so the pool is replaced. */
    async run(job, { onResult = () => {} } = {}) {
      if (isClosed) throw toClosedError()
      const leave = await slots.enter()
      const used = pool
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<never>((_, reject) => {
        // Statements end on the server first, if it answers at all.
        timer = setTimeout(() => reject(new TimeoutError()), timeoutMs + 500)
      })
      try {
        if (isClosed) throw toClosedError()
        const result = await Promise.race([job(used), timeout])
        onResult(undefined)
        return result
      } catch (cause) {
        if (cause instanceof JobError) throw cause.cause
        if (isClosed) throw toClosedError()
        if (cause instanceof TimeoutError && used === pool) replacePool()
        const failure =
          cause instanceof TimeoutError ? toTimeoutError(location, timeoutMs) : toPostgresError(cause, location)
        onResult(failure)
        throw failure
      } finally {
        clearTimeout(timer)
        leave()
      }
    },
    listen(channel, onNotice) {
      const known = listeners.get(channel)
      const all = known ?? new Set()
      all.add(onNotice)
      listeners.set(channel, all)
      if (!known) startListening(channel)
      return () => all.delete(onNotice)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await pool.end({ timeout: timeoutMs / 1000 }).catch(() => {})
    },
  }
}

function connect({ url, tenant, timeoutMs, maxConnections, idleMs }: PoolOptions): Sql {
  return postgres(url, {
    max: maxConnections,
    // Of several hosts, the primary. The library takes a standby for `read-write`.
    ...(toHosts(url).includes(',') && { target_session_attrs: 'primary' as const }),
    connect_timeout: timeoutMs / 1000,
    ...(idleMs !== undefined && { idle_timeout: idleMs / 1000 }),
    backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt),
    fetch_types: false,
    onnotice: () => {},
    types: {
      // Positions and counts are far below the largest exact number.
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      // The text of an array is made by `run` of a connection.
      texts: { to: 1009, from: [1009], parse: (text: string) => text, serialize: String },
      text: { to: 25, from: [25], parse: fromStoredText, serialize: String },
    },
    connection: {
      application_name: 'toolpact',
      search_path: 'toolpact',
      statement_timeout: timeoutMs,
      // A process that stands still in a transaction would hold its locks against every other replica.
      idle_in_transaction_session_timeout: timeoutMs,
      // Row-level security compares it with the tenant of each row.
      ...(tenant !== undefined && { 'toolpact.tenant': toStoredText(tenant) }),
      // biome-ignore lint/suspicious/noExplicitAny: the library's type lists a few settings only
    } as any,
  }) as unknown as Sql
}

/** Jobs beyond the number of connections wait here, in order, so that their time begins with their connection. */
export function createSlots(max: number) {
  const waiting: (() => void)[] = []
  let used = 0

  function leave() {
    const next = waiting.shift()
    if (next) next()
    else used -= 1
  }

  return {
    async enter(): Promise<() => void> {
      if (used < max) used += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      return leave
    },
  }
}

class TimeoutError extends Error {}

/** For messages: never the user or the password. */
function toLocation(url: string): string {
  try {
    const hosts = toHosts(url)
    const { pathname, searchParams } = new URL(url.replace(hosts, hosts.split(',')[0]!))
    return `${hosts || searchParams.get('host') || 'localhost'}${pathname}`
  } catch {
    return 'the configured address'
  }
}

/** Everything between the user and the path: `host:port`, or several with commas. */
function toHosts(url: string): string {
  return /^[^/]*\/\/(?:[^/?]*@)?([^/?]*)/.exec(url)?.[1] ?? ''
}
