import type { Sql } from 'postgres'
import { toClosedError } from '../../../contract/toolpact-error.ts'
import { createSlots, JobError, openPool, type Pool, type PoolOptions } from './pool.ts'
import { toArrayText, toStoredText } from './postgres-text.ts'

type Value = string | number | boolean | Uint8Array | null | readonly (string | null)[]

/** Runs one statement with values for `$1`, `$2` and so on. Texts may contain any character. */
export type Query = <Row extends object>(text: string, ...values: readonly Value[]) => Promise<Row[]>

/** A way to one database, as one tenant. Everything on it ends in bounded time. */
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

export interface ConnectionOptions extends Omit<PoolOptions, 'tenant'> {
  readonly tenant: string
  /** Connections that several tenants share. They stay open when this is closed. Without them, it has its own. */
  readonly pool?: Pool | undefined
  /** Called after each statement or transaction with its failure, if it is one of Postgres. */
  readonly onResult?: (failure: Error | undefined) => void
}

/** Deadlocks are rare, and end one of two transactions, which can run again. */
const deadlock = '40P01'

export function openConnection(options: ConnectionOptions): Connection {
  const { tenant, onResult } = options
  const pool = options.pool ?? openPool(options)
  const toResult = onResult && { onResult }
  const access: Access = options.pool ? shareAccess(options.pool, tenant) : ownAccess
  const stops: (() => void)[] = []
  let isClosed = false

  function run<Result>(job: (pool: Sql) => Promise<Result>): Promise<Result> {
    if (isClosed) return Promise.reject(toClosedError())
    return access.enter(() => pool.run(job, toResult))
  }

  async function transaction<Result>(job: (query: Query) => Promise<Result>): Promise<Result> {
    const attempt = () =>
      run(
        (pool) =>
          pool.begin((own) =>
            runJob((noteFailure) => {
              const begun = access.begin(own)?.catch(noteFailure)
              // Its failure ends the transaction, and with it every statement.
              begun?.catch(() => {})
              return job(<Row extends object>(text: string, ...values: readonly Value[]) =>
                runStatement<Row>(own, text, values).catch(noteFailure),
              )
            }),
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
    location: pool.location,
    tenant,
    timeoutMs: pool.timeoutMs,
    query: (text, ...values) => run((pool) => access.query(pool, text, values)),
    transaction,
    listen(channel, onNotice) {
      stops.push(pool.listen(channel, onNotice))
    },
    async close() {
      if (isClosed) return
      isClosed = true
      for (const stop of stops) stop()
      if (!options.pool) await pool.close()
    },
  }
}

/** How a tenant uses the connections of a pool. */
interface Access {
  enter<Result>(job: () => Promise<Result>): Promise<Result>
  query<Row extends object>(pool: Sql, text: string, values: readonly Value[]): Promise<Row[]>
  /** At the start of a transaction. Statements can follow at once: if it fails, so do they. */
  begin(own: { unsafe: Sql['unsafe'] }): Promise<unknown> | undefined
}

/** Connections that are all of one tenant. */
const ownAccess: Access = { enter: (job) => job(), query: runStatement, begin: () => undefined }

/** The tenant is a setting of each transaction, so nothing of it remains on a connection. Half of them are left to others. */
function shareAccess({ maxJobs }: Pool, tenant: string): Access {
  const slots = createSlots(maxJobs)
  const begin: Access['begin'] = (own) => runStatement(own, setTenant, [tenant])
  return {
    async enter(job) {
      const leave = await slots.enter()
      return job().finally(leave)
    },
    begin,
    async query<Row extends object>(pool: Sql, text: string, values: readonly Value[]) {
      const rows = pool.begin(async (own) => {
        // Sent together. If the first fails, the transaction ends, and the second fails too.
        const [, found] = await Promise.all([begin(own), runStatement<Row>(own, text, values)])
        return found
      })
      return rows as unknown as Promise<Row[]>
    },
  }
}

const setTenant = "SELECT set_config('toolpact.tenant', $1, true)"

async function runStatement<Row extends object>(
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
