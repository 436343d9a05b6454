import { parseCheckpoint } from '../../src/runtime/storage/proof/checkpoint.ts'
import type { SealedHash } from '../../src/runtime/storage/proof/proof-store.ts'
import { toBase64 } from '../../src/runtime/storage/proof/signed-note.ts'
import type { LedgerEntry, LedgerVerdict } from '../../src/runtime/storage/storage.ts'

/** A use of a limit that was granted, between these two moments of the true time. */
interface Grant {
  readonly key: string
  readonly from: number
  readonly to: number
}

/** What replicas were told. Whatever happens to them, these answers must stay true. */
export class History {
  /** Ids of acknowledged records, in the order in which each replica was told. */
  readonly acknowledged = new Map<string, string[]>()
  readonly grants: Grant[] = []
  /** Number of calls that were given an approval, by its id. */
  readonly uses = new Map<string, number>()
  /** Number of calls that were told to run, by idempotency key. */
  readonly claims = new Map<string, number>()
  /** Different replies that were returned, by idempotency key. */
  readonly replies = new Map<string, Set<string>>()
  /** Number of replicas that were told to run a task, by its id. */
  readonly owners = new Map<string, number>()
  /** Checkpoints that were signed. */
  readonly checkpoints = new Set<string>()
  failures = 0

  acknowledge(replica: string, id: string) {
    const before = this.acknowledged.get(replica)
    if (before) before.push(id)
    else this.acknowledged.set(replica, [id])
  }

  static count(counts: Map<string, number>, key: string) {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

export interface Limit {
  readonly count: number
  readonly windowMs: number
}

/** What the storage holds at the end. */
interface Audit {
  readonly entries: readonly LedgerEntry[]
  readonly verdict: LedgerVerdict
  readonly limits: ReadonlyMap<string, Limit>
  /** Why the last entries could not be sealed; undefined if they were. */
  readonly sealFault: string | undefined
  /** Hashes in the Merkle tree. */
  readonly sealed: readonly SealedHash[]
  /** The root of the tree over its first entries, by their number. */
  readonly rootAt: ReadonlyMap<number, string>
}

/** Every promise that was broken. */
export function findBroken(history: History, audit: Audit): string[] {
  const twice = (counts: ReadonlyMap<string, number>, toText: (key: string, count: number) => string) =>
    [...counts].filter(([, count]) => count > 1).map(([key, count]) => toText(key, count))
  return [
    ...findLost(history, audit.entries),
    ...(audit.verdict.intact ? [] : [`the ledger does not verify: ${audit.verdict.reason}`]),
    ...findUnsealed(history, audit),
    ...[...audit.limits].flatMap(([key, limit]) => findExceeded(history, key, limit)),
    ...twice(history.uses, (id, count) => `the approval ${id} was used ${count} times`),
    ...twice(history.claims, (key, count) => `the idempotency key ${key} ran ${count} times`),
    ...twice(history.owners, (id, count) => `the task ${id} had ${count} owners`),
    ...[...history.replies].filter(([, all]) => all.size > 1).map(([key]) => `the idempotency key ${key} has several replies`), // biome-ignore format: one line
  ]
}

/** Entries outside the tree, and checkpoints that the tree does not continue. */
function findUnsealed({ checkpoints }: History, { entries, sealFault, sealed, rootAt }: Audit): string[] {
  const inTree = new Set(sealed.map(({ hash }) => hash))
  const outside = entries.filter(({ hash }) => !inTree.has(hash))
  const forked = [...checkpoints].map((note) => parseCheckpoint(note)!).filter(({ size, root }) => rootAt.get(size) !== toBase64(root)) // biome-ignore format: one line
  return [
    ...(sealFault === undefined ? [] : [`the ledger cannot be sealed: ${sealFault}`]),
    ...(outside.length > 0
      ? [`${outside.length} entries are not in the tree, such as ${outside[0]!.record.callId}`]
      : []),
    ...forked.map(({ size }) => `the tree does not continue the checkpoint of ${size} entries`),
  ]
}

/** Acknowledged records that are missing, there twice, or out of order. */
function findLost({ acknowledged }: History, entries: readonly LedgerEntry[]): string[] {
  const places = new Map<string, number[]>()
  for (const { seq, record } of entries) places.set(record.callId, [...(places.get(record.callId) ?? []), seq])
  const broken: string[] = []
  for (const [replica, ids] of acknowledged) {
    let last = 0
    for (const id of ids) {
      const found = places.get(id) ?? []
      if (found.length !== 1) broken.push(`the acknowledged record ${id} is in the ledger ${found.length} times`)
      else if (found[0]! < last) broken.push(`the record ${id} of ${replica} is before an older one`)
      last = found[0] ?? last
    }
  }
  return broken
}

/** Grants that lie within one window for certain, although it is not known when exactly each was made. */
function findExceeded({ grants }: History, key: string, { count, windowMs }: Limit): string[] {
  const own = grants.filter((grant) => grant.key === key).sort((a, b) => a.to - b.to)
  for (const { from } of own) {
    const within = own.filter((grant) => grant.from >= from && grant.to < from + windowMs)
    if (within.length > count) return [`the limit ${key} of ${count} was exceeded: ${within.length} from ${from} on`]
  }
  return []
}
