import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { openMemoryStorage } from '../memory/memory.ts'
import { toIntent } from '../suite/records.ts'
import { maxProofEntries, verifyProofFile } from './proof-file.ts'
import type { ProvableEntry } from './proof-store.ts'
import { proveCall } from './prove.ts'
import { seal } from './sealer.ts'
import { toVerifier, toVerifierKey } from './signed-note.ts'

test('a proof holds as many records as its verifier accepts, and no more', async () => {
  const { ledger, proof, close } = openMemoryStorage()
  await Promise.all(
    Array.from({ length: maxProofEntries + 1 }, () => ledger.append(toIntent('run'), { durable: false })),
  )
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Uint8Array.from(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
  const verifier = await toVerifier('example.com/ledger', key)
  const signer = async () => ({ verifier, isLocal: true, sign: async (text: string) => sign(null, Buffer.from(text), privateKey) }) // biome-ignore format: one line
  await seal({ store: proof!, signer, holder: 'test' }, { durable: false })
  const entries = (await Promise.all((await ledger.read()).map((entry) => proof!.find(entry)))) as ProvableEntry[]
  const options = { entries, publicKey: toVerifierKey(verifier) }
  await expect(proveCall(proof!, 'run', options)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/at most 10000 records and 16 MB\. Prove the calls that it made/),
  })
  const made = await proveCall(proof!, 'run', { ...options, entries: entries.slice(1) })
  expect(await verifyProofFile(JSON.stringify(made, null, 2), [verifier])).toMatchObject({ valid: true })
  const large = { ...entries[0]!, text: 'é'.repeat(3_000_000) }
  await expect(proveCall(proof!, 'run', { ...options, entries: [large] })).rejects.toMatchObject({ code: 'too_large' })
  await close()
})
