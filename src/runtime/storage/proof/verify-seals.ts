import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import type { ProofStore, SealedHash, StoredCheckpoint } from './proof-store.ts'
import { findRoot, findTree, MissingTileError } from './proofs.ts'
import { type Verifier, verifyNote } from './signed-note.ts'
import { growTree, hashBytes, type Tree, tileWidth, toLeafHash, toRoot } from './tree.ts'
import { isSame } from './verify-tree.ts'

/**
 * `truncated`: entries that a checkpoint covers are missing. `rewritten`: the entries are not those that a checkpoint covers.
 * `signature`: a checkpoint is not signed by a known key. `tree`: the stored hashes contradict each other.
 */
interface SealFault {
  readonly fault: 'truncated' | 'rewritten' | 'signature' | 'tree'
  readonly reason: string
}

export interface SealVerdict {
  readonly faults: readonly SealFault[]
  /** Entries in the tree. */
  readonly sealed: number
  /** Checkpoints that were compared with the entries, those kept elsewhere included. */
  readonly checkpoints: number
  /** The newest that is stored here. */
  readonly newest: (Pick<Checkpoint, 'origin' | 'size'> & { readonly at: number; readonly note: string }) | null
  /** Entries up to here were verified before, and only their place in the tree was checked again. */
  readonly from: number
  /** Names and ids of the keys that signed. */
  readonly keys: readonly string[]
}

export interface SealsToVerify {
  readonly store: ProofStore
  readonly verifiers: readonly Verifier[]
  /** Checkpoints that were kept elsewhere, and where. */
  readonly kept: readonly { readonly place: string; readonly checkpoint: Checkpoint }[]
  /** A checkpoint that an earlier verification ended with. */
  readonly verified?: Checkpoint | undefined
  /** `seq` of the newest entry. */
  readonly lastSeq: number
}

const pageSize = 16 * tileWidth
const maxFaults = 5

