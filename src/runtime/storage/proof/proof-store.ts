import type { LedgerEntry } from '../storage.ts'
import type { Tile, Tree } from './tree.ts'

/**
 * What a storage engine keeps to prove its ledger: the Merkle tree over all entries, and signed checkpoints of it. The sealer
 * (`sealer.ts`) decides what to store, the same for every engine. It never runs while a call waits.
 *
 * A tree position is given to an entry once and for all by `extend`. An engine whose entries have one order uses that order; one
 * with several writers chooses an order in `next`, and stores it with `extend`.
 */
export interface ProofStore {
  /** Identifies this ledger among others, as part of the name of its checkpoints. */
  ledgerId(): Promise<string>
  /** Takes the right to seal until `until`, or extends it. False while another holder has it. */
  lease(holder: string, times: { readonly now: number; readonly until: number }): Promise<boolean>
  tree(): Promise<Tree>
  /** Entries that are not in the tree, in the order in which they enter it: every one that was acknowledged before this call. */
  next(limit: number): Promise<readonly NewLeaf[]>
  /** Stores leaves and what they change, atomically. False if the tree has no longer `from` leaves; then nothing is stored. */
  extend(extension: TreeExtension): Promise<boolean>
  /** Hashes of sealed entries from a tree position on, in tree order. Archived entries at the start are left out. */
  hashes(from: number, limit: number): Promise<SealedHash[]>
  /** Hashes of one tile, as many as there are. */
  tile(level: number, index: number): Promise<Uint8Array | undefined>
  /**
   * Stores a checkpoint. If `durable`, it and every entry below it survive a power failure once this resolves. Of old ones an
   * engine may keep only the last of every hour.
   */
  addCheckpoint(checkpoint: StoredCheckpoint, options: { readonly durable: boolean }): Promise<void>
  /** Stored checkpoints, largest first. */
  checkpoints(query: CheckpointQuery): Promise<StoredCheckpoint[]>
  /** The exact text of an entry and its place in the tree; undefined if it was archived. */
  find(entry: Pick<LedgerEntry, 'seq'>): Promise<ProvableEntry | undefined>
  /** Checkpoints of other ledgers that were sent here to be kept. */
  readonly received: ReceivedCheckpoints
  /** Keeps the private key that signs if the config names none. Without it, that key is a file in the state directory. */
  readonly ownKey?: OwnKey
  /** `seq` of the entry before the first leaf: entries that were archived before there was a tree are not in it. */
  base(): Promise<number>
}

/** A private key that is created once and shared by all processes that use the storage. */
export interface OwnKey {
  /** In PEM; undefined before the first was kept. */
  read(): Promise<string | undefined>
  /** Keeps a key unless there is one already. Returns the kept one, which every process gets. */
  keep(pem: string): Promise<string>
}

/** An entry that is to enter the tree. Engines may add what they need to find it again. */
export interface NewLeaf {
  /** Of the entry, as 64 hex digits. */
  readonly hash: string
}

/** Checkpoints of other ledgers, by their origin. Old ones are thinned out as one's own are. */
export interface ReceivedCheckpoints {
  /** The largest one of a ledger. */
  latest(origin: string): Promise<ReceivedCheckpoint | undefined>
  /** False if there is another one of the same ledger and size. */
  add(checkpoint: ReceivedCheckpoint): Promise<boolean>
  /** Number of ledgers that a caller sends from. */
  count(caller: string): Promise<number>
}

/** A checkpoint of another ledger. */
export interface ReceivedCheckpoint extends StoredCheckpoint {
  readonly origin: string
  /** The public key that signed the first one, and every one since. */
  readonly key: string
  /** Who sent the first one. */
  readonly caller: string
}

/** An entry hash with its position in the tree. */
export interface SealedHash extends NewLeaf {
  readonly index: number
  readonly seq: number
}

/** New leaves and the tree with them. */
export interface TreeExtension {
  /** The number of leaves before. */
  readonly from: number
  /** As `next` returned them. */
  readonly leaves: readonly NewLeaf[]
  /** The tree with them. */
  readonly tree: Tree
  /** Tiles that are new or longer than before. */
  readonly tiles: readonly Tile[]
}

/** A signed statement about the size and the root of the tree. */
export interface StoredCheckpoint {
  readonly size: number
  /** Milliseconds since 1970. */
  readonly at: number
  /** The whole signed note. */
  readonly note: string
}

/** Selects checkpoints. */
export interface CheckpointQuery {
  /** Only smaller ones. */
  readonly below?: number
  /** Only larger ones. */
  readonly above?: number
  readonly limit: number
}

/** Everything that an inclusion proof says about an entry. Its hash is SHA-256 over `previous` and `text`. */
export interface ProvableEntry {
  readonly seq: number
  /** Position in the tree; the first leaf is 0. It may be beyond the tree if the entry is not sealed yet. */
  readonly index: number
  /** Hash of the entry before it, in hex. */
  readonly previous: string
  /** The record as stored. */
  readonly text: string
}

/** Checkpoints that are kept besides the last of every hour. */
export const recentCheckpoints = 1000
export const checkpointHourMs = 3_600_000
