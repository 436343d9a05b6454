import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository } from '../../../test/helpers/open-repository.ts'

const open = (files: { [path: string]: string | Uint8Array } = {}) => openRepository('practitioner', { files })

test.each(['package.json', 'src/a/b.ts', '.git/config', '.claude/settings.json', 'a..b', 'keys', 'x.keys'])(
  'reads %s: any file of the repository',
  async (path) => {
    const { read, root, violations } = await open({ 'src/x': '', [path]: 'text\n' })
    utimesSync(join(root, path), 0, new Date('2026-01-09T10:00:00.250Z'))
    const result = await read(path)
    expect(result.success && result.output).toEqual({
      content: 'text\n',
      size: 5,
      modified: '2026-01-09T10:00:00.250Z',
    })
    expect(violations).toEqual([])
  },
)

test.each([
  ['text', Buffer.from('é\n')],
  ['bytes that are no text', Buffer.from([0, 1, 254, 255])],
  ['nothing', Buffer.alloc(0)],
])('reads %s as base64', async (_what, bytes) => {
  const { read } = await open({ file: bytes })
  const content = bytes.toString('base64')
  expect(await read('file', { encoding: 'base64' })).toMatchObject({
    success: true,
    output: { content, size: bytes.length },
  })
})

test('a file that is not text is refused as text, with the way to read it', async () => {
  const { read } = await open({ file: Buffer.from([255]) })
  for (const more of [{}, { encoding: 'utf-8' }])
    expect(await read('file', more)).toMatchObject({
      error: { code: 'not_text', status: 400, suggestion: 'Read it with the encoding base64.' },
    })
})

test('a blocked path gets the same answer whether it exists or not', async () => {
  const files = [
    ...['.env', '.env.local', 'a/.envrc', 'secrets/a', 'a/secrets/b/c', 'a/server.key', '.key', 'x.pem', 'a.pem/b'],
    ...['.ENV', 'a/.Env', 'Secrets/a', 'server.KEY', 'X.Pem', 'secrets./a', 'x.pem.'],
  ]
  const others = ['src/../.env', './a/../secrets/b', 'a//server.key', 'secrets/', 'SECRETS']
  const there = await open(Object.fromEntries(files.map((path) => [path, 'SECRET'])))
  const missing = await open()
  for (const path of [...files, ...others])
    for (const encoding of ['utf-8', 'base64']) {
      const [found, absent] = await Promise.all([there.read(path, { encoding }), missing.read(path, { encoding })])
      expect(found, path).toMatchObject({ success: false, error: { code: 'access_denied', status: 403 } })
      expect(!absent.success && absent.error).toEqual(!found.success && found.error)
    }
})

test('a link leads to no blocked file, however its name is spelled', async () => {
  const names = [
    '.env',
    'ſecrets/a',
    'ｓｅｃｒｅｔｓ/b',
    'x.\u212aEY',
    'cafe\u0301.pem',
    'caf\u00e9.PEM',
    'sec\u200crets/c',
  ]
  const { root, read } = await open(Object.fromEntries(names.map((name) => [name, 'SECRET'])))
  for (const [index, name] of names.entries()) {
    symlinkSync(name, join(root, `link-${index}`))
    expect(await read(`link-${index}`), name).toMatchObject({ error: { code: 'access_denied' } })
  }
})

test.each(['src/../README.md', 'src/..', './../x', 'a..b/../README.md'])(
  '%s has .. as a name, and is denied wherever it leads',
  async (path) => {
    const { read } = await open({ 'README.md': 'text', 'src/x': '', 'a..b/x': '' })
    expect(await read(path)).toMatchObject({ error: { code: 'access_denied', status: 403 } })
  },
)

test.each(['../x', '..', 'a/../../x', '/etc/passwd', '/'])('%s is outside, and denied like the rest', async (path) => {
  const { read } = await open({ 'a/b': '' })
  expect(await read(path)).toMatchObject({
    error: { code: 'access_denied', status: 403, message: 'This path is closed to the tool.' },
  })
})

test('an absolute path inside the repository is not a relative path', async () => {
  const { root, read } = await open({ file: 'x' })
  const result = await read(join(root, 'file'))
  expect(result).toMatchObject({ error: { code: 'access_denied' } })
  expect(JSON.stringify(!result.success && result.error)).not.toContain(root)
})

test('the state directory stays closed in a repository that holds it', async () => {
  const { read } = await openRepository('practitioner', { files: { 'state/ledger': 'x' }, state: 'state' })
  expect(await read('state/ledger')).toMatchObject({ error: { code: 'access_denied' } })
})

test('errors for missing files, folders and names that are too long', async () => {
  const { read } = await open({ 'a/b': '' })
  expect(await read('a/c')).toMatchObject({ error: { code: 'file_not_found', status: 404 } })
  expect(await read('a')).toMatchObject({ error: { code: 'not_a_file', status: 400 } })
  expect(await read('.')).toMatchObject({ error: { code: 'access_denied' } })
  for (const path of ['x'.repeat(256), 'x/'.repeat(3000)])
    expect(await read(path)).toMatchObject({
      error: { code: 'invalid_path', status: 400, message: 'This path cannot be used.' },
    })
})

test('a megabyte is read in both encodings, and not a byte more', async () => {
  const { read, violations } = await open({ most: '\u0001'.repeat(1_048_576), more: 'x'.repeat(1_048_577) })
  for (const encoding of ['utf-8', 'base64']) {
    expect(await read('most', { encoding })).toMatchObject({ success: true, output: { size: 1_048_576 } })
    expect(await read('more', { encoding })).toMatchObject({ error: { code: 'file_too_large', status: 413 } })
  }
  expect(violations).toEqual([])
})

const refused: [what: string, input: object, keyword: string][] = [
  ['another encoding', { path: 'a', encoding: 'latin1' }, 'enum'],
  ['an encoding that is null', { path: 'a', encoding: null }, 'type'],
  ['a space', { path: 'a b' }, 'pattern'],
  ['no path', { encoding: 'utf-8' }, 'required'],
  ['another key', { path: 'a', mode: 'r' }, 'additionalProperties'],
]

test('input that breaks the contract is refused', async () => {
  const { call } = await open({ a: '', 'docs/a': '' })
  for (const [what, input, keyword] of refused)
    expect(await call('read_repo_file', input), what).toMatchObject({
      error: { code: 'invalid_input', problems: expect.arrayContaining([expect.objectContaining({ keyword })]) },
    })
})
