import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../contract/json.ts'
import { toInlineImage } from './inline-image.ts'
import { showResult } from './show-result.ts'
import { type Line, type Terminal, toText } from './terminal.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1').toString('base64')

function show(output: JsonObject, more: object = {}): string[] {
  let text = ''
  const print = (...lines: readonly Line[]) => {
    for (const line of lines) text += `${toText({ isTTY: false } as NodeJS.WriteStream, line)}\n`
  }
  const terminal = { print, columns: 40 } as unknown as Terminal
  const result = { success: true, callId: 'c', tool: 'a.b', output, durationMs: 1, ...more } as const
  showResult(result, { terminal, workspace: '/w', waitedMs: 1234 })
  return text.trimEnd().split('\n')
}

const showBlocks = (...content: JsonObject[]) => show({ content }).slice(1, -1)

test('content is shown by its kind, indented below the name of the tool', () => {
  expect(show({ content: [{ type: 'text', text: 'Hello\nyou' }] }, { notes: { isError: 'missing', left: 3 } })).toEqual(
    ['✓ a.b', '  Hello', '  you', '  left: 3', '  Time: 1234ms'],
  )
  expect(showBlocks({ type: 'text', text: '## Part\n\n**strong** `code`' })).toEqual(['  Part', '', '  strong code'])
  expect(showBlocks({ type: 'text', text: '{"a":{"b":[1,2]}}' })).toEqual(['  a:', '    b: 1, 2'])
  const markdown = { uri: 'file:///a.md', mimeType: 'text/markdown', text: '_x_' }
  expect(showBlocks({ type: 'resource', resource: markdown })).toEqual(['  file:///a.md (text/markdown)', '  x'])
  const blob = { uri: 'a:b', mimeType: 'text/plain', blob: Buffer.from('bytes').toString('base64') }
  expect(showBlocks({ type: 'resource', resource: blob })).toEqual(['  a:b (text/plain)', '  bytes'])
  const link = { type: 'resource_link', uri: 'https://x.test/', name: 'n', title: 'T', mimeType: 'text/html', size: 1500 } // biome-ignore format: one line
  expect(showBlocks(link)).toEqual(['  → T (text/html, 1.5 kB)', '    https://x.test/'])
})

test('bytes are saved in a private file, under a name that is ours', () => {
  const rows = showBlocks(
    { type: 'image', data: png, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///../x.sh', mimeType: 'application/x-sh', blob: png } },
  )
  expect(rows).toEqual(['  Saved image/png, 17 bytes:', expect.stringMatching(/image-1\.png$/), '  file:///../x.sh (application/x-sh)', '  Saved application/x-sh, 17 bytes:', expect.stringMatching(/resource-2\.bin$/)]) // biome-ignore format: one line
  const path = rows[1]!.trim()
  onTestFinished(() => rmSync(dirname(path), { recursive: true }))
  expect(readFileSync(path).toString('base64')).toBe(png)
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('saved files of earlier days are removed', () => {
  const [old, recent] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'toolpact-saved-'))) as [string, string]
  writeFileSync(join(old, 'image-1.png'), '')
  const before = new Date(Date.now() - 2 * 86_400_000)
  utimesSync(old, before, before)
  const rows = showBlocks({ type: 'image', data: png, mimeType: 'image/png' })
  onTestFinished(() => {
    for (const folder of [dirname(rows[1]!.trim()), recent]) rmSync(folder, { recursive: true })
  })
  expect([old, recent].map(existsSync)).toEqual([false, true])
})

test('images use the protocol of the terminal, but not inside of tmux', () => {
  const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(4000)]).toString('base64')
  const kitty = toInlineImage(large, 'image/png', 80, { TERM: 'xterm-kitty' })!
  expect(kitty.match(/\x1b_G[^;]*;/g)).toEqual(['\x1b_Ga=T,f=100,q=2,c=80,m=1;', '\x1b_Gm=0;'])
  expect(toInlineImage(png, 'image/jpeg', 80, { TERM: 'xterm-kitty' })).toBeUndefined()
  const iterm = { TERM_PROGRAM: 'iTerm.app' }
  expect(toInlineImage(png, 'image/gif', 80, iterm)).toMatch(/^\x1b\]1337;File=inline=1;size=17;.*\x07$/)
  expect(toInlineImage(png, 'image/png', 80, { ...iterm, TMUX: '/tmp/x' })).toBeUndefined()
  expect(toInlineImage('AA\x1b]', 'image/png', 80, iterm)).toBeUndefined()
  expect(toInlineImage(png, 'image/png', 80, { TERM: 'xterm-256color' })).toBeUndefined()
})

test('structured output is shown as fields, lists and tables', () => {
  const people = [
    { name: 'Ada', age: 36 },
    { name: 'Bo', age: 7 },
  ]
  expect(
    show({ count: 2, title: 'A title', none: [], tags: ['a', 'b'], people, deep: { x: { y: null } } }).slice(1, -1),
  ).toEqual([
    // biome-ignore format: one line
    ...['  count: 2', '  title: A title', '  none:  []', '  tags:  a, b', '  people:'],
    ...['    name  age', '    ────  ───', '    Ada   36', '    Bo    7', '  deep:', '    x:', '      y: null'],
  ])
  expect(show({ rows: [{ of: ['a', 'b'] }, { of: [] }] }).slice(1, -1)).toEqual(['  rows:', '    of', '    ────', '    a, b', '    []']) // biome-ignore format: one line
  expect(show({ items: [{ a: 1 }, { b: [{ c: 'x\ny' }] }] }).slice(1, -1)).toEqual(['  items:', '    - a: 1', '    - b:', '        - c:', '            x', '            y']) // biome-ignore format: one line
  expect(show({ text: 'some words that are too long for one row' }).slice(1, -1)).toEqual(['  text:', '    some words that are too long for', '    one row']) // biome-ignore format: one line
})

test('text of the tool is wrapped and indented, with its files and the time that was waited', () => {
  const output = { success: true, output: 'Made it:\nwith words that go on and on and on\n', files_affected: ['a.txt'] }
  expect(show(output)).toEqual(['✓ Made it:', '  with words that go on and on and on', '  Location: /w/a.txt', '  Time: 1234ms']) // biome-ignore format: one line
  expect(show({ ...output, output: '\x1b[2J\u202e', success: false })[0]).toBe('✗ \\x1b[2J\\u{202e}')
})
