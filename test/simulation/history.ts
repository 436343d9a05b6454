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

/** Every promise that was broken. `entries` is the whole ledger at the end. */
export function findBroken(
  history: History,
  { entries, verdict, limits }: { entries: readonly LedgerEntry[]; verdict: LedgerVerdict; limits: ReadonlyMap<string, Limit> }, // biome-ignore format: one line
): string[] {
  return [
    ...findLost(history, entries),
    ...(verdict.intact ? [] : [`the ledger does not verify: ${verdict.reason}`]),
    ...[...limits].flatMap(([key, limit]) => findExceeded(history, key, limit)),
    ...[...history.uses].filter(([, count]) => count > 1).map(([id, count]) => `the approval ${id} was used ${count} times`), // biome-ignore format: one line
    ...[...history.claims].filter(([, count]) => count > 1).map(([key, count]) => `the idempotency key ${key} ran ${count} times`), // biome-ignore format: one line
    ...[...history.replies].filter(([, all]) => all.size > 1).map(([key]) => `the idempotency key ${key} has several replies`), // biome-ignore format: one line
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
