import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileVersion } from '../../../state/file-version.ts'
import { StateError } from '../../../state/state-error.ts'
import { openTokensFile } from './tokens-file.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-tokens-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
function openNew() {
  const directory = join(root, `${directories++}`)
  const file = openTokensFile({ directory })
  return { directory, ...file, version: () => fileVersion(file.path) }
}

test('there are no tokens without a file, and looking makes none', () => {
  const { directory, load, version } = openNew()
  expect(load()).toEqual([])
  expect(version()).toBeUndefined()
  expect(existsSync(directory)).toBe(false)
})

test('a token is made once, long and random, and stays the same', async () => {
  const { load, ensure } = openNew()
  const first = await ensure('local')
  expect(first).toMatchObject({ caller: 'local', isNew: true })
  expect(first.token).toMatch(/^toolpact_[\w-]{43}$/)
  expect(await ensure('local')).toEqual({ ...first, isNew: false })
  const other = await ensure('ci')
  expect(other.token).not.toBe(first.token)
  expect(load().map(({ caller }) => caller)).toEqual(['local', 'ci'])
})

test('a token is rotated and removed, each time under another version', async () => {
  const { load, ensure, rotate, remove, version } = openNew()
  const before = await ensure('local')
  await ensure('ci')
  const versions = new Set([version()])
  const after = await rotate('local')
  expect(after?.token).not.toBe(before.token)
  versions.add(version())
  expect(load().map(({ caller, token }) => ({ caller, old: token === before.token }))).toEqual([
    { caller: 'local', old: false },
    { caller: 'ci', old: false },
  ])
  expect(await remove('ci')).toBe(true)
  versions.add(version())
  expect(versions.size).toBe(3)
  expect(await remove('ci')).toBe(false)
  expect(await rotate('ci')).toBeUndefined()
  expect(versions.has(version())).toBe(true)
})

test('many at once make one token for a caller, and lose none of other callers', async () => {
  const { directory, load } = openNew()
  const names = Array.from({ length: 12 }, (_, index) => `caller-${index % 6}`)
  const made = await Promise.all(names.map((name) => openTokensFile({ directory }).ensure(name)))
  const tokens = load()
  expect(tokens).toHaveLength(6)
  for (const { caller, token } of made) expect(tokens.find((known) => known.caller === caller)?.token).toBe(token)
  expect(readdirSync(directory).sort()).toEqual(['tokens.json', 'tokens.json.lock'])
})

test.skipIf(process.platform === 'win32')('only this user can read the file and enter the directory', async () => {
  const { directory, path, ensure } = openNew()
  await ensure('local')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test.skipIf(process.platform === 'win32')('tokens that others may read, write or replace are not used', async () => {
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    const { path, load, ensure, rotate } = openNew()
    await ensure('local')
    chmodSync(path, mode)
    expect(load).toThrow(StateError)
    expect(load).toThrow(/chmod/)
    await expect(ensure('local')).rejects.toThrow(StateError)
    await expect(rotate('local')).rejects.toThrow(StateError)
  }
  const open = openNew()
  await open.ensure('local')
  chmodSync(open.directory, 0o777)
  expect(open.load).toThrow(/may be written by others/)
  const linked = openNew()
  mkdirSync(linked.directory, { mode: 0o700 })
  symlinkSync(open.path, linked.path)
  expect(linked.load).toThrow(/symbolic link/)
})

test('a file that is broken, or from a later version, is refused and left as it is', async () => {
  const token = `toolpact_${'x'.repeat(43)}`
  const valid = { caller: 'local', token, createdAt: '2026-01-01T00:00:00.000Z' }
  for (const [text, fault] of [
    ['{', /is not valid/],
    ['[]', /is no object/],
    ['{"version":2,"tokens":[]}', /knows version 1/],
    ['{"version":1}', /no list 'tokens'/],
    ['{"version":1,"tokens":[],"more":1}', /'more'/],
    [JSON.stringify({ version: 1, tokens: [{ ...valid, token: '' }] }), /no valid 'token' in token 1/],
    [JSON.stringify({ version: 1, tokens: [{ ...valid, token: 'short' }] }), /no valid 'token'/],
    [JSON.stringify({ version: 1, tokens: [{ ...valid, caller: 'a b' }] }), /no valid 'caller'/],
    [JSON.stringify({ version: 1, tokens: [valid, { ...valid, caller: 'ci' }] }), /the same token twice/],
    [JSON.stringify({ version: 1, tokens: [valid, { ...valid, token: `${token}y` }] }), /the same caller twice/],
    [JSON.stringify({ version: 1, tokens: [{ ...valid, tool: 'x' }] }), /'tool' in token 1/],
  ] as const) {
    const { directory, path, load, ensure } = openNew()
    mkdirSync(directory, { mode: 0o700 })
    writeFileSync(path, text, { mode: 0o600 })
    expect(load, text).toThrow(fault)
    await expect(ensure('ci')).rejects.toThrow(StateError)
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
})
