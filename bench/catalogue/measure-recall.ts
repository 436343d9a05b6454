import { ToolIndex } from '../../src/projections/tool-search/tool-index.ts'
import type { Table } from '../table.ts'
import type { Corpus } from './corpus.ts'
import { createPlainBm25 } from './plain-bm25.ts'
import { isHeldOut, type Kind, kinds, makeQueries, type Query } from './queries.ts'

type Search = (query: string, count: number) => string[]

/** Recall at 5, on servers that were not used for tuning. */
export function measureRecall(corpus: Corpus): Table {
  const index = new ToolIndex()
  index.update(corpus.tools.map(({ entry }) => entry))
  const own: Search = (query, count) => index.search(query, count).map(({ id }) => id)
  const plain = createPlainBm25(corpus.tools)
  const tools = corpus.tools.filter(({ server }) => isHeldOut(server))
  const queries = makeQueries(corpus, tools)
  const toRow = (name: string, some: readonly Query[]) => [
    name,
    String(some.length),
    toPercent(recall(own, some)),
    toPercent(recall(plain, some)),
  ]
  return {
    title: `Recall at 5 among ${corpus.tools.length.toLocaleString('en')} tools`,
    heading: ['query', 'queries', 'toolpact', 'plain BM25'],
    rows: [
      ...(Object.keys(kinds) as Kind[]).map((kind) => toRow(kinds[kind], queries.filter((query) => query.kind === kind))), // biome-ignore format: one line
      toRow('all', queries),
      toRow('all, with the words of the definitions as they are', makeQueries(corpus, tools, { verbatim: true })),
    ],
    notes: [`Queries are made from ${tools.length} tools of the servers on which nothing was tuned.`],
  }
}

function recall(search: Search, queries: readonly Query[]): number {
  return queries.filter(({ text, answers }) => search(text, 5).some((id) => answers.has(id))).length / queries.length
}

function toPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
