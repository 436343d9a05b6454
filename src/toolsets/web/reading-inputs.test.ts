import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toPdf } from '../../../test/helpers/to-pdf.ts'
import { openToolpact } from '../../app/app.ts'
import type { Toolpact } from '../../app/toolpact.ts'

/** What the server has, by its path. */
const contents = new Map<string, { type: string; body: string | Uint8Array }>()
const server = createServer(({ url = '' }, response) => {
  const content = contents.get(url)
  if (content) response.writeHead(200, { 'content-type': content.type }).end(content.body)
  else response.writeHead(404).end()
})
let toolpact: Toolpact
let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `http://${host}`
  const config = { policy: { allowHosts: [host] } }
  toolpact = await openToolpact({ toolsets: ['web-fetch'], storage: 'memory', config })
})

afterAll(async () => {
  await toolpact.close()
  server.close()
})

/** Fetches a page of this content. `SITE` in expected texts is its origin. */
async function fetchOf(type: string, body: string | Uint8Array, input: object) {
  const path = `/dir/page${contents.size}`
  contents.set(path, { type, body })
  const fetch = async (more: object = {}) => {
    const result = await toolpact.call('web.fetch', { url: origin + path, ...input, ...more })
    const text = result.success ? String(result.output.clean_text).replaceAll(origin, 'SITE') : ''
    return { result, text, notes: result.success ? result.notes : undefined }
  }
  return { ...(await fetch()), fetch }
}

const words = 'Tea is made by pouring hot water over the leaves of the tea plant, and by waiting for some minutes.'
const page = (inside: string) =>
  `<html><body><article><h1>Tea</h1><p>${words}</p>${inside}<p>${words}</p></article></body></html>`

test.each<[what: string, inside: string, text: string, markdown: string]>([
  ['a heading', '<h2>Green</h2>', 'Green', '## Green'],
  ['a link', `<p>${words} <a href="../x">More</a></p>`, `${words} More`, `${words} [More](SITE/x)`],
  ['an image', `<p>${words} <img src="i.png" alt="A cup"></p>`, words, `${words} ![A cup](SITE/dir/i.png)`],
  ['code', '<pre class="language-sh">brew  tea</pre>', 'brew  tea', '```sh\nbrew  tea\n```'],
  ['a table', '<table><tr><th>a<th>b<tr><td>1<td></table>', 'a | b\n1 |', '| a | b |\n| --- | --- |\n| 1 |  |'],
  ['a quote', `<blockquote><p>They say: ${words}</p></blockquote>`, `They say: ${words}`, `> They say: ${words}`],
  [
    'a numbered list',
    `<ol start=4><li>${words}<li>${words}</ol>`,
    `4. ${words}\n5. ${words}`,
    `4. ${words}\n5. ${words}`,
  ],
  ['emphasis', `<p><b>${words}</b></p>`, words, `**${words}**`],
  ['signs that are markup', `<p># *${words}*</p>`, `# *${words}*`, `\\# \\*${words}\\*`],
  [
    'markup that would run',
    `<p>${words} <a href="javascript:x()">&lt;script&gt;</a></p>`,
    `${words} <script>`,
    `${words} \\<script>`,
  ],
])('format: %s', async (_, inside, text, markdown) => {
  const { fetch, ...plain } = await fetchOf('text/html', page(inside), {})
  expect(plain.text.split('\n\n')).toContain(text)
  expect((await fetch({ format: 'text' })).text).toBe(plain.text)
  expect((await fetch({ format: 'markdown' })).text.split('\n\n')).toContain(markdown)
})

test.each<[what: string, type: string, body: string | Uint8Array, markdown: string]>([
  ['JSON', 'application/json', '{"a":"```"}', '````json\n{\n  "a": "```"\n}\n````'],
  ['Markdown', 'text/markdown', '# Tea\n\n*Hot*', '# Tea\n\n*Hot*'],
  ['plain text', 'text/plain', '# Tea', '# Tea'],
  ['YAML', 'application/yaml', 'a: 1', '```yaml\na: 1\n```'],
  ['XML', 'text/xml', '<a>Tea</a>', '```xml\n<a>Tea</a>\n```'],
  ['a PDF', 'application/pdf', toPdf([['# Hot *water*.']]), '\\# Hot \\*water\\*.'],
  [
    'a feed',
    'application/rss+xml',
    '<rss><channel><title>Leaves *</title><item><title>Green</title><link>/green</link><pubDate>Tue, 04 Mar 2025 10:00:00 GMT</pubDate><description>&lt;b&gt;A&lt;/b&gt; one</description></item><item><title>Black</title><link>javascript:x</link></item></channel></rss>',
    '# Leaves \\*\n\n## [Green](SITE/green) (2025-03-04)\n\n**A** one\n\n## Black',
  ],
  ['a page without content', 'text/html', '<a href="/a">One</a>', '[One](SITE/a)'],
  [
    'a page that scripts fill',
    'text/html',
    `<div id=app></div><script type="application/ld+json">{"@type":"Article","articleBody":"${`* ${words} `.repeat(20)}"}</script>`,
    `\\* ${words} `.repeat(20).trim(),
  ],
])('format: %s as Markdown', async (_, type, body, markdown) => {
  expect((await fetchOf(type, body, { format: 'markdown' })).text).toBe(markdown)
})

const linked = page(`<p>${words} See <a href="/a">A</a> and <a href="b#c">B</a>, <a href="/a">again A</a>.</p>`)

