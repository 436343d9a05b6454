import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { openVault } from './open-vault.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolpact-vault-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

let made = 0
const newState = () => join(folder, `state-${made++}`)
const open = (settings?: object, isShared = false, stateDirectory = newState()) =>
  openVault({ settings: settings as never, stateDirectory, isShared })

function writeKey(mode = 0o600, text = randomBytes(32).toString('base64')): string {
  const path = join(folder, `key-${made++}`)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

test('a key in the state directory is created once, for this user only', async () => {
  const state = newState()
  const vaults = await Promise.all([open(undefined, false, state), open(undefined, false, state)])
  expect(vaults[1]!.open(vaults[0]!.seal({ a: 1 }, 'x'), 'x')).toEqual({ a: 1 })
  if (process.platform !== 'win32') expect(statSync(join(state, 'vault.key')).mode & 0o777).toBe(0o600)
  expect(Buffer.from(readFileSync(join(state, 'vault.key'), 'utf8'), 'base64')).toHaveLength(32)
})

test('servers that share a database store nothing without a common key', async () => {
  await expect(open(undefined, true)).rejects.toThrow(/need a common key\. Set TOOLPACT_VAULT_KEY/)
  vi.stubEnv('TOOLPACT_VAULT_KEY', randomBytes(32).toString('hex'))
  const sealed = (await open(undefined, true)).seal({ a: 1 }, 'x')
  expect((await open(undefined, true)).open(sealed, 'x')).toEqual({ a: 1 })
})

test('a key comes from a file, a variable or a program', async () => {
  const keyFile = writeKey()
  const text = readFileSync(keyFile, 'utf8')
  vi.stubEnv('MY_KEY', text)
  const sealed = (await open({ keyFile })).seal({ a: 1 }, 'x')
  expect((await open({ keyEnv: 'MY_KEY' })).open(sealed, 'x')).toEqual({ a: 1 })
  const keyCommand = [process.execPath, '-e', `console.log(${JSON.stringify(text)})`]
  expect((await open({ keyCommand })).open(sealed, 'x')).toEqual({ a: 1 })
})

test('a key that was replaced still opens what it sealed', async () => {
  const [before, now] = [writeKey(), writeKey()]
  const sealed = (await open({ keyFile: before })).seal({ a: 1 }, 'x')
  const rotated = await open({ keyFile: now, formerKeyFiles: [before] })
  expect(rotated.open(sealed, 'x')).toEqual({ a: 1 })
  expect(rotated.isStale(sealed)).toBe(true)
  expect((await open({ keyFile: now })).open(sealed, 'x')).toBeUndefined()
})

test.each<[what: string, settings: () => object, message: RegExp]>([
  ['can be read by others', () => ({ keyFile: writeKey(0o644) }), /can be read by others\. Run chmod 600/],
  [
    'does not exist',
    () => ({ keyFile: join(folder, 'none') }),
    /cannot be read \(ENOENT\)\. Make one with: openssl rand/,
  ],
  ['is too short', () => ({ keyFile: writeKey(0o600, 'c2hvcnQ=') }), /does not have 32 bytes in base64/],
  [
    'is in no variable',
    () => ({ keyEnv: 'NO_SUCH_VARIABLE' }),
    /variable NO_SUCH_VARIABLE of vault\.keyEnv is not set/,
  ],
  [
    'comes from a program that fails',
    () => ({ keyCommand: [process.execPath, '-e', 'console.log("secret"); process.exit(3)'] }),
    /vault\.keyCommand failed \(3\)/,
  ],
  ['comes from no program', () => ({ keyCommand: [join(folder, 'no-program')] }), /failed \(ENOENT\)/],
  ['is named twice', () => ({ keyFile: writeKey(), keyEnv: 'X' }), /names more than one key/],
])('a key that %s is refused with what to do', async (_what, settings, message) => {
  // biome-ignore format: one line
  const opening = open(settings())
  await expect(opening).rejects.toThrow(message)
  await expect(opening).rejects.not.toThrow(/secret/)
})