/** Compares the entries with the stored tree, and both with every checkpoint. Does not read the texts of entries. */
export async function verifySeals({ store, verifiers, kept, verified, lastSeq }: SealsToVerify): Promise<SealVerdict> {
  const faults: SealFault[] = []
  const keys = new Set<string>()
  const stored = await store.tree()
  const base = await store.base()
  const own = await readAll(store, verified?.size ?? -1)
  const known: { place: string; checkpoint: Checkpoint }[] = []
  for (const { size, note } of own) {
    const checkpoint = parseCheckpoint(note)
    if (checkpoint?.size === size) known.push({ place: 'the database', checkpoint })
    else add('signature', `The checkpoint of ${size} entries in the database is not one.`)
  }
  known.push(...kept)
  const signed = await keepSigned(known)
  const tree = await walk(signed.map(({ checkpoint }) => checkpoint.size))
  const newest = own[0] ?? (await store.checkpoints({ limit: 1 }))[0]
  const origin = newest && parseCheckpoint(newest.note)?.origin
  return {
    faults,
    sealed: tree,
    checkpoints: signed.length,
    newest: newest && origin !== undefined ? { origin, size: newest.size, at: newest.at, note: newest.note } : null,
    from: verified?.size ?? 0,
    keys: [...keys],
  }

  function add(fault: SealFault['fault'], reason: string) {
    if (faults.length < maxFaults) faults.push({ fault, reason })
  }

  function addRewritten(place: string, size: number) {
    add('rewritten', `The first ${size} entries are not those that the checkpoint in ${place} covers: the history was rewritten.`) // biome-ignore format: one line
  }

  async function keepSigned(checkpoints: typeof known) {
    const good: typeof known = []
    for (const { place, checkpoint } of checkpoints) {
      const by = await verifyNote(checkpoint.note, verifiers)
      for (const { name, keyId } of by) keys.add(`${name}+${keyId}`)
      if (by.length > 0) good.push({ place, checkpoint })
      else add('signature', `The checkpoint of ${checkpoint.size} entries in ${place} is not signed by a key that is known here: it was forged, or the key belongs under ledger.signing.formerKeys.`) // biome-ignore format: one line
    }
    return good.sort((one, other) => one.checkpoint.size - other.checkpoint.size)
  }

  /** Follows the leaves through all sizes at which a checkpoint was signed. Returns the number of leaves. */
  async function walk(sizes: readonly number[]): Promise<number> {
    const start = verified ? await findTree(store.tile, verified.size).catch(toMissing) : { size: 0, frontier: [] }
    if (!start) return 0
    if (verified && !isSame(toRoot(start), verified.root)) {
      add('rewritten', `The first ${verified.size} entries are not those that were verified before.`)
      return stored.size
    }
    let tree: Tree = start
    for (const { place, checkpoint } of signed)
      if (checkpoint.size < start.size && !isSame(await findRoot(store.tile, checkpoint.size), checkpoint.root))
        addRewritten(place, checkpoint.size)
    const stops = [...sizes.filter((size) => size >= start.size && size <= stored.size), stored.size]
    for (const stop of stops) {
      while (tree.size < stop) {
        const end = Math.min(stop, (Math.floor(tree.size / pageSize) + 1) * pageSize)
        const leaves = await readLeaves(tree.size, end)
        if (!leaves) return stored.size
        tree = growTree(tree, leaves, () => undefined).tree
      }
      for (const { place, checkpoint } of signed)
        if (checkpoint.size === stop && !isSame(toRoot(tree), checkpoint.root)) addRewritten(place, stop)
      if (faults.length >= maxFaults) break
    }
    for (const { place, checkpoint } of signed)
      if (checkpoint.size > stored.size)
        add('truncated', `The checkpoint in ${place} covers ${checkpoint.size} entries, and the ledger has ${stored.size} sealed ones: it was truncated or rolled back.`) // biome-ignore format: one line
    if (base + stored.size > lastSeq)
      add('truncated', `${base + stored.size} entries were sealed, and the ledger ends with entry ${lastSeq}: it was truncated.`) // biome-ignore format: one line
    const isWhole = stored.frontier.length === tree.frontier.length && isSame(toRoot(stored), toRoot(tree))
    if (tree.size === stored.size && !isWhole) add('tree', 'The stored head of the tree does not fit its leaves.')
    return stored.size
  }

  /** The leaves as the tree has them, each compared with its entry, unless that was archived. */
  async function readLeaves(from: number, to: number): Promise<Uint8Array[] | undefined> {
    const leaves: Uint8Array[] = []
    for (let index = from; index < to; ) {
      const tile = await store.tile(0, Math.floor(index / tileWidth))
      const end = Math.min(to, (Math.floor(index / tileWidth) + 1) * tileWidth)
      if (!tile || tile.length < (((end - 1) % tileWidth) + 1) * hashBytes) {
        add('tree', `The tree has no hashes of entries ${base + index + 1} to ${base + end}.`)
        return undefined
      }
      for (; index < end; index++) leaves.push(tile.subarray((index % tileWidth) * hashBytes, ((index % tileWidth) + 1) * hashBytes)) // biome-ignore format: one line
    }
    // If the first ones are archived, the answer goes beyond these leaves.
    const entries = (await store.hashes(from, to - from)).filter(({ index }) => index < to)
    return compare(leaves, from, entries) ? leaves : undefined
  }

  function compare(leaves: readonly Uint8Array[], from: number, entries: readonly SealedHash[]): boolean {
    const first = entries[0]?.index ?? from + leaves.length
    // Entries at the start may be archived, none in between can be missing.
    const last = from + leaves.length - 1
    const isComplete = entries.length === last - first + 1 || entries.length === 0
    const other = entries.find(({ index, hash }) => !isSame(toLeafHash(hash), leaves[index - from]!))
    if (other) add('rewritten', `Entry ${other.seq} is not the one that was sealed.`)
    else if (!isComplete)
      add('truncated', `Sealed entries are missing between entries ${base + from + 1} and ${base + last + 1}.`)
    return !other && isComplete
  }

  function toMissing(error: unknown): undefined {
    if (!(error instanceof MissingTileError)) throw error
    add('tree', error.message)
    return undefined
  }
}

/** Stored checkpoints above a size, largest first. */
async function readAll(store: ProofStore, above: number): Promise<StoredCheckpoint[]> {
  const all: StoredCheckpoint[] = []
  for (;;) {
    const below = all.at(-1)?.size
    const page = await store.checkpoints({ limit: 1000, above, ...(below !== undefined && { below }) })
    all.push(...page)
    if (page.length < 1000) return all
  }
}
