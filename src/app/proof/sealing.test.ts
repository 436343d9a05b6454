import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseCheckpoint } from '../../runtime/storage/proof/checkpoint.ts'
import { toVerifier, toVerifierKey, verifyNote } from '../../runtime/storage/proof/signed-note.ts'
import { openSqliteStorage } from '../../runtime/storage/sqlite/sqlite.ts'
import { toIntent } from '../../runtime/storage/suite/records.ts'
import { openToolpact } from '../app.ts'
import type { ConfigSource } from '../config/config.ts'
import type { ToolpactOptions } from '../toolpact.ts'
import { findVerifiers, openSigner } from './open-signer.ts'
import { withSealing } from './sealing.ts'

test('what was recorded is sealed when Toolpact is closed, with a key that only this user can read', async () => {
  const directory = makeFolder()
  await callOnce(directory)
  expect(statSync(join(directory, 'ledger-key.pem')).mode & 0o777).toBe(0o600)
  const [checkpoint] = await readCheckpoints(directory)
  expect(checkpoint!.size).toBe(2)
  await callOnce(directory)
  const both = await readCheckpoints(directory)
  expect(both.map(({ size }) => size)).toEqual([4, 2])
  const [{ verifier, isLocal }] = (await findVerifiers({
    signing: undefined,
    stateDirectory: directory,
    proof: { ledgerId: async () => both[0]!.origin.split('/').at(-1)! },
  })) as [{ verifier: never; isLocal: boolean }]
  expect(isLocal).toBe(true)
  for (const { note } of both) expect(await verifyNote(note, [verifier])).toHaveLength(1)
})

test('is sealed every few seconds while it is open, and not again without anything new', async () => {
  const directory = makeFolder()
  const storage = openSqliteStorage({ directory })
  const signer = () =>
    openSigner({ signing: undefined, stateDirectory: directory, proof: { ledgerId: async () => 'id' } })
  const sealed = withSealing(
    { ...storage, proof: storage.proof! },
    { signer, publisher: undefined, report: () => {}, everyMs: 20 },
  )
  const sizes = async () => (await storage.proof!.checkpoints({ limit: 10 })).map(({ size }) => size)
  await sealed.ledger.append(toIntent('1'), { durable: true })
  await vi.waitUntil(async () => (await sizes()).length === 1, { timeout: 60_000 })
  await sealed.ledger.append(toIntent('2'), { durable: false })
  await vi.waitUntil(async () => (await sizes()).length === 2, { timeout: 60_000 })
  const { at } = (await storage.proof!.checkpoints({ limit: 1 }))[0]!
  await sealed.close()
  expect((await readCheckpoints(directory)).map(({ size }) => size)).toEqual([2, 1])
  expect((await readStored(directory))[0]!.at).toBe(at)
})

test('while nothing is new it looks rarely, and what the process records then is sealed as soon as before', async () => {
  const directory = makeFolder()
  const storage = openSqliteStorage({ directory })
  const signer = () =>
    openSigner({ signing: undefined, stateDirectory: directory, proof: { ledgerId: async () => 'id' } })
  const looks = vi.spyOn(storage.proof!, 'checkpoints')
  const sealed = withSealing(
    { ...storage, proof: storage.proof! },
    { signer, publisher: undefined, report: () => {}, everyMs: 20, rarelyMs: 3_600_000 },
  )
  await vi.waitUntil(() => looks.mock.calls.length > 0)
  await sleep(200)
  expect(looks).toHaveBeenCalledOnce()
  await sealed.ledger.append(toIntent('1'), { durable: true })
  await vi.waitUntil(async () => (await storage.proof!.checkpoints({ limit: 10 })).length === 1, { timeout: 60_000 })
  await sealed.close()
})

test('short processes leave their entries to the next one while the last checkpoint is recent, and verifying seals first', async () => {
  const directory = makeFolder()
  const sizes = async () => (await readCheckpoints(directory)).map(({ size }) => size)
  await callOnce(directory, {}, { seal: 'due' })
  expect(await sizes()).toEqual([2])
  await callOnce(directory, {}, { seal: 'due' })
  await callOnce(directory, {}, { seal: 'due' })
  expect(await sizes()).toEqual([2])
  const reading = await openToolpact({ stateDirectory: directory, access: 'read' })
  expect(await reading.proof!.verify()).toMatchObject({ intact: true, seals: { newest: { size: 6 } } })
  await reading.close()
  expect(await sizes()).toEqual([6, 2])
  // An old checkpoint, or one from the future of a clock that was wrong.
  for (const ms of [-61_000, 61_000]) {
    setAge(directory, ms)
    await callOnce(directory, {}, { seal: 'due' })
  }
  expect(await sizes()).toEqual([10, 8, 6, 2])
  const file = join(makeFolder(), 'checkpoints')
  await callOnce(directory, { ledger: { checkpoints: [{ file }] } }, { seal: 'due' })
  expect(readFileSync(file, 'utf8')).toContain('\n12\n')
})

