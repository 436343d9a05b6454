import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { parseCheckpoint } from '../proof/checkpoint.ts'
import { recentCheckpoints } from '../proof/proof-store.ts'
import { findRoot, proveConsistency, proveInclusion } from '../proof/proofs.ts'
import { extendTree, type Signer, seal } from '../proof/sealer.ts'
import { toVerifier, verifyNote } from '../proof/signed-note.ts'
import { toLeafHash, toRoot } from '../proof/tree.ts'
import { verifyConsistency, verifyInclusion } from '../proof/verify-tree.ts'
import type { Storage } from '../storage.ts'
import { expect } from './expect.ts'
import { toIntent } from './records.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests the Merkle tree over the ledger. Part of `testStorage`; an engine without `proof` passes. */
export function testProof({ describe, isShared }: SuiteParts) {
  describe('proof', (test) => {
    test('seals every entry once, and each checkpoint continues the one before', async (openNew) => {
      const storage = await openNew()
      const { ledger, proof } = storage
      if (!proof) return
      const signer = await makeSigner()
      const sealer = { store: proof, signer: async () => signer, holder: 'one' }
      expect(await seal(sealer, { durable: false })).toBeUndefined()
      const heads = []
      for (const count of [1, 2, 0, 300, 5]) {
        await append(storage, count)
        const { note, size } = (await seal(sealer, { durable: count === 5 }))!
        const checkpoint = parseCheckpoint(note)!
        expect(await verifyNote(checkpoint.note, [signer.verifier])).toEqual([signer.verifier])
        expect(checkpoint.size).toBe(size)
        heads.push(checkpoint)
      }
      expect(heads.map(({ size }) => size)).toEqual([1, 3, 3, 303, 308])
      const last = heads.at(-1)!
      for (const earlier of heads) {
        const consistency = await proveConsistency(proof.tile, earlier.size, last.size)
        expect(await verifyConsistency(earlier, last, consistency)).toBe(true)
      }
      for (const entry of await ledger.read()) {
        const { index } = (await proof.find(entry))!
        const inclusion = await proveInclusion(proof.tile, index, last.size)
        expect(await verifyInclusion(toLeafHash(entry.hash), { index, ...last, proof: inclusion })).toBe(true)
      }
      const hashes = await proof.hashes(1, 2)
      const [, second, third] = await ledger.read({ first: 3 })
      expect(hashes).toEqual([second, third].map((entry, index) => ({ index: index + 1, seq: entry!.seq, hash: entry!.hash }))) // biome-ignore format: one line
      expect((await proof.hashes(300, 100)).length).toBe(8)
      expect((await proof.checkpoints({ limit: 10 })).map(({ size }) => size)).toEqual([308, 303, 3, 1])
      expect((await proof.checkpoints({ below: 303, above: 1, limit: 10 })).map(({ size }) => size)).toEqual([3])
    })

    test('continues the tree after the storage was opened again', async (openNew) => {
      const name = `${Math.random()}`
      const storage = await openNew(name)
      if (!storage.proof || !isShared) return
      await append(storage, 3)
      const before = await extendTree(storage.proof)
      const again = await openNew(name)
      await append(again, 2)
      const { size } = await extendTree(again.proof!)
      expect(size).toBe(5)
      expect(await findRoot(again.proof!.tile, 3)).toEqual(toRoot(before))
    })

    test('gives the right to seal to one holder at a time, until it ends', async (openNew) => {
      const { proof } = await openNew()
      if (!proof) return
      expect(await proof.lease('one', { now: 1000, until: 2000 })).toBe(true)
      expect(await proof.lease('two', { now: 1500, until: 2500 })).toBe(false)
      expect(await proof.lease('one', { now: 1500, until: 2500 })).toBe(true)
      expect(await proof.lease('two', { now: 2499, until: 3499 })).toBe(false)
      expect(await proof.lease('two', { now: 2500, until: 3500 })).toBe(true)
      expect(await proof.lease('one', { now: 2600, until: 3600 })).toBe(false)
    })

    test('stores an extension only if the tree is as it was', async (openNew) => {
      const storage = await openNew()
      const { proof } = storage
      if (!proof) return
      await append(storage, 2)
      const leaves = await proof.next(10)
      expect(leaves.length).toBe(2)
      const tree = await extendTree(proof)
      expect(await proof.extend({ from: 0, leaves, tree: { size: 0, frontier: [] }, tiles: [] })).toBe(false)
      expect(await proof.tree()).toEqual(tree)
      expect(await proof.next(10)).toEqual([])
    })

    test('makes one tree if two seal at once', async (openNew) => {
      const storage = await openNew()
      const { ledger, proof } = storage
      if (!proof) return
      const signer = await makeSigner()
      for (let round = 0; round < 5; round++) {
        await append(storage, 20)
        await Promise.all(
          ['one', 'two'].map((holder) =>
            seal({ store: proof, signer: async () => signer, holder }, { durable: false, ignoreLease: true }),
          ),
        )
      }
      const entries = await ledger.read()
      const { size, root } = parseCheckpoint((await proof.checkpoints({ limit: 1 }))[0]!.note)!
      expect(size).toBe(entries.length)
      for (const entry of entries) {
        const { index } = (await proof.find(entry))!
        const inclusion = await proveInclusion(proof.tile, index, size)
        expect(await verifyInclusion(toLeafHash(entry.hash), { index, size, root, proof: inclusion })).toBe(true)
      }
    })

    test('keeps checkpoints of other ledgers apart, and no second one of the same size', async (openNew) => {
      const { proof } = await openNew()
      if (!proof) return
      const { received } = proof
      const one = { origin: 'one', size: 3, at: 1, note: 'note', key: 'key', caller: 'ada' }
      expect(await received.latest('one')).toBeUndefined()
      expect(await received.add(one)).toBe(true)
      expect(await received.add(one)).toBe(true)
      expect(await received.add({ ...one, note: 'other' })).toBe(false)
      expect(await received.add({ ...one, size: 5 })).toBe(true)
      expect(await received.add({ ...one, size: 4 })).toBe(true)
      expect(await received.add({ ...one, origin: 'two' })).toBe(true)
      expect(await received.latest('one')).toEqual({ ...one, size: 5 })
      expect(await received.count('ada')).toBe(2)
      expect(await received.count('bob')).toBe(0)
      expect(await proof.checkpoints({ limit: 10 })).toEqual([])
    })

    test('keeps recent checkpoints, and of older ones the last of every hour', async (openNew) => {
      const { proof } = await openNew()
      if (!proof) return
      const minute = 60_000
      for (let size = 1; size <= recentCheckpoints + 180; size++)
        await proof.addCheckpoint({ size, at: size * minute, note: `${size}` }, { durable: false })
      const kept = (await proof.checkpoints({ limit: 10_000 })).map(({ size }) => size)
      expect(kept.length).toBe(recentCheckpoints + 3)
      expect(kept.slice(-4)).toEqual([181, 179, 119, 59])
    })
  })
}

async function append({ ledger }: Storage, count: number) {
  for (let index = 0; index < count; index++) await ledger.append(toIntent(`${Math.random()}`), { durable: false })
}

async function makeSigner(): Promise<Signer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url')
  const key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const verifier = await toVerifier('suite.example/ledger', Uint8Array.from(raw))
  return { verifier, isLocal: false, sign: async (text) => sign(null, Buffer.from(text), key) }
}
