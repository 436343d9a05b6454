import { expect, test } from 'vitest'
import { parseHtml } from '../../../tool-parts/html/parse-html.ts'
import { extractPage } from './extract-page.ts'
import { readMetadata } from './metadata/read-metadata.ts'

const url = 'https://example.com/'
const menu =
  '<header class="site-header"><nav><ul><li><a href="/">Home</a><li><a href="/garden">Garden</a><li><a href="/kitchen">Kitchen</a></ul></nav></header>'
const first =
  'The first frost came early this year, and most of the gardeners in the valley were caught by surprise when they woke.'
const second =
  'Nobody had covered the beds, so the last tomatoes, which were still green, had to be picked in a hurry, wrapped in paper and stored.'

test('a page of ten megabytes is read', () => {
  const paragraph = `${`${first} ${second} `.repeat(20)}</p>\n`
  const paragraphs = Array.from(
    { length: Math.ceil(10_000_000 / paragraph.length) },
    (_, at) => `<p>${at}. ${paragraph}`,
  )
  const text = extract(`<article>${paragraphs.join('')}</article>`)
  expect(text.length).toBeGreaterThan(9_900_000)
})

test('a page of a hundred thousand nodes is read', () => {
  const paragraph = `<p>${first}${' <b>Not so</b> bad,'.repeat(10)} I think.</p>`
  expect(extract(`${menu}<div class="content">${paragraph.repeat(10_000)}</div>`)).toContain('Not so bad, I think.')
})

test('pages crafted to be slow are read in time', () => {
  const long = 'x1 '.repeat(100_000)
  for (const html of [
    `<p>${'|'.repeat(300_000)}x`,
    `<pre>${' '.repeat(300_000)}x</pre>`,
    `<div class="${long}">${`<p>${first}</p>`.repeat(2_000)}</div>`,
    `${'<div style="color:red;margin:0">'.repeat(500)}${`<b style="color:#fff">${first}</b>`.repeat(2_000)}`,
    `<p style="${'a:b;'.repeat(50_000)}">${first}`,
    `<script type="application/ld+json">${'{"articleBody":"'.repeat(20_000)}</script>${'<table><tr><td>'.repeat(5_000)}`,
  ])
    expect(extract(html)).not.toMatch(/<[a-z]/)
})

test('megabytes of closing, open and unfinished tags are read in time', () => {
  for (const piece of ['</b>', '<b>', '<p', '<a href="', '<table>', '<a><div></a>', '&amp', '<!--'])
    expect(parseHtml(piece.repeat(500_000 / piece.length)).root.tag).toBe('html')
})

test('metadata of pages crafted to be slow is read in time', () => {
  const hostile = [
    '<div class="author byline date comment">'.repeat(15_000),
    '<footer><time>'.repeat(15_000),
    `<article>${'<footer class="meta">1.1.'.repeat(15_000)}`,
    `<title>a b</title>${'<h2>a b'.repeat(15_000)}`,
    '<meta name="author" content="Ada">'.repeat(15_000),
    `<h1>A b</h1><div>${'<i></i>1.1.2020 updated'.repeat(15_000)}</div>`,
    `<h1 class="${'date author '.repeat(15_000)}">A b</h1>`,
    `<h1>A b</h1><p class="author">${'By '.repeat(15_000)}`,
    '<script type="application/ld+json">{"@type":"Article"}</script>'.repeat(5000),
  ]
  for (const html of hostile)
    expect(Object.keys(readMetadata(parseHtml(html), { url }))).toEqual(['title', 'byline', 'publishedAt', 'lang'])
})

function extract(html: string): string {
  return extractPage(html, { url }).text
}
