import { createPublicKey } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openConsole } from '../../../test/helpers/open-console.ts'
import { defineEcho } from '../../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../../contract/define-toolset.ts'
import { openMemoryStorage } from '../../runtime/storage/memory/memory.ts'
import { verifyHere } from './web/proof/verify.ts'

const toolsets = [defineToolset('test', [defineEcho()])]
const hostile = '\u202e<img src=x onerror=alert(1)>\x7f\u200b'

async function prove(text = 'hi') {
  const { signIn, toolpact } = await openConsole({ toolsets })
  const { get } = await signIn('Ada', ['view'])
  const { callId } = await toolpact.call('test.echo', { text })
  const file = (await get(`calls/${callId}/proof`)).json.text as string
  const key = (await get('ledger/key')).json.publicKey as string
  return { get, toolpact, callId, file, key }
}

test('a proof seals the call, and the verifier of the page accepts it step by step', async () => {
  const { get, callId, file, key } = await prove()
  const { entries, checkpoint } = (await get(`calls/${callId}/seal`)).json
  expect(entries).toEqual([{ seq: 1, index: 0, isSealed: true }, { seq: 2, index: 1, isSealed: true }]) // biome-ignore format: one line
  expect(checkpoint).toMatchObject({ size: 2 })
  expect((await get('overview')).json.seal).toEqual({ ...checkpoint, isFailing: false })
  const { steps, verdict } = await verifyHere(file, key)
  expect(verdict).toMatchObject({ valid: true, kind: 'call', call: callId, size: 2 })
  const shown = (await get(`calls/${callId}`)).json.entries.map(({ hash }: { hash: string }) => hash)
  expect(steps.map(({ check, passed }) => [check, passed])).toEqual([['signature', true], ['inclusion', true], ['call', true], ['inclusion', true], ['call', true]]) // biome-ignore format: one line
  expect(steps.flatMap((step) => (step.check === 'inclusion' ? [step.hash] : []))).toEqual(shown)
})

test('verifying the ledger compares it with its checkpoints, as the command does', async () => {
  const { signIn, toolpact, stateDirectory } = await openConsole({ toolsets })
  const { get, post } = await signIn('Ada', ['view'])
  await toolpact.call('test.echo', { text: 'hi' })
  const intact = { intact: true, entries: 2, seal: { size: 2, checkpoints: 1, places: { compared: 0, failed: 0 } } }
  expect((await post('ledger/verify')).json).toMatchObject(intact)
  const database = new DatabaseSync(join(stateDirectory, 'toolpact.db'))
  database.exec('UPDATE ledger_tiles SET hashes = zeroblob(64)')
  database.close()
  expect((await post('ledger/verify')).json).toEqual({ intact: false, entries: 2, fault: expect.stringMatching(/tree|rewritten/), reason: expect.stringMatching(/\.$/) }) // biome-ignore format: one line
  expect((await get('overview')).json.ledger).toMatchObject({ verified: 'broken' })
  const { proof: _, ...storage } = openMemoryStorage()
  const unsealed = await openConsole({ toolsets, storage })
  expect((await (await unsealed.signIn('Ada', ['view'])).post('ledger/verify')).json).toMatchObject({ intact: true, seal: null }) // biome-ignore format: one line
})

test('hidden characters of a record arrive unchanged, in a file of ASCII', async () => {
  const { file, key } = await prove(hostile)
  expect(file).toMatch(/^[\n\x20-\x7e]*$/)
  const { verdict } = await verifyHere(file, key)
  expect(verdict.valid).toBe(true)
  expect(JSON.stringify(verdict)).toContain('\u202e')
})

test('a call that no checkpoint covers is not sealed', async () => {
  const { get, toolpact } = await prove()
  const { callId } = await toolpact.call('test.echo', { text: 'later' })
  const { entries, checkpoint } = (await get(`calls/${callId}/seal`)).json
  // The next checkpoint may have come in between.
  const [isSealed] = entries.map((entry: { isSealed: boolean }) => entry.isSealed)
  expect(isSealed).toBe(checkpoint.size > 2)
})

test('a changed record, another position, another call, a forged checkpoint and a foreign key are refused', async () => {
  const { file, key } = await prove()
  const other = await prove()
  const proof = JSON.parse(file)
  const change = (changes: object, entry: object = {}) =>
    JSON.stringify({ ...proof, ...changes, entries: proof.entries.map((one: object, n: number) => (n === 0 ? { ...one, ...entry } : one)) }) // biome-ignore format: one line
  const [first] = proof.entries
  for (const [wrong, reason] of [
    [change({}, { record: first.record.replace('hi', 'ho') }), /Entry 1 is not in the ledger/],
    [change({}, { index: 1 }), /Entry 1 is not in the ledger/],
    [change({ call: hostile }), /not a record of the call/],
    [change({ checkpoint: proof.checkpoint.replace('\n2\n', '\n3\n') }), /not signed by the given key/],
    [change({ checkpoint: hostile }), /malformed/],
    ['{}', /not a Toolpact proof file/],
    ['', /not a Toolpact proof file/],
  ] as const) {
    const { verdict, steps } = await verifyHere(wrong, key)
    expect(verdict).toMatchObject({ valid: false, reason: expect.stringMatching(reason) })
    expect(steps.slice(0, -1).every(({ passed }) => passed)).toBe(true)
  }
  expect(await verifyHere(file, other.key)).toMatchObject({ steps: [{ check: 'signature', passed: false }], verdict: { valid: false } }) // biome-ignore format: one line
})

test('keys are read as text, several of them, or in PEM', async () => {
  const { file, key } = await prove()
  const other = await prove()
  const raw = Buffer.from(key.split('+').slice(2).join('+'), 'base64').subarray(1)
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string
  for (const right of [key, `  ${key}\n`, `${other.key}\n\n${key}`, pem])
    expect((await verifyHere(file, right)).verdict.valid, right).toBe(true)
  const mangled = key.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
  for (const wrong of ['', hostile, mangled, `${key}\nx`, pem.replace(/[\w+/]{8}/, 'AAAAAAAA'), `${key}\n`.repeat(17)])
    expect((await verifyHere(file, wrong)).verdict.valid, wrong).toBe(false)
})

test('refuses what cannot be proven', async () => {
  const { get } = await prove()
  expect((await get('calls/unknown/seal')).json).toMatchObject({ status: 404, code: 'not_found' })
  expect((await get('calls/unknown/proof')).json).toMatchObject({ status: 404, code: 'not_found' })
  const { proof: _, ...storage } = openMemoryStorage()
  const bare = await openConsole({ toolsets, storage })
  const browser = await bare.signIn()
  expect((await browser.get('overview')).json).not.toHaveProperty('seal')
  for (const path of ['calls/x/seal', 'calls/x/proof', 'ledger/key'])
    expect((await browser.get(path)).json, path).toMatchObject({ code: 'not_found', detail: expect.stringContaining('does not seal') }) // biome-ignore format: one line
})