test.each<[input: object, paragraph: string, last: string]>([
  [{}, `${words} See A and B, again A.`, words],
  [{ links: 'auto' }, `${words} See A and B, again A.`, words],
  [{ links: 'none' }, `${words} See A and B, again A.`, words],
  [{ links: 'inline' }, `${words} See A <SITE/a> and B <SITE/dir/b#c>, again A <SITE/a>.`, words],
  [{ links: 'list' }, `${words} See A and B, again A.`, '- A <SITE/a>\n- B <SITE/dir/b#c>'],
  [{ format: 'text', links: 'auto' }, `${words} See A and B, again A.`, words],
  [{ format: 'markdown' }, `${words} See [A](SITE/a) and [B](SITE/dir/b#c), [again A](SITE/a).`, words],
  [{ format: 'markdown', links: 'auto' }, `${words} See [A](SITE/a) and [B](SITE/dir/b#c), [again A](SITE/a).`, words],
  [
    { format: 'markdown', links: 'inline' },
    `${words} See [A](SITE/a) and [B](SITE/dir/b#c), [again A](SITE/a).`,
    words,
  ],
  [{ format: 'markdown', links: 'none' }, `${words} See A and B, again A.`, words],
  [{ format: 'markdown', links: 'list' }, `${words} See A and B, again A.`, '- [A](SITE/a)\n- [B](SITE/dir/b#c)'],
])('links: %j', async (input, paragraph, last) => {
  const paragraphs = (await fetchOf('text/html', linked, input)).text.split('\n\n')
  expect(paragraphs).toContain(paragraph)
  expect(paragraphs.at(-1)).toBe(last)
})

const long = Array.from({ length: 30 }, (_, at) => `${at}: ${words}`).join('\n\n')

test.each([100, 101, 150, 400, 1000, 1234, 2999])(
  'max_length: parts of %i characters are the whole text',
  async (max_length) => {
    const { fetch, text, notes } = await fetchOf('text/plain', long, { max_length })
    expect(text.length).toBeLessThanOrEqual(max_length)
    expect(notes).toEqual({ next_start: text.length, length: long.length })
    let whole = text
    for (let start = text.length; start < long.length; ) {
      const part = await fetch({ start })
      whole += part.text
      start = Number(part.notes?.next_start ?? long.length)
    }
    expect(whole).toBe(long)
  },
)

test.each<[what: string, input: object, text: string, notes: object | undefined]>([
  ['max_length: more than the text has', { max_length: 10_000 }, long, undefined],
  ['max_length: exactly as much as the text has', { max_length: long.length }, long, undefined],
  [
    'max_length: ends with a paragraph',
    { max_length: 250 },
    `0: ${words}\n\n1: ${words}\n\n`,
    { next_start: 208, length: long.length },
  ],
  ['start: the beginning', { start: 0 }, long, undefined],
  ['start: a paragraph', { start: 104 }, long.slice(104), undefined],
  ['start: any character', { start: 107 }, long.slice(107), undefined],
  ['start: the last character', { start: long.length - 1 }, '.', undefined],
  [
    'start: and max_length',
    { start: 104, max_length: 150 },
    `1: ${words}\n\n`,
    { next_start: 208, length: long.length },
  ],
  ['start: the last part', { start: long.length - 103, max_length: 150 }, `\n29: ${words}`.slice(-103), undefined],
])('%s', async (_, input, text, notes) => {
  const found = await fetchOf('text/plain', long, input)
  expect(found.text).toBe(text)
  expect(found.notes).toEqual(notes)
})

test.each<[what: string, type: string, body: string | Uint8Array, start: number, rest: string]>([
  ['Markdown', 'text/html', '<p>*Hot* water.', 2, 'Hot\\* water.'],
  ['JSON', 'application/json', '{"a":1}', 4, '"a": 1'],
  ['a PDF', 'application/pdf', toPdf([['Hot water.']]), 4, 'water.'],
  ['the middle of a character', 'text/plain; charset=utf-8', '🍵🍵', 1, '🍵🍵'],
])('start: %s', async (_, type, body, start, rest) => {
  const { text } = await fetchOf(type, body, { start, ...(type === 'text/html' && { format: 'markdown' }) })
  expect(text.startsWith(rest)).toBe(true)
})

test('start: beyond the text is an error that reports the length', async () => {
  for (const start of [5, 6, 1_000_000]) {
    const { result } = await fetchOf('text/plain', 'Hello', { start })
    expect(result).toMatchObject({
      error: {
        code: 'parse_failed',
        message: 'The text of the page has only 5 characters.',
        suggestion: expect.stringMatching(/below 5/),
      },
    })
  }
})

test.each([
  { format: 'html' },
  { format: null },
  { format: 'Markdown' },
  { links: 'all' },
  { links: true },
  { links: '' },
  { start: -1 },
  { start: 1.5 },
  { start: '5' },
  { start: 1e12 },
  { max_length: 0 },
  { max_length: 99 },
  { max_length: 10_000_001 },
  { max_length: '100' },
  { maxLength: 100 },
])('%j is not accepted', async (input) => {
  expect(await toolpact.call('web.fetch', { url: 'https://example.com/', ...input })).toMatchObject({
    success: false,
    error: { code: 'invalid_input' },
  })
})

test('the unprocessed page is complete beside a part of the text', async () => {
  const { result } = await fetchOf('text/plain', long, { max_length: 100, include_raw_html: true })
  expect(result).toMatchObject({ output: { raw_html: long } })
})

test('a NUL does not fail a page, and UTF-16 and undeclared encodings are read', async () => {
  expect((await fetchOf('text/html', '<p>T\0ea</p>', {})).text).toBe('Tea')
  expect((await fetchOf('text/html', Buffer.from('<p>Tea and more</p>', 'utf16le'), {})).text).toBe('Tea and more')
  const cyrillic = Buffer.from('<html lang=ru><p>\xf7\xe0\xe9', 'latin1')
  expect((await fetchOf('text/html', cyrillic, {})).text).toBe('чай')
})
