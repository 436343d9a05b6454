import { parseCheckpoint } from '../../src/runtime/storage/proof/checkpoint.ts'
import { toBase64 } from '../../src/runtime/storage/proof/signed-note.ts'
import { emptyTree, growTree, toLeafHash, toRoot } from '../../src/runtime/storage/proof/tree.ts'
import type { LedgerEntry, LedgerVerdict } from '../../src/runtime/storage/storage.ts'
import { maxServerSkewMs } from './database.ts'

/** A use of a limit that was granted, between these two moments of the true time. */
interface Grant {
  readonly key: string
  readonly from: number
  readonly to: number
}

/** What a replica was told about a run that it owned: that it may run it, or that a change was stored. */
interface RunEvent {
  readonly id: string
  readonly kind: 'claim' | 'change'
  readonly epoch: number
  readonly owner: string
  readonly from: number
  readonly to: number
}

/** What replicas were told. Whatever happens to them, these answers must stay true. */
export class History {
  /** Ids and kinds of acknowledged records, in the order in which each replica was told. */
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
  /** Different hashes that were read, by position. */
  readonly reads = new Map<number, Set<string>>()
  readonly runs: RunEvent[] = []
  /** Checkpoints that were signed. */
  readonly checkpoints = new Set<string>()
  failures = 0

  acknowledge(replica: string, id: string) {
    const before = this.acknowledged.get(replica)
    if (before) before.push(id)
    else this.acknowledged.set(replica, [id])
  }

  read(seq: number, hash: string) {
    this.reads.set(seq, (this.reads.get(seq) ?? new Set()).add(hash))
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
  /** Number of entries in the Merkle tree. */
  readonly sealed: number
  /** Its root. */
  readonly root: string
  /** The root of the stored tree over its first entries, by their number. */
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
    ...findChanged(history, audit.entries),
    ...findUnfenced(history),
    ...[...audit.limits].flatMap(([key, limit]) => findExceeded(history, key, limit)),
    ...twice(history.uses, (id, count) => `the approval ${id} was used ${count} times`),
    ...twice(history.claims, (key, count) => `the idempotency key ${key} ran ${count} times`),
    ...twice(history.owners, (id, count) => `the task ${id} had ${count} owners`),
    ...[...history.replies].filter(([, all]) => all.size > 1).map(([key]) => `the idempotency key ${key} has several replies`), // biome-ignore format: one line
  ]
}

/** Entries outside the tree, and checkpoints that the tree does not continue, or that were not made from the entries. */
function findUnsealed({ checkpoints }: History, { entries, sealFault, sealed, root, rootAt }: Audit): string[] {
  const signed = [...checkpoints].map((note) => parseCheckpoint(note)!).sort((a, b) => a.size - b.size)
  const forked = signed.filter(({ size, root }) => rootAt.get(size) !== toBase64(root))
  const broken: string[] = []
  let tree = emptyTree
  for (const found of [...signed.map(({ size, root }) => ({ size, root: toBase64(root) })), { size: sealed, root }]) {
    const leaves = entries.slice(tree.size, found.size).map(({ hash }) => toLeafHash(hash))
    tree = growTree(tree, leaves, () => undefined).tree
    if (toBase64(toRoot(tree)) !== found.root) broken.push(`what was sealed with ${found.size} entries is not one of the entries`) // biome-ignore format: one line
  }
  return [
    ...(sealFault === undefined ? [] : [`the ledger cannot be sealed: ${sealFault}`]),
    ...(sealed === entries.length ? [] : [`the ledger has ${entries.length} entries, and the tree ${sealed}`]),
    ...forked.map(({ size }) => `the tree does not continue the checkpoint of ${size} entries`),
    ...broken.slice(0, 1),
  ]
}

/** Positions at which another entry was read before than is there now. */
function findChanged({ reads }: History, entries: readonly LedgerEntry[]): string[] {
  const now = new Map(entries.map(({ seq, hash }) => [seq, hash]))
  return [...reads]
    .filter(([seq, hashes]) => hashes.size > 1 || !hashes.has(now.get(seq) ?? ''))
    .map(([seq, hashes]) => `entry ${seq} was read as ${[...hashes].join(' and ')}, and is ${now.get(seq)}`)
}

/** Replicas that stored something for a run after another one had taken it over, or that owned it at the same time. */
function findUnfenced({ runs }: History): string[] {
  const byRun = Map.groupBy(runs, ({ id }) => id)
  return runs.flatMap(({ id, kind, epoch, owner, from }) => {
    const claims = byRun.get(id)!.filter((other) => other.kind === 'claim')
    const isTwice = kind === 'claim' && claims.some((other) => other.epoch === epoch && other.owner !== owner)
    const next = kind === 'change' ? claims.find((other) => other.epoch > epoch && other.to < from) : undefined
    return [
      ...(isTwice ? [`the run ${id} has two owners in epoch ${epoch}`] : []),
      ...(next ? [`${owner} stored something for the run ${id} after ${next.owner} had taken it over`] : []),
    ]
  })
}

/** Acknowledged records that are missing, there twice, or out of order. */
function findLost({ acknowledged }: History, entries: readonly LedgerEntry[]): string[] {
  const places = new Map<string, number[]>()
  for (const { seq, record } of entries) {
    const id = `${record.callId} ${record.kind}`
    places.set(id, [...(places.get(id) ?? []), seq])
  }
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

/**
 * Grants that lie within one window for certain, although it is not known when exactly each was made. Windows are measured by
 * the clock of the database, which may move when the standby takes over.
 */
function findExceeded({ grants }: History, key: string, { count, windowMs }: Limit): string[] {
  const own = grants.filter((grant) => grant.key === key).sort((a, b) => a.to - b.to)
  const certainMs = windowMs - 2 * maxServerSkewMs
  for (const { from } of own) {
    const within = own.filter((grant) => grant.from >= from && grant.to < from + certainMs)
    if (within.length > count) return [`the limit ${key} of ${count} was exceeded: ${within.length} from ${from} on`]
  }
  return []
}
