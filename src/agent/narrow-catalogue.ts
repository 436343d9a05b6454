import { type Searchable, ToolIndex } from '../projections/tool-search/tool-index.ts'

/**
 * The tools that fit a question best, for a model that cannot be offered all. If fewer match than fit, others follow,
 * in turn from each toolset.
 */
export function narrowCatalogue<Entry extends Searchable>(
  entries: readonly Entry[],
  question: string,
  max: number,
): readonly Entry[] {
  if (entries.length <= max) return entries
  const chosen = new Set(indexOf(entries).search(question, max)) as Set<Entry>
  for (const entry of inTurn(entries)) {
    if (chosen.size >= max) break
    chosen.add(entry)
  }
  return [...chosen]
}

/** The catalog returns the same list object while nothing changes. */
const indexes = new WeakMap<readonly Searchable[], ToolIndex<Searchable>>()

function indexOf(entries: readonly Searchable[]): ToolIndex<Searchable> {
  let index = indexes.get(entries)
  if (!index) {
    index = new ToolIndex()
    index.update(entries)
    indexes.set(entries, index)
  }
  return index
}

/** The first tool of each toolset, then the second of each, and so on. */
function* inTurn<Entry extends Searchable>(entries: readonly Entry[]): Generator<Entry> {
  const lists = [...Map.groupBy(entries, ({ toolset }) => toolset).values()]
  const longest = Math.max(...lists.map((list) => list.length))
  for (let turn = 0; turn < longest; turn++) for (const list of lists) if (list[turn] !== undefined) yield list[turn]!
}