test('a key outside the state directory signs, and a process without it does not replace it', async () => {
  const directory = makeFolder()
  await callOnce(directory)
  const key = join(makeFolder(), 'key.pem')
  const { publicKey } = writeKey(key)
  const signing = { key, origin: 'example.com/ledger' }
  expect(await callOnce(directory, { ledger: { signing } })).toEqual([])
  const [checkpoint] = await readCheckpoints(directory)
  expect(checkpoint).toMatchObject({ origin: 'example.com/ledger', size: 4 })
  const verifier = await toVerifier('example.com/ledger', publicKey)
  expect(await verifyNote(checkpoint!.note, [verifier])).toHaveLength(1)
  expect(await callOnce(directory)).toEqual([expect.stringContaining('Name it under ledger.signing.')])
  expect((await readCheckpoints(directory))[0]!.size).toBe(4)
  await callOnce(directory, { ledger: { signing } })
  expect((await readCheckpoints(directory))[0]!.size).toBe(8)
})

test('a command signs, and a wrong, slow or missing one is reported while calls succeed', async () => {
  const directory = makeFolder()
  const folder = makeFolder()
  const { publicKey } = writeKey(join(folder, 'key.pem'))
  const program = join(folder, 'sign')
  writeFileSync(
    program,
    `#!${process.execPath}\nconst { readFileSync } = require('node:fs'), { sign } = require('node:crypto')\nconsole.log(sign(null, readFileSync(0), readFileSync(process.argv[2])).toString('base64'))\n`,
  )
  chmodSync(program, 0o700)
  const named = toVerifierKey(await toVerifier('example.com/hsm', publicKey))
  const config = (command: string[]) => ({ ledger: { signing: { command, publicKey: named } } })
  expect(await callOnce(directory, config([program, join(folder, 'key.pem')]))).toEqual([])
  const [checkpoint] = await readCheckpoints(directory)
  expect(await verifyNote(checkpoint!.note, [await toVerifier('example.com/hsm', publicKey)])).toHaveLength(1)
  writeKey(join(folder, 'other.pem'))
  for (const [command, why] of [
    [[program, join(folder, 'other.pem')], 'does not fit the public key'],
    [['false'], 'false in ledger.signing ended with exit code 1'],
    [['echo', 'AAAA'], 'echo in ledger.signing printed no Ed25519 signature'],
    [['no-such-program-here'], 'was not found'],
    [['yes'], 'printed too much'],
  ] as const)
    expect(await callOnce(directory, config([...command]))).toEqual([expect.stringContaining(why)])
  expect(await readCheckpoints(directory)).toHaveLength(1)
})

test.each([
  [{ key: 'key.pem', command: ['sign'] }, 'both key and command'],
  [{ command: ['sign'] }, 'needs publicKey'],
  [{ publicKey: `name+00000000+${'A'.repeat(44)}` }, 'publicKey is for a command'],
  [{ key: '/nowhere/key.pem' }, 'openssl genpkey'],
])('a signing setting that cannot be used is reported: %j', async (signing, why) => {
  expect(await callOnce(makeFolder(), { ledger: { signing } })).toEqual([expect.stringContaining(why)])
})

test('a key that others can read, or that is no Ed25519 key, is refused', async () => {
  const key = join(makeFolder(), 'key.pem')
  writeKey(key)
  chmodSync(key, 0o640)
  const open = () =>
    openSigner({ signing: { key }, stateDirectory: makeFolder(), proof: { ledgerId: async () => 'id' } })
  await expect(open()).rejects.toThrow(`Run chmod 600 ${key}`)
  chmodSync(key, 0o600)
  await open()
  writeFileSync(
    key,
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }),
  )
  await expect(open()).rejects.toThrow('is not an Ed25519 private key')
})

test('processes that need the first key at the same time share one', async () => {
  const directory = makeFolder()
  const signers = await Promise.all(
    [1, 2, 3].map(() =>
      openSigner({ signing: undefined, stateDirectory: directory, proof: { ledgerId: async () => 'id' } }),
    ),
  )
  expect(new Set(signers.map(({ verifier }) => verifier.keyId)).size).toBe(1)
  expect(readFileSync(join(directory, 'ledger-key.pem'), 'utf8')).toContain('PRIVATE KEY')
})

test('reading a state seals nothing and creates no key', async () => {
  const directory = makeFolder()
  const storage = openSqliteStorage({ directory })
  await storage.ledger.append(toIntent('1'), { durable: true })
  await storage.close()
  const toolpact = await openToolpact({ stateDirectory: directory, access: 'read' })
  await toolpact.ledger.verify()
  await toolpact.close()
  expect(existsSync(join(directory, 'ledger-key.pem'))).toBe(false)
  expect(await readCheckpoints(directory)).toEqual([])
})

/** Makes one call and returns what was reported. */
async function callOnce(
  directory: string,
  config: ConfigSource = {},
  options: ToolpactOptions = {},
): Promise<string[]> {
  const reports: string[] = []
  const onStorage = (message: string) => reports.push(message)
  const toolpact = await openToolpact({ stateDirectory: directory, config, onStorage, ...options })
  expect(await toolpact.call('learning.hello', { name: 'Ada' })).toMatchObject({ success: true })
  await toolpact.close()
  return reports
}

function setAge(directory: string, ms: number) {
  const database = new DatabaseSync(join(directory, 'toolpact.db'))
  database.prepare('UPDATE ledger_checkpoints SET at = ?').run(Date.now() + ms)
  database.close()
}

async function readStored(directory: string) {
  const { proof, close } = openSqliteStorage({ directory, access: 'read' })
  const stored = await proof!.checkpoints({ limit: 100 })
  await close()
  return stored
}

async function readCheckpoints(directory: string) {
  return (await readStored(directory)).map(({ note }) => parseCheckpoint(note)!)
}

function writeKey(path: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  return { publicKey: Uint8Array.from(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')) }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-sealing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
