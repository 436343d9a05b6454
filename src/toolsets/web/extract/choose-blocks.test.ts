import { expect, test } from 'vitest'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { extractText } from './extract-page.ts'

const words = 'which says what there is to say about the matter, in a sentence of some length and of no great interest'
const names = Array.from({ length: 40 }, (_, at) => `Part ${at}, ${words}.`)
const page = () => parseHtml(names.map((name, at) => `<section class="s${at}"><p>${name}</p></section>`).join(''))

/** The first part looks like content, the others as the given score says. */
function extract(others: number) {
  return extractText(page(), {
    url: 'https://example.org/a-page',
    score: ({ lines }) => lines.map((_, at) => (at === 0 ? 0.9 : others)),
  })
}

test('if what looks like content is tiny, doubtful parts are taken too, and reported', () => {
  const { text, taken } = extract(0.2)
  expect(taken).toBe('doubtful')
  for (const name of names) expect(text).toContain(name)
})

test('parts that certainly are no content are not taken, however little remains', () => {
  expect(extract(0.05)).toEqual({ text: names[0] })
})

test('a page with enough content takes no doubtful parts', () => {
  const { text, taken } = extractText(page(), {
    url: 'https://example.org/a-page',
    score: ({ lines }) => lines.map((_, at) => (at < 20 ? 0.9 : 0.2)),
  })
  expect(taken).toBeUndefined()
  expect(text.split('\n\n')).toEqual(names.slice(0, 20))
})

test('text that a page repeats is kept as often as it is shown', () => {
  const twice = parseHtml(`<p>${names[0]}</p><p>${names[1]}</p><p>${names[0]}</p>`)
  const { text } = extractText(twice, { url: 'https://example.org/', score: ({ lines }) => lines.map(() => 0.9) })
  expect(text.split('\n\n')).toEqual([names[0], names[1], names[0]])
})
