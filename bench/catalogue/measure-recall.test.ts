import { expect, test } from 'vitest'
import { readCorpus } from './corpus.ts'
import { measureRecall } from './measure-recall.ts'

const corpus = readCorpus()

test.skipIf(!corpus)('the right tool is among the first five in 80 of 100 queries, and more often than with plain BM25 (needs ../shared/data)', () => {
  const { rows } = measureRecall(corpus!)
  const [, queries, own] = rows.find(([kind]) => kind === 'all')!
  expect(Number(queries)).toBeGreaterThan(1000)
  expect(Number.parseFloat(own!)).toBeGreaterThan(80)
  // With words copied from a definition both searches may score the same.
  for (const [kind, , ours, plain] of rows.slice(0, -1))
    expect(Number.parseFloat(ours!), kind).toBeGreaterThan(Number.parseFloat(plain!))
}, 60_000) // biome-ignore format: a long name
