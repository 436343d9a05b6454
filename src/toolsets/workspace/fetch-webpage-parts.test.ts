import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace } from '../../../test/helpers/open-workspace.ts'

/** What the server has, by its path. */
const contents = new Map<string, { type: string; body: string | Buffer }>()
const server = createServer(({ url = '' }, response) => {
  const { type, body } = contents.get(url)!
  response.writeHead(200, { 'content-type': type }).end(body)
})
const folder = mkdtempSync(join(tmpdir(), 'toolpact-test-'))
let workspace: ReturnType<typeof openWorkspace>
let origin = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  origin = `http://${host}`
  workspace = openWorkspace({ root: folder, web: { allowHosts: [host] } })
})

afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Fetches a page of this content. The text is without the line that reports the size; `SITE` is the origin. */
async function fetchOf(type: string, body: string | Buffer, input: object) {
  const path = `/page${contents.size}`
  contents.set(path, { type, body })
  const fetch = async (more: object = {}) => {
    const result = await workspace.call('fetch_webpage', { url: origin + path, ...input, ...more })
    const output = (result.success ? result.output : {}) as { output?: string; metadata?: { next_start?: number } }
    const text = (output.output ?? '').replace(/^Fetched.*\n?/m, '').replaceAll(origin, 'SITE')
    return { result, text, nextStart: output.metadata?.next_start }
  }
  return { ...(await fetch()), fetch }
}

const page =
  '<title>Tea *</title><nav><a href="/">Home</a></nav><h2>Green</h2><p>Boil <b>it</b>.<img src=/i.png alt=Cup></p><ol><li>one<li>two</ol>'

test.each<[input: object, text: string]>([
  [{}, 'Tea *\n\nHome\n\nGreen\n\nBoil it.\n\n1. one\n2. two'],
  [{ format: 'text' }, 'Tea *\n\nHome\n\nGreen\n\nBoil it.\n\n1. one\n2. two'],
  [{ format: 'text', links: 'inline' }, 'Tea *\n\nHome <SITE/>\n\nGreen\n\nBoil it.\n\n1. one\n2. two'],
  [{ links: 'list' }, 'Tea *\n\nHome\n\nGreen\n\nBoil it.\n\n1. one\n2. two\n\nLinks:\n\n- Home <SITE/>'],
  [{ links: 'none' }, 'Tea *\n\nHome\n\nGreen\n\nBoil it.\n\n1. one\n2. two'],
  [
    { format: 'markdown' },
    '# Tea \\*\n\n[Home](SITE/)\n\n## Green\n\nBoil **it**.![Cup](SITE/i.png)\n\n1. one\n2. two',
  ],
  [
    { format: 'markdown', links: 'auto' },
    '# Tea \\*\n\n[Home](SITE/)\n\n## Green\n\nBoil **it**.![Cup](SITE/i.png)\n\n1. one\n2. two',
  ],
  [
    { format: 'markdown', links: 'none' },
    '# Tea \\*\n\nHome\n\n## Green\n\nBoil **it**.![Cup](SITE/i.png)\n\n1. one\n2. two',
  ],
  [
    { format: 'markdown', links: 'list' },
    '# Tea \\*\n\nHome\n\n## Green\n\nBoil **it**.![Cup](SITE/i.png)\n\n1. one\n2. two\n\n## Links\n\n- [Home](SITE/)',
  ],
])('format and links: %j', async (input, text) => {
  expect((await fetchOf('text/html', page, input)).text).toBe(text)
})

test.each([
  ['JSON', 'application/json', '{"a": 1}'],
  ['plain text', 'text/plain', '# a *b*'],
])('%s stays as it is in Markdown', async (_, type, body) => {
  expect((await fetchOf(type, body, { format: 'markdown' })).text).toBe(body)
})

const long = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} has some words.`).join('\n\n')

test.each([100, 333, 1000])('max_length: parts of %i characters are the whole text', async (max_length) => {
  const { fetch, text, nextStart } = await fetchOf('text/plain', long, { max_length })
  expect(text.length).toBeLessThanOrEqual(max_length)
  let whole = text
  for (let start = nextStart; start !== undefined; ) {
    const part = await fetch({ start })
    whole += part.text
    start = part.nextStart
  }
  expect(whole).toBe(long)
})

test('start: beyond the text is a warning that reports the length', async () => {
  const { result } = await fetchOf('text/plain', 'Hello', { start: 5 })
  expect(result).toMatchObject({
    success: true,
    output: { metadata: { warnings: ['The text has only 5 characters: use a smaller start'] } },
  })
})

test.each([{ format: 'html' }, { links: 'all' }, { start: -1 }, { max_length: 99 }])(
  '%j is not accepted',
  async (input) => {
    expect((await fetchOf('text/plain', 'Hello', input)).result).toMatchObject({ error: { code: 'invalid_input' } })
  },
)

test('a large page is read in a thread, with the same result', async () => {
  const part = '<p>Some <b>words</b> and <a href=/x>a link</a>.</p>'
  const large = await fetchOf('text/html', part.repeat(20_000), { format: 'markdown', max_length: 100 })
  const small = await fetchOf('text/html', part.repeat(100), { format: 'markdown', max_length: 100 })
  expect(large.text).toBe(small.text)
  const undeclared = Buffer.from(`<html lang=ru><p>${'\xf7\xe0\xe9 '.repeat(80_000)}`, 'latin1')
  expect((await fetchOf('text/html', undeclared, { max_length: 100 })).text).toMatch(/^чай чай/)
})

test('binary content in a page is not shown, and a NUL in it is left out', async () => {
  expect((await fetchOf('text/html', 'a\0b', {})).text).toMatch(/^Warning/)
  expect((await fetchOf('text/html', '<p>T\0ea and some more words</p>', {})).text).toBe('Tea and some more words')
})
