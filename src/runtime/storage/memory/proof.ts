import { randomBytes } from 'node:crypto'
import { chainStart, type StoredEntry } from '../ledger-chain.ts'
import {
  checkpointHourMs,
  type ProofStore,
  type ReceivedCheckpoint,
  recentCheckpoints,
  type StoredCheckpoint,
} from '../proof/proof-store.ts'
import { emptyTree, type Tree } from '../proof/tree.ts'

/** The tree and its checkpoints in memory, over the entries of the ledger. */
export function openMemoryProof(entries: readonly StoredEntry[], mustBeOpen: () => void): ProofStore {
  const id = randomBytes(16).toString('hex')
  const tiles = new Map<string, Uint8Array>()
  let checkpoints: StoredCheckpoint[] = []
  const received = new Map<string, ReceivedCheckpoint[]>()
  let tree: Tree = emptyTree
  let lease = { holder: '', until: 0 }

  return {
    async ledgerId() {
      mustBeOpen()
      return id
    },
    async lease(holder, { now, until }) {
      mustBeOpen()
      if (lease.holder !== holder && lease.until > now) return false
      lease = { holder, until }
      return true
    },
    async tree() {
      mustBeOpen()
      return tree
    },
    async next(limit) {
      mustBeOpen()
      return entries.slice(tree.size, tree.size + limit)
    },
    async extend(extension) {
      mustBeOpen()
      if (tree.size !== extension.from) return false
      for (const { level, index, hashes } of extension.tiles) tiles.set(`${level}/${index}`, hashes)
      tree = extension.tree
      return true
    },
    async hashes(from, limit) {
      mustBeOpen()
      const sealed = entries.slice(from, Math.min(from + limit, tree.size))
      return sealed.map(({ seq, hash }) => ({ index: seq - 1, seq, hash }))
    },
    async tile(level, index) {
      mustBeOpen()
      return tiles.get(`${level}/${index}`)
    },
    async addCheckpoint(checkpoint) {
      mustBeOpen()
      const others = checkpoints.filter(({ size }) => size !== checkpoint.size)
      checkpoints = thin([...others, checkpoint].sort((one, other) => other.size - one.size))
    },
    async checkpoints({ below = Number.POSITIVE_INFINITY, above = -1, limit }) {
      mustBeOpen()
      return checkpoints.filter(({ size }) => size < below && size > above).slice(0, limit)
    },
    async find({ seq }) {
      mustBeOpen()
      const entry = entries[seq - 1]
      return entry && { seq, index: seq - 1, previous: entries[seq - 2]?.hash ?? chainStart.hash, text: entry.text }
    },
    received: {
      async latest(origin) {
        mustBeOpen()
        return received.get(origin)?.[0]
      },
      async add(checkpoint) {
        mustBeOpen()
        const all = received.get(checkpoint.origin) ?? []
        const same = all.find(({ size }) => size === checkpoint.size)
        if (same) return same.note === checkpoint.note
        received.set(checkpoint.origin, thin([...all, checkpoint].sort((one, other) => other.size - one.size)))
        return true
      },
      async count(caller) {
        mustBeOpen()
        return [...received.values()].filter((all) => all[0]!.caller === caller).length
      },
    },
    async base() {
      mustBeOpen()
      return 0
    },
  }
}

function thin<Stored extends StoredCheckpoint>(checkpoints: readonly Stored[]): Stored[] {
  const toHour = (index: number) => Math.floor(checkpoints[index]!.at / checkpointHourMs)
  return checkpoints.filter((_, index) => index < recentCheckpoints || toHour(index) !== toHour(index - 1))
}
