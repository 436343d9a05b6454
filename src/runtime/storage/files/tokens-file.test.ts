import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // biome-ignore format: one line
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { StateError } from '../../../state/state-error.ts'
import { hashToken } from '../tokens.ts'
import { openStateFiles } from './state-files.ts'

const root = mkdtempSync(join(tmpdir(), 'toolpact-tokens-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0
function openNew() {
  const directory = join(root, `${directories++}`)
  const { tokens } = openStateFiles(() => directory)
  return { directory, path: join(directory, 'tokens.json'), tokens }
}

const plain = `toolpact_${'x'.repeat(43)}`
const old = { caller: 'local', token: plain, createdAt: '2026-01-01T00:00:00.000Z' }
const valid = { caller: 'local', hash: hashToken(plain), prefix: 'toolpact_xxxx', createdAt: old.createdAt }

test('there are no tokens without a file, and looking makes none', async () => {
  const { directory, tokens } = openNew()
  expect(await tokens.load()).toEqual([])
  expect(await tokens.lastUses()).toEqual({})
  expect(tokens.version()).toBeUndefined()
  expect(existsSync(directory)).toBe(false)
})

test('neither the token nor anything of it but the first characters is in any file', async () => {
  const { directory, tokens } = openNew()
  const { token, id } = await tokens.create('local')
  await tokens.noteUses({ [id]: new Date().toISOString() })
  await tokens.rotate([id], { overlapMs: 1000 })
  const all = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'))
  expect(all.join()).toContain(token.slice(0, 13))
  expect(all.join()).not.toContain(token.slice(13))
  expect(readdirSync(directory).sort()).toEqual(['token-uses.json', 'tokens.json', 'tokens.json.lock'])
})

test('tokens of an older version stay valid, and their text is gone with the first look', async () => {
  const { directory, path, tokens } = openNew()
  mkdirSync(directory, { mode: 0o700 })
  writeFileSync(path, JSON.stringify({ version: 1, tokens: [old, { ...old, caller: 'ci', token: `${plain}y` }] }), { mode: 0o600 }) // biome-ignore format: one line
  expect(await tokens.load()).toEqual([valid, { ...valid, caller: 'ci', hash: hashToken(`${plain}y`) }])
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain(plain)
  expect(JSON.parse(text)).toMatchObject({ version: 2, tokens: [valid, { caller: 'ci' }] })
  const version = tokens.version()
  expect(await tokens.load()).toHaveLength(2)
  expect(tokens.version()).toBe(version)
})

test('a process that is killed while it replaces them loses no token', async () => {
  const { directory, path, tokens } = openNew()
  mkdirSync(directory, { mode: 0o700 })
  const all = Array.from({ length: 500 }, (_, index) => ({ ...old, caller: `c${index}`, token: `${plain}${index}` }))
  const program = `
    const { openStateFiles } = await import(${JSON.stringify(new URL('./state-files.ts', import.meta.url).href)})
    console.log('ready')
    await openStateFiles(() => ${JSON.stringify(directory)}).tokens.load()`
  for (const delay of [0, 1, 2, 4, 8]) {
    writeFileSync(path, JSON.stringify({ version: 1, tokens: all }), { mode: 0o600 })
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    await new Promise((resolve) => setTimeout(resolve, delay))
    child.kill('SIGKILL')
    await once(child, 'close')
    expect((await tokens.load()).map(({ hash }) => hash)).toEqual(all.map(({ token }) => hashToken(token)))
    expect(readFileSync(path, 'utf8')).not.toContain(plain)
  }
})

test.skipIf(process.platform === 'win32')('only this user can read the files and enter the directory', async () => {
  const { directory, path, tokens } = openNew()
  const { id } = await tokens.create('local')
  await tokens.noteUses({ [id]: old.createdAt })
  for (const file of [path, join(directory, 'token-uses.json')]) expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(directory).mode & 0o777).toBe(0o700)
})

test.skipIf(process.platform === 'win32')('tokens that others may read, write or replace are not used', async () => {
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    const { path, tokens } = openNew()
    const { id } = await tokens.create('local')
    chmodSync(path, mode)
    await expect(tokens.load()).rejects.toThrow(/chmod/)
    await expect(tokens.create('local')).rejects.toThrow(StateError)
    await expect(tokens.rotate([id])).rejects.toThrow(StateError)
  }
  const open = openNew()
  await open.tokens.create('local')
  chmodSync(open.directory, 0o777)
  await expect(open.tokens.load()).rejects.toThrow(/may be written by others/)
  const linked = openNew()
  mkdirSync(linked.directory, { mode: 0o700 })
  symlinkSync(open.path, linked.path)
  await expect(linked.tokens.load()).rejects.toThrow(/symbolic link/)
})

