import { randomUUID } from 'node:crypto'
import { isPublicCaller } from '../../contract/public-access.ts'
import { steadyMs } from '../../contract/steady-time.ts'
import type { Caller } from '../../contract/tool.ts'
import type { StepSettings } from './pipeline-options.ts'
import { Stop } from './stop.ts'

/** Queries that callers name by an id. */
export interface Queries {
  /** Returns the same query for the same id and caller, until it expires. */
  find(id: string, caller: Caller): Query
}

export interface QueriesOptions {
  /** Above this, the least recently used query is dropped. */
  readonly max?: number
  /** A query expires after this long without use. */
  readonly keepMs?: number
  readonly now?: () => number
}

export const maxQueryIdCharacters = 256

/** Kept in memory and bounded, because callers choose the ids. */
export function createQueries(options: QueriesOptions = {}): Queries {
  const { max = 10_000, keepMs = 3_600_000, now = steadyMs } = options
  type Named = Map<string, { readonly query: Query; readonly namedAt: number }>
  const ofCallers: Named = new Map()
  /** Separate: requests without a token must not evict the queries of others. */
  const ofPublic: Named = new Map()

  function sweep(queries: Named, at: number) {
    // The least recently used comes first.
    for (const [key, { namedAt }] of queries) {
      if (queries.size < max && namedAt + keepMs > at) return
      queries.delete(key)
    }
  }

  return {
    find(id, caller) {
      const at = now()
      const queries = isPublicCaller(caller) ? ofPublic : ofCallers
      const key = JSON.stringify([caller.name, id])
      const known = queries.get(key)
      const isFresh = known !== undefined && known.namedAt + keepMs > at
      queries.delete(key)
      sweep(queries, at)
      const query = isFresh ? known.query : startQuery(id)
      queries.set(key, { query, namedAt: at })
      return query
    },
  }
}

/** A user's question, which may make at most one call. */
export interface Query {
  readonly id: string
  /** The client chose the id, so it can start another query. */
  readonly isNamed?: boolean
  /** True for the first call, false for later ones. `call` identifies the call. */
  take(call?: string): boolean
  /** The call waits for approval: the same call may be repeated, but no other. */
  putOff?(): void | Promise<void>
}

/** Begins a query: one question of a user, which may make one call. Pass it as `query` with each call that it makes. */
export function startQuery(named?: string): Query {
  let state: 'free' | 'taken' | 'put off' = 'free'
  let taker: string | undefined
  return {
    id: named ?? randomUUID(),
    isNamed: named !== undefined,
    take(call) {
      if (state === 'taken' || (state === 'put off' && call !== taker)) return false
      state = 'taken'
      taker = call
      return true
    },
    putOff() {
      if (state === 'taken') state = 'put off'
    },
  }
}

/** The query that a call belongs to. `missing`: it must name one and does not. */
export type Belonging =
  | { readonly kind: 'named' | 'session'; readonly query: Query }
  | { readonly kind: 'missing'; readonly query?: undefined }

/**
 * Finds the query of a call: the one that it names or, with `singleStep`, that of its session, which expires after an hour
 * without calls. Anonymous requests without a session must name one, since they would all share one query. Undefined: the
 * call is not limited.
 */
export function createQueryFinder(settings: () => StepSettings) {
  const ofSessions = createQueries()
  return (named: Query | undefined, caller: Caller): Belonging | undefined => {
    if (named) return { kind: 'named', query: named }
    const { singleStep, requireQuery } = settings()
    const isAnonymous = isPublicCaller(caller) && caller.session === undefined
    if (requireQuery || (singleStep && isAnonymous)) return { kind: 'missing' }
    return singleStep ? { kind: 'session', query: ofSessions.find(caller.session ?? '', caller) } : undefined
  }
}

/** Uses the single step of a query for this call. */
export function takeQuery(belonging: Belonging, call: string): Query {
  const { query } = belonging
  if (!query?.take(call)) throw toRefusal(belonging)
  return query
}

export function toRefusal({ kind, query }: Belonging): Stop {
  if (!query)
    return Stop.at('single_step', 'Here each call must belong to a query, and this one names none.', {
      suggestion: `Send the id of the query. ${howToName}`,
    })
  if (kind === 'named')
    return Stop.at('single_step', 'This query has already made its one call.', {
      ...(query.isNamed && {
        suggestion: `Answer with what the first call gave. For the next question send the id of a new query. ${howToName}`,
      }),
    })
  return Stop.at(
    'single_step',
    'Here each query makes one call. Calls that name no query count as one query for the whole session, and it has made its call.',
    {
      suggestion: `Answer with what the first call gave. For the next question start a new session, or send the id of a new query. ${howToName}`,
    },
  )
}

const howToName =
  'An id is new for each question of a user: over MCP in _meta["toolpact/query"], over REST in the header Toolpact-Query. A program calls with toolpact.query().call().'
