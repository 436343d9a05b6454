import type { Caller } from '../../contract/tool.ts'
import { type Searchable, ToolIndex } from './tool-index.ts'

export interface SearchedCatalog<Entry> {
  /** Every tool, or those that this caller may use; the same list object while nothing changes. */
  all(caller?: Caller): Promise<readonly Entry[]>
}

/** Surfaces refuse longer queries. */
export const maxQueryCharacters = 1000

/**
 * Searches the tools that a caller may use. All callers share one index; it follows the catalog, so the first search
 * after a change indexes only what has changed.
 */
export function createToolFinder<Entry extends Searchable>(catalog: SearchedCatalog<Entry>) {
  const index = new ToolIndex<Entry>()
  const callable = new WeakMap<readonly Entry[], readonly Entry[]>()
  const ids = new WeakMap<readonly Entry[], ReadonlySet<string>>()
  const toCallable = (entries: readonly Entry[]) =>
    remember(callable, entries, () => entries.filter(({ tool }) => tool.contract.status !== 'planned'))

  return async (query: string, limit: number, caller: Caller) => {
    const all = toCallable(await catalog.all())
    const usable = toCallable(await catalog.all(caller))
    index.update(all)
    const allowed = remember(ids, usable, () => new Set(usable.map(({ id }) => id)))
    return { found: index.search(query, limit, ({ id }) => allowed.has(id)), usable }
  }
}

function remember<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}
