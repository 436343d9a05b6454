import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { parseCheckpoint, toCheckpointText } from './checkpoint.ts'
import type { ProofStore, StoredCheckpoint } from './proof-store.ts'
import { findRoot } from './proofs.ts'
import { parseNote, toSignatureLine, type Verifier } from './signed-note.ts'
import { growTree, type Tree, tileWidth, toLeafHash, toRoot } from './tree.ts'
import { isSame } from './verify-tree.ts'

/** Signs checkpoints. The name of its key is the origin of the log. */
export interface Signer {
  readonly verifier: Verifier
  /** Whether its private key is kept with the ledger. Such a key never replaces another one. */
  readonly isLocal: boolean
  /** The Ed25519 signature of the text, which fits the verifier. */
  sign(text: string): Promise<Uint8Array>
}

/** How to seal. */
export interface SealOptions {
  /** Whether the checkpoint leaves this machine: then what it covers must not be lost in a power failure. */
  readonly durable: boolean
  /** Seals although another process has the lease: both then make the same checkpoint. */
  readonly ignoreLease?: boolean
}

/** What sealing needs. */
export interface Sealer {
  readonly store: ProofStore
  /** Loaded with the first seal: most processes that open a ledger never seal one. */
  readonly signer: () => Promise<Signer>
  /** Names this process, for the lease. */
  readonly holder: string
}

/** Leaves per extension, which takes a few milliseconds of this thread. */
export const leavesAtOnce = 1024
const leaseMs = 15_000

/** Adds all new entries to the tree and signs a checkpoint. Resolves with the newest; undefined if nothing is sealed yet. */
export async function seal(
  { store, signer, holder }: Sealer,
  { durable, ignoreLease = false }: SealOptions,
): Promise<StoredCheckpoint | undefined> {
  const now = Date.now()
  const isOurs = ignoreLease || (await store.lease(holder, { now, until: now + leaseMs }))
  const [last] = await store.checkpoints({ limit: 1 })
  if (!isOurs) return last
  const tree = await extendTree(store)
  if (tree.size === (last?.size ?? 0)) return last
  await requireContinued(store, tree, last)
  const { verifier, isLocal, sign } = await signer()
  if (isLocal && last && !isSignedBy(last, verifier))
    throw new ToolpactError('storage_unavailable', 'Earlier checkpoints were signed with a key that is not in the config. Name it under ledger.signing.') // biome-ignore format: one line
  const text = toCheckpointText(verifier.name, { size: tree.size, root: toRoot(tree) })
  const note = `${text}\n${toSignatureLine(verifier, await sign(text))}`
  const checkpoint = { size: tree.size, at: Date.now(), note }
  await store.addCheckpoint(checkpoint, { durable })
  return checkpoint
}

/** Adds all new entries to the tree, without signing. */
export async function extendTree(store: ProofStore): Promise<Tree> {
  for (;;) {
    const { tree, added } = await extendOnce(store)
    if (tree && added < leavesAtOnce) return tree
    await new Promise(setImmediate)
  }
}

/** Adds up to `leavesAtOnce` entries. Without a tree, another process was faster, and the next look starts from its tree. */
export async function extendOnce(store: ProofStore): Promise<{ tree: Tree | undefined; added: number }> {
  const tree = await store.tree()
  const leaves = await store.next(leavesAtOnce)
  if (leaves.length === 0) return { tree, added: 0 }
  const open = await readOpenTiles(store, tree)
  const grown = growTree(
    tree,
    leaves.map(({ hash }) => toLeafHash(hash)),
    (level) => open[level],
  )
  const isOurs = await store.extend({ from: tree.size, leaves, ...grown })
  return { tree: isOurs ? grown.tree : undefined, added: leaves.length }
}

/** The last tile of each level that is not full. */
async function readOpenTiles(store: ProofStore, { size }: Tree): Promise<(Uint8Array | undefined)[]> {
  const tiles: (Uint8Array | undefined)[] = []
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / tileWidth))
    tiles.push(count % tileWidth === 0 ? undefined : await store.tile(level, Math.floor(count / tileWidth)))
  return tiles
}

function isSignedBy({ note }: StoredCheckpoint, { name, keyId }: Verifier): boolean {
  return parseNote(note)?.signatures.some((signed) => signed.name === name && signed.keyId === keyId) ?? false
}

/** A log must never sign two checkpoints of which the later does not continue the earlier. */
async function requireContinued(store: ProofStore, tree: Tree, last: StoredCheckpoint | undefined): Promise<void> {
  const earlier = last && parseCheckpoint(last.note)
  if (!last || (earlier && tree.size > last.size && isSame(await findRoot(store.tile, last.size), earlier.root))) return
  throw new ToolpactError(
    'storage_unavailable',
    `The ledger does not continue its checkpoint of ${last.size} entries, so no further one is signed. Run toolpact ledger --verify --full.`,
  )
}