const toFile = (token: object) => JSON.stringify({ version: 2, tokens: [{ ...valid, ...token }] })

test.each([
  ['{', /is not valid/],
  ['"x"', /is no object/],
  ['{"version":3,"tokens":[]}', /knows version 2/],
  ['{"version":2}', /no list 'tokens'/],
  ['{"version":2,"tokens":[],"more":1}', /'more'/],
  ['{"version":2,"tokens":[1]}', /a token 1 that is no object/],
  [JSON.stringify({ version: 1, tokens: [{ ...old, token: 'short' }] }), /no valid 'token' in token 1/],
  [JSON.stringify({ version: 1, tokens: [{ ...old, token: 7 }] }), /no valid 'token'/],
  [JSON.stringify({ version: 1, tokens: [old, { ...old, caller: 'ci' }] }), /the same token twice/],
  [JSON.stringify({ version: 2, tokens: [valid, valid] }), /the same token twice/],
  [toFile({ hash: '' }), /no valid 'hash'/],
  [toFile({ hash: `${valid.hash}x` }), /no valid 'hash'/],
  [toFile({ caller: 'a b' }), /no valid 'caller'/],
  [toFile({ prefix: plain }), /no valid 'prefix'/],
  [toFile({ token: plain }), /'token' in token 1/],
  [toFile({ expiresAt: 'tomorrow' }), /no valid 'expiresAt'/],
  [toFile({ expiresAt: null }), /no valid 'expiresAt'/],
  [toFile({ expiresAt: '2026-13-99T00:00:00Z' }), /no valid 'expiresAt'/],
  [toFile({ scope: null }), /no valid 'scope'/],
  [toFile({ scope: [] }), /no valid 'scope'/],
  [toFile({ scope: { readonly: true } }), /no valid 'scope'/],
  [toFile({ scope: { readOnly: 'yes' } }), /no valid 'scope'/],
  [toFile({ scope: { toolsets: 'files' } }), /no valid 'scope'/],
  [toFile({ scope: { toolsets: [1] } }), /no valid 'scope'/],
  [toFile({ label: '\u001b[31m' }), /no valid 'label'/],
])('%s is refused and left as it is', async (text, fault) => {
  const { directory, path, tokens } = openNew()
  mkdirSync(directory, { mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
  await expect(tokens.load()).rejects.toThrow(fault)
  await expect(tokens.create('ci')).rejects.toThrow(StateError)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test.each(['', '{', '[]', '{"x":1}', 'null', '{"000000000000":7}'])(
  'times of use that are broken (%s) are forgotten',
  async (text) => {
    const { directory, tokens } = openNew()
    const { id } = await tokens.create('ada')
    writeFileSync(join(directory, 'token-uses.json'), text, { mode: 0o600 })
    expect(await tokens.lastUses()).toEqual({})
    await tokens.noteUses({ [id]: old.createdAt })
    expect(await tokens.lastUses()).toEqual({ [id]: old.createdAt })
  },
)

test('a token that expired long ago is dropped with the next change, a recent one is kept', async () => {
  const { tokens } = openNew()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await tokens.create('long', { expiresAt: ago(31) })
  await tokens.create('recent', { expiresAt: ago(29) })
  await tokens.create('new')
  expect((await tokens.load()).map(({ caller }) => caller)).toEqual(['recent', 'new'])
})

test('a rotated token lives as long as the one before, and an overlap never makes an old one live longer', async () => {
  const { tokens } = openNew()
  const hour = 3_600_000
  const first = await tokens.create('ci', { expiresAt: new Date(Date.now() + hour).toISOString() })
  const next = await tokens.rotate([first.id], { overlapMs: 2 * hour })
  expect((await tokens.load())[0]!.expiresAt).toBe(first.expiresAt)
  expect(Math.abs(Date.parse(next!.expiresAt!) - Date.parse(next!.createdAt) - hour)).toBeLessThan(5000)
})
