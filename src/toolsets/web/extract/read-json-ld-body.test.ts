import { expect, test } from 'vitest'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { readJsonLdBody } from './read-json-ld-body.ts'

test('the longest body is read, line by line', () => {
  expect(read('{"a":{"articleBody":"short"}}', '{"articleBody" : "first line\\n\\nsecond \\"line\\""}')).toBe(
    'first line\n\nsecond "line"',
  )
})

test('a body in invalid JSON, or with raw line ends, is read', () => {
  expect(read('{"x": oops, "articleBody": "one\ntwo\tthree", }')).toBe('one\n\ntwo three')
  expect(read('{"articleBody": "never ends')).toBe('never ends')
  expect(read('{"articleBody": "bad \\x escape"}')).toBe('')
})

test('markup in the body is removed, also if encoded twice', () => {
  expect(read('{"articleBody": "<p>One &amp; two</p><p style=\'display:none\'>no</p>three"}')).toBe(
    'One & two\n\nthree',
  )
  expect(read('{"articleBody": "&lt;p&gt;One&lt;/p&gt;\\ntwo"}')).toBe('One\n\ntwo')
})

test('a page without one has none', () => {
  expect(read('{"headline": "x"}')).toBe('')
  expect(readJsonLdBody(parseHtml('<script>var x = {"articleBody": "no"}</script>'))).toBe('')
})

function read(...json: string[]): string {
  return readJsonLdBody(
    parseHtml(json.map((text) => `<script type="application/ld+json">${text}</script>`).join('<p>x</p>')),
  )
}
