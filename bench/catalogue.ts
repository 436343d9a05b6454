import { ToolIndex } from '../src/projections/tool-search/tool-index.ts'
import { readCorpus } from './catalogue/corpus.ts'
import { measureRecall } from './catalogue/measure-recall.ts'
import { createPlainBm25 } from './catalogue/plain-bm25.ts'
import { makeQueries } from './catalogue/queries.ts'
import { compare } from './compare.ts'
import { quantile, toTime } from './print-table.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'The search of `search_tools`, `toolpact list --search` and `GET /v1/tools?q=` beside BM25 as textbooks have it, over definitions of real servers. docs/mcp.md says how the queries are made.',
}

export async function* bench(): AsyncGenerator<Table> {
  const corpus = readCorpus()
  if (!corpus) return console.log('The definitions of real servers are not here: nothing is measured.')
  yield measureRecall(corpus)

  // Repeated definitions: a worst case, with more occurrences of each word than any real catalogue.
  const many = Array.from({ length: 10_000 }, (_, place) => {
    const tool = corpus.tools[place % corpus.tools.length]!
    const id = `${tool.id}_${place}`
    return { ...tool, id, entry: { ...tool.entry, id } }
  })
  const queries = makeQueries(corpus, corpus.tools).map(({ text }) => text)
  const plain = createPlainBm25(many)
  const index = new ToolIndex()
  const entries = many.map(({ entry }) => entry)
  index.update(entries)
  for (const query of queries) index.search(query, 5)
  let next = 0
  const takeQuery = () => queries[next++ % queries.length]!
  const searches = await compare(
    'A search for five of 10,000 tools',
    [
      { name: 'plain BM25', run: () => plain(takeQuery(), 5) },
      { name: 'toolpact', run: () => index.search(takeQuery(), 5) },
    ],
    { rounds: 20, samples: 200 },
  )
  yield { ...searches, notes: [...(searches.notes ?? []), describeSlowest((query) => index.search(query, 5), queries)] }
  const changed = entries.map((entry, place) => (place % 100 === 0 ? { ...entry, tool: { contract: { ...entry.tool.contract } } } : entry)) // biome-ignore format: one line
  const lists = [entries, changed]
  yield await compare(
    'A new list of 10,000 tools',
    [
      { name: 'read from nothing', run: () => new ToolIndex().update(entries) },
      { name: 'one tool in a hundred changed', run: () => index.update(lists[++next % 2]!) },
    ],
    { rounds: 5 },
  )
}

/** Best of three per query, to reduce the effect of other load. */
function describeSlowest(search: (query: string) => unknown, queries: readonly string[]): string {
  const times = queries.map((query) => Math.min(...[1, 2, 3].map(() => time(() => search(query)))))
  const slowest = times.reduce((most, each) => Math.max(most, each))
  return `Each of ${queries.length.toLocaleString('en')} queries at its best of three: p99 ${toTime(quantile(times, 0.99))}, slowest ${toTime(slowest)}.`
}

function time(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
