import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '../../../test/helpers/open-repository.ts'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'

const open = (files: { [path: string]: string | Uint8Array } = {}) => openRepository('learning', { files })

test.each([
  ['docs/a.md', '# A\n'],
  ['docs/deep/er/b', ''],
  ['paths/Advanced/tracker.md', 'no line end'],
  ['stacks/python.md', 'a\r\nb\r\n'],
  ['.claude/memory/progress_log.jsonl', '{"type":"x"}\n'],
  ['README.md', 'é 👩‍🚀 李小龙\n'],
  ['CLAUDE.md', '\ufeffwith a byte order mark'],
])('reads %s exactly', async (path, content) => {
  const { read, violations } = await open({ [path]: content })
  const result = await read(path)
  expect(result.success && result.output).toEqual({ content, size: Buffer.byteLength(content) })
  expect(violations).toEqual([])
})

test('it needs no approval, and its contract declares what it may reach', async () => {
  const { read, asked } = await open({ 'docs/a': 'x' })
  expect(await read('./docs//a')).toMatchObject({ success: true })
  expect(asked).toEqual([])
})

test('a denied path gets the same answer whether it exists or not', async () => {
  const files = [
    ...['src/a.ts', 'package.json', 'x/README.md', 'docsx/a.md', '.claude/settings.json', 'DOCS/a.md', '.git/config'],
    ...['.env', 'docs/.env', 'docs/.env.local', 'docs/secrets/a', 'docs/SECRETS/a', 'docs/a/.git/config', 'docs/a..b'],
  ]
  const others = [
    '.claude',
    'docs',
    '.',
    'docs/secrets',
    'docs/../docs/a.md',
    '..',
    '../x',
    'docs/..',
    '/docs/a.md',
    '/etc/passwd',
  ]
  const there = await open(Object.fromEntries(files.map((path) => [path, 'SECRET'])))
  const missing = await open()
  for (const path of [...files, ...others]) {
    const [found, absent] = await Promise.all([there.read(path), missing.read(path)])
    expect(found, path).toMatchObject({
      success: false,
      error: {
        code: 'access_denied',
        status: 403,
        message: 'This path is closed to the tool.',
        suggestion: expect.stringContaining('docs/'),
      },
    })
    expect(!absent.success && absent.error).toEqual(!found.success && found.error)
  }
})

test('the real path is checked too: links lead only to allowed files', async () => {
  const { root, read } = await open({
    'docs/a.md': 'open',
    '.env': 'SECRET',
    'src/x.ts': 'SECRET',
    'docs/secrets/s': 'SECRET',
  })
  const outside = makeFolder()
  const links: [name: string, target: string][] = [
    ['environment', '../.env'],
    ['missing-environment', '../.env.missing'],
    ['source', '../src/x.ts'],
    ['missing-source', '../src/missing.ts'],
    ['folder', '../src'],
    ['missing-folder', '../missing'],
    ['inner', 'secrets/s'],
    ['missing-inner', 'secrets/missing'],
    ['twice', 'missing-inner'],
    ['outside', outside],
    ['missing-outside', join(outside, 'missing')],
  ]
  mkdirSync(join(root, 'paths'))
  for (const [name, target] of links) symlinkSync(target, join(root, 'docs', name))
  symlinkSync('../docs/a.md', join(root, 'paths/good'))
  const answers = await Promise.all(links.map(([name]) => read(`docs/${name}`)))
  const below = await Promise.all(['folder/x.ts', 'missing-folder/x', 'outside/x'].map((path) => read(`docs/${path}`)))
  const [first, ...rest] = [...answers, ...below].map((result) => !result.success && result.error)
  expect(first).toMatchObject({ code: 'access_denied', status: 403 })
  for (const error of rest) expect(error).toEqual(first)
  expect(await read('paths/good')).toMatchObject({ success: true, output: { content: 'open' } })
})

test('an allowed path that does not exist is not found', async () => {
  const { read } = await open({ 'docs/a.md': '' })
  for (const path of ['docs/b.md', 'docs/a.md/b', 'CLAUDE.md', 'docs/A.md'])
    expect(await read(path), path).toMatchObject({ error: { code: 'file_not_found', status: 404, fixable: true } })
})

test('a folder, a pipe and a symlink loop are not files', async () => {
  const { root, read } = await open({ 'docs/folder/a': '' })
  execFileSync('mkfifo', [join(root, 'docs/pipe')])
  symlinkSync('circle', join(root, 'docs/circle'))
  for (const path of ['docs/folder', 'docs/pipe'])
    expect(await read(path), path).toMatchObject({ error: { code: 'not_a_file', status: 400 } })
  expect(await read('docs/circle')).toMatchObject({ error: { code: 'invalid_path', status: 400 } })
})

test('a megabyte is read, and not a byte more', async () => {
  const { read, violations } = await open({
    'docs/most': '\u0001'.repeat(1_048_576),
    'docs/more': 'x'.repeat(1_048_577),
  })
  expect(await read('docs/most')).toMatchObject({ success: true, output: { size: 1_048_576 } })
  expect(await read('docs/more')).toMatchObject({
    error: { code: 'file_too_large', status: 413, suggestion: 'Read a smaller file.' },
  })
  expect(violations).toEqual([])
})

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62])],
  ['a character cut in half', Buffer.from('é').subarray(0, 1)],
  ['UTF-16', Buffer.from('\ufeffab', 'utf16le')],
  ['a NUL character', Buffer.from('a\0b')],
])('%s are no text', async (_what, bytes) => {
  const { read } = await open({ 'docs/a': bytes })
  expect(await read('docs/a')).toMatchObject({ error: { code: 'not_text', status: 400 } })
})

const refused: [what: string, input: object, keyword: string][] = [
  ['an empty path', { path: '' }, 'pattern'],
  ['a space', { path: 'docs/a b' }, 'pattern'],
  ['a letter beyond ASCII', { path: 'docs/ſecrets/a' }, 'pattern'],
  ['a backslash', { path: 'docs\\a' }, 'pattern'],
  ['a NUL character', { path: 'docs/a\0' }, 'pattern'],
  ['a line break at the end', { path: 'docs/a\n' }, 'pattern'],
  ['257 characters', { path: `docs/${'x'.repeat(252)}` }, 'maxLength'],
  ['a number', { path: 5 }, 'type'],
  ['no path', {}, 'required'],
  ['an encoding, which the other toolset has', { path: 'docs/a', encoding: 'utf-8' }, 'additionalProperties'],
]

test('input that breaks the contract is refused', async () => {
  const { call } = await open({ a: '', 'docs/a': '' })
  for (const [what, input, keyword] of refused)
    expect(await call('read_repo_file', input), what).toMatchObject({
      error: { code: 'invalid_input', problems: expect.arrayContaining([expect.objectContaining({ keyword })]) },
    })
})

test('256 characters are a path', async () => {
  const { read } = await open()
  const path = `docs/${'x'.repeat(120)}/${'y'.repeat(130)}`
  expect(path).toHaveLength(256)
  expect(await read(path)).toMatchObject({ error: { code: 'file_not_found' } })
})
