import { isPublicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Query, startQuery } from './query.ts'

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
  const { max = 10_000, keepMs = 3_600_000, now = () => performance.now() } = options
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
