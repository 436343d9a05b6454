import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseCheckpoint, parseCheckpoints, toCheckpointText } from './checkpoint.ts'
import {
  fromBase64,
  parseNote,
  parseVerifierKey,
  toCosigned,
  toSignatureLine,
  toVerifier,
  toVerifierKey,
  verifyNote,
} from './signed-note.ts'

/** The example of the specification. */
const key = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'
const example = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`

test('verifies the example of the specification', async () => {
  const verifier = (await parseVerifierKey(key))!
  expect(toVerifierKey(verifier)).toBe(key)
  expect(await verifyNote(parseNote(example)!, [verifier])).toEqual([verifier])
  const changed = parseNote(example.replace('example message', 'exemple message'))!
  expect(await verifyNote(changed, [verifier])).toEqual([])
})

test('ignores signatures of unknown keys, and trusts nothing if one of a known key is wrong', async () => {
  const verifier = (await parseVerifierKey(key))!
  const { note, other } = await makeNote('text\n')
  expect(await verifyNote(note, [verifier])).toEqual([])
  expect(await verifyNote(note, [other, verifier])).toEqual([other])
  const forged = parseNote(`text\n\n${toSignatureLine(verifier, new Uint8Array(64))}`)!
  const both = { ...note, signatures: [...note.signatures, ...forged.signatures] }
  expect(await verifyNote(both, [other, verifier])).toEqual([])
  expect(await verifyNote(both, [other])).toEqual([other])
})

test('verifies the time of a witness with its signature', async () => {
  const { privateKey, publicKey } = makeKeys()
  const witness = await toVerifier('witness.example/w1', publicKey, 'cosignature')
  const seconds = 1_679_315_147n
  const time = new Uint8Array(8)
  new DataView(time.buffer).setBigUint64(0, seconds)
  const signature = sign(null, Buffer.from(toCosigned('text\n', seconds)), privateKey)
  const note = (times: Uint8Array) =>
    parseNote(`text\n\n${toSignatureLine(witness, Buffer.concat([times, signature]))}`)!
  expect(await verifyNote(note(time), [witness])).toEqual([witness])
  expect(await verifyNote(note(new Uint8Array(8)), [witness])).toEqual([])
  expect(await parseVerifierKey(toVerifierKey(witness))).toEqual(witness)
})

test.each([
  '',
  'text',
  'text\n',
  'text\n\n',
  'text\n\n— name\n',
  'text\n\n- name AAAAAAAA\n',
  'text\n\n— name AAAAAAAA',
  'text\n\n— na+me AAAAAAAA\n',
  'text\n\n— name AAAAAA\n',
  'text\n\n— name AAAA\n',
  'text\n\n— name AAAAAAAA more\n',
  'text\n\n— name AAAAAAAB=\n',
  'te\u0000xt\n\n— name AAAAAAAA\n',
  'te\rxt\n\n— name AAAAAAAA\n',
  'te\ud800xt\n\n— name AAAAAAAA\n',
  `${'x'.repeat(70_000)}\n\n— name AAAAAAAA\n`,
  `text\n\n${'— name AAAAAAAA\n'.repeat(65)}`,
])('refuses a malformed note: %j', (note) => {
  expect(parseNote(note)).toBeUndefined()
})

test.each([
  'x',
  'name+530d903a',
  key.replace('530d903a', '530d903b'),
  key.replace('+Ae', '+Be'),
  key.replace('example.com/foo', 'example.com/bar'),
  key.slice(0, -4),
])('refuses a key that is not one: %s', async (text) => {
  expect(await parseVerifierKey(text)).toBeUndefined()
})

test('decodes only what standard base64 encodes', () => {
  expect(fromBase64('AAE=')).toEqual(Uint8Array.of(0, 1))
  for (const text of ['AAF=', 'AAE', 'AA E', 'AA-_', 'A', '====']) expect(fromBase64(text)).toBeUndefined()
})

test('reads a checkpoint, and refuses what is almost one', () => {
  const root = new Uint8Array(32).fill(7)
  const text = toCheckpointText('example.com/log', { size: 20_852_163, root })
  const checkpoint = (body: string) => parseCheckpoint(`${body}\n— example.com/log AAAAAAAA\n`)
  expect(checkpoint(text)).toMatchObject({ origin: 'example.com/log', size: 20_852_163, root })
  expect(checkpoint(`${text}extension\n`)).toMatchObject({ size: 20_852_163 })
  for (const wrong of [
    text.replace('20852163', '020852163'),
    text.replace('20852163', '-1'),
    text.replace('20852163', '1e3'),
    text.replace('20852163', '99999999999999999999'),
    text.replace('Bwc', 'Bw'),
    `\n${text}`,
    `${text}\nmore\n`,
    'example.com/log\n1\n',
  ])
    expect(checkpoint(wrong)).toBeUndefined()
})

test('reads a file of checkpoints, with any number of signatures', () => {
  const one = (size: number, lines: number) =>
    `${toCheckpointText('log', { size, root: new Uint8Array(32) })}\n${'— log AAAAAAAA\n'.repeat(lines)}`
  expect(parseCheckpoints(one(1, 1) + one(2, 3) + one(3, 1))?.map(({ size }) => size)).toEqual([1, 2, 3])
  expect(parseCheckpoints(`${one(1, 1)}more\n`)).toBeUndefined()
  expect(parseCheckpoints('')).toBeUndefined()
})

async function makeNote(text: string) {
  const { privateKey, publicKey } = makeKeys()
  const other = await toVerifier('example.com/other', publicKey)
  const signature = sign(null, Buffer.from(text), privateKey)
  return { note: parseNote(`${text}\n${toSignatureLine(other, signature)}`)!, other }
}

function makeKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'jwk' }).x!
  return { privateKey: createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })), publicKey: Uint8Array.from(Buffer.from(raw, 'base64url')) } // biome-ignore format: one line
}
