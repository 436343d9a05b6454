import postgres, { type Sql } from 'postgres'
import { toClosedError } from '../../../contract/toolpact-error.ts'
import { toPostgresError, toTimeoutError } from './postgres-error.ts'
import { fromStoredText, toArrayText, toStoredText } from './postgres-text.ts'

type Value = string | number | boolean | Uint8Array | null | readonly (string | null)[]

/** Runs one statement with values for `$1`, `$2` and so on. Texts may contain any character. */
export type Query = <Row extends object>(text: string, ...values: readonly Value[]) => Promise<Row[]>

/** A pool of connections to one database, as one tenant. Everything on it ends in bounded time. */
export interface Connection {
  /** Host, port and database, without user and password. */
  readonly location: string
  readonly tenant: string
  readonly timeoutMs: number
  readonly query: Query
  /** Runs statements in one transaction. Rolls back if `job` throws. */
  transaction<Result>(job: (query: Query) => Promise<Result>): Promise<Result>
  /** Calls `onNotice` for each notice on a channel, and after each reconnect. */
  listen(channel: string, onNotice: (payload: string) => void): void
  close(): Promise<void>
}

export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  readonly tenant: string
  readonly timeoutMs: number
  readonly maxConnections: number
  /** Closes idle connections after this long, so that a process can end without closing the storage. */
  readonly idleMs?: number
  /** Called after each statement or transaction with its failure, if it is one of Postgres. */
  readonly onResult?: (failure: Error | undefined) => void
}

/** Deadlocks are rare, and end one of two transactions, which can run again. */
const deadlock = '40P01'

export function openConnection(options: ConnectionOptions): Connection {
  const { tenant, timeoutMs, onResult = () => {} } = options
  const location = toLocation(options.url)
  const slots = createSlots(options.maxConnections)
  let pool = openPool(options)
  let listening: { readonly channel: string; readonly onNotice: (payload: string) => void } | undefined
  let isClosed = false

  /** Bounds a job by time. A connection that hangs may never answer, so the pool is replaced. */
  async function bounded<Result>(job: (pool: Sql) => Promise<Result>): Promise<Result> {
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
  }

  function replacePool() {
    const before = pool
    pool = openPool(options)
    before.end({ timeout: 0 }).catch(() => {})
    if (listening) startListening()
  }

  function startListening() {
    const { channel, onNotice } = listening!
    // If listening fails, polling remains. The library listens again after each reconnect.
    pool.listen(channel, onNotice, () => onNotice('')).catch(() => {})
  }

  const query: Query = (text, ...values) => bounded((pool) => run(pool, text, values))

  async function transaction<Result>(job: (query: Query) => Promise<Result>): Promise<Result> {
    const attempt = () =>
      bounded(
        (pool) =>
          pool.begin((own) =>
            runJob((noteFailure) =>
              job(<Row extends object>(text: string, ...values: readonly Value[]) =>
                run<Row>(own, text, values).catch(noteFailure),
              ),
            ),
          ) as Promise<Result>,
      )
    try {
      return await attempt()
    } catch (error) {
      if (((error as Error).cause as { code?: string } | undefined)?.code !== deadlock) throw error
      return attempt()
    }
  }

  return {
    location,
    tenant,
    timeoutMs,
    query,
    transaction,
    listen(channel, onNotice) {
      listening = { channel, onNotice }
      startListening()
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await pool.end({ timeout: timeoutMs / 1000 }).catch(() => {})
    },
  }
}

function openPool({ url, tenant, timeoutMs, maxConnections, idleMs }: ConnectionOptions): Sql {
  return postgres(url, {
    max: maxConnections,
    connect_timeout: timeoutMs / 1000,
    ...(idleMs !== undefined && { idle_timeout: idleMs / 1000 }),
    backoff: (attempt: number) => Math.min(1, 0.05 * 2 ** attempt),
    fetch_types: false,
    onnotice: () => {},
    types: {
      // Positions and counts are far below the largest exact number.
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      // The text of an array is made by `run`.
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
      'toolpact.tenant': toStoredText(tenant),
      // biome-ignore lint/suspicious/noExplicitAny: the library's type lists a few settings only
    } as any,
  }) as unknown as Sql
}

async function run<Row extends object>(
  on: { unsafe: Sql['unsafe'] },
  text: string,
  values: readonly Value[],
): Promise<Row[]> {
  const parameters = values.map((value) => {
    if (typeof value === 'string') return toStoredText(value)
    if (Array.isArray(value)) return toArrayText(value.map((one) => (one === null ? null : toStoredText(one))))
    return value
  })
  return (await on.unsafe(text, parameters as never, { prepare: true })) as unknown as Row[]
}

/** Jobs beyond the number of connections wait here, in order, so that their time begins with their connection. */
function createSlots(max: number) {
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

/** What the job of a transaction threw itself, which is no failure of Postgres. */
class JobError extends Error {}

class TimeoutError extends Error {}

/** Tells failures of statements, which `noteFailure` has seen, from what the job throws itself. */
async function runJob<Result>(job: (noteFailure: (cause: unknown) => never) => Promise<Result>): Promise<Result> {
  const failures = new Set<unknown>()
  try {
    return await job((cause) => {
      failures.add(cause)
      throw cause
    })
  } catch (cause) {
    throw failures.has(cause) ? cause : new JobError('', { cause })
  }
}

/** For messages: never the user or the password. */
function toLocation(url: string): string {
  try {
    const { host, pathname, searchParams } = new URL(url)
    return `${host || searchParams.get('host') || 'localhost'}${pathname}`
  } catch {
    return 'the configured address'
  }
}
