import { isPublicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Query, startQuery } from './query.ts'

/** The queries that callers name by an id of their own. */
export interface Queries {
  /** The same query for the same id of the same caller, as long as it is remembered. */
  find(id: string, caller: Caller): Query
}

export interface QueriesOptions {
  /** So many are remembered: the one that was not named for longest makes room. */
  readonly most?: number
  /** A query that nobody names for so long is forgotten. */
  readonly keepMs?: number
  readonly now?: () => number
}

export const maxQueryIdCharacters = 256

/** Remembers queries for as long as the process lives, and within bounds: callers choose the ids. */
export function createQueries(options: QueriesOptions = {}): Queries {
  const { most = 10_000, keepMs = 3_600_000, now = () => performance.now() } = options
  type Named = Map<string, { readonly query: Query; readonly namedAt: number }>
  const ofCallers: Named = new Map()
  /** On their own: requests without a token must not displace the queries of others. */
  const ofPublic: Named = new Map()

  function sweep(queries: Named, at: number) {
    // The one that was not named for longest stands first.
    for (const [key, { namedAt }] of queries) {
      if (queries.size < most && namedAt + keepMs > at) return
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
