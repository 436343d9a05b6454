import { expect, test } from 'vitest'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { extractPage } from './extract-page.ts'
import { readEmbedded, readJsonLdBody } from './read-embedded.ts'

const first =
  'The first frost came early this year, and most of the gardeners in the valley were caught by surprise when they woke.'
const second =
  'Nobody had covered the beds, so the last tomatoes, which were still green, had to be picked in a hurry, wrapped in paper and stored.'

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

test('the text in the data of a Next.js page is read if the markup has none', () => {
  const data = {
    props: {
      pageProps: {
        messages: {
          cookies:
            'We and our partners use cookies to make this site better for you and for everybody else who comes here.',
        },
        post: {
          title: 'Frost',
          slug: 'frost',
          paragraphs: [{ html: `<p>${first}</p>` }, { html: `<p>${second}</p>` }],
        },
      },
    },
    buildId: 'x',
  }
  const page = extractPage(
    `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data)}</script>`,
    { url: 'https://example.com/frost' },
  )
  expect(page).toMatchObject({ text: `${first}\n\n${second}`, taken: 'data' })
})

test('the posts that Discourse preloads are read', () => {
  const topic = {
    post_stream: {
      posts: [
        { username: 'ann', cooked: `<p>${first}</p>` },
        { username: 'bob', cooked: `<p>${second}</p>` },
      ],
    },
  }
  const preloaded = JSON.stringify({ topic_1: JSON.stringify(topic) })
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
  const html = `<div class="hidden" id="data-preloaded" data-preloaded="${preloaded}"></div>`
  expect(readEmbedded(parseHtml(html))).toBe(`${first}\n\n${second}`)
})

test('code, addresses and broken data are no text', () => {
  const code = 'function (a) { return a + 1 }; '.repeat(10)
  const addresses = 'https://example.com/a/long/path '.repeat(10)
  expect(readEmbedded(toPage(JSON.stringify({ code, addresses, list: [1, null, true] })))).toBe('')
  expect(readEmbedded(toPage(`{"text": "${first}`))).toBe('')
  expect(readEmbedded(toPage('[]'))).toBe('')
})

test('data is not read where the page shows its text', () => {
  const html = `<article><p>${first}</p><p>${second}</p></article><script type="application/json">${JSON.stringify({ a: { text: `${first} Something else.` } })}</script>`
  const page = extractPage(html, { url: 'https://example.com/' })
  expect(page.text).toBe(`${first}\n\n${second}`)
  expect(page.taken).toBeUndefined()
})

test('scripts that are not data are not read', () => {
  expect(readEmbedded(parseHtml(`<script>var x = {"articleBody": "${first}"}</script>`))).toBe('')
})

function toPage(json: string) {
  return parseHtml(`<script type="application/json">${json}</script>`)
}

test('data is no text where the page shows some, and coded values never are', () => {
  const shown = Array.from({ length: 5 }, (_, at) => `<p>${at}. ${first}</p>`).join('')
  const data = JSON.stringify({ a: { b: Array.from({ length: 40 }, (_, at) => `${at} ${second}`) } })
  const { text, taken } = extractPage(`${shown}<script type="application/json">${data}</script>`, {
    url: 'https://example.com/frost',
  })
  expect([taken, text.includes('tomatoes')]).toEqual([undefined, false])
  const coded = JSON.stringify({ a: 'eyJhdGh6bmlkIjoiZGVzY0NvbGwiLCJhdGhtdGlkIjoi/'.repeat(30) })
  expect(readEmbedded(parseHtml(`<script type="application/json">${coded}</script>`))).toBe('')
})
