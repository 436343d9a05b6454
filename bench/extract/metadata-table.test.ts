import { expect, test } from 'vitest'
import { toMetadataTable } from './metadata-table.ts'
import type { SegmentsPage } from './read-sets.ts'
import type { Run } from './run-contender.ts'

test('ours is scored on every page, and beside the others on those that they read', () => {
  const toPage = (id: string, author: string): SegmentsPage => {
    const html = `<title>A fine day</title><h1>A fine day</h1><p>By Ada Lovelace, 4 March 2021</p>`
    const metadata = id === 'c' ? undefined : { title: 'A fine day', author, date: '2021-03-04' }
    return { id, url: `https://example.org/${id}`, with: [], without: [], metadata, readBytes: () => new Uint8Array(), readHtml: () => html } // biome-ignore format: one line
  }
  const all = [toPage('a', 'Ada Lovelace'), toPage('b', ''), toPage('c', '')]
  const toRun = (author: string) => ({ segments: { a: { text: '', author } } }) as unknown as Run
  const { rows, notes } = toMetadataTable({
    set: 'segments',
    all,
    sampled: all.slice(0, 1),
    runs: [toRun('Ada Lovelace'), toRun('Alan Turing')],
    names: ['Ours', 'Theirs'],
  })
  expect(rows).toEqual([
    ['Ours, all pages', '3', '1.000 (0)', '1.000 (330)', '1.000 (0)'],
    ['Ours', '1', '0.000 (0)', '1.000 (0)', '0.000 (0)'],
    ['Theirs', '1', '0.000 (0)', '0.000 (0)', '0.000 (0)'],
  ])
  expect(notes).toContain('Aim missed: Invented authors at most 45, found 330.')
  expect(notes!.at(-1)).toContain('on every page, of which 2 have annotated metadata')
})
