import { toClosedError } from '../../../contract/toolpact-error.ts'
import { type ChainPlace, chainStart, type StoredEntry, toEntryHash, verifyChain } from '../ledger-chain.ts'
import { limitTo, matchesQuery } from '../ledger-query.ts'
import type { Counters, Ledger, LedgerRecord, Notes, RuleUse, RuleUses, Storage } from '../storage.ts'
import { openMemoryApprovals } from './approvals.ts'
import { openMemoryEvidence } from './evidence.ts'
import { openMemoryReplies } from './replies.ts'
import { openMemorySessions } from './sessions.ts'
import { openMemoryState } from './state.ts'

/** Keeps everything for as long as the process lives, and in it. For tests and short-lived programs. */
export function openMemoryStorage(): Storage {
  let closed = false
  const mustBeOpen = () => {
    if (closed) throw toClosedError()
  }
  return {
    ...openMemoryState(),
    ledger: openLedger(mustBeOpen),
    counters: openCounters(mustBeOpen),
    approvals: openMemoryApprovals(mustBeOpen),
    notes: openNotes(mustBeOpen),
    ruleUses: openRuleUses(mustBeOpen),
    replies: openMemoryReplies(mustBeOpen),
    evidence: openMemoryEvidence(mustBeOpen),
    sessions: openMemorySessions(mustBeOpen),
    async health() {
      mustBeOpen()
      return { isWritable: true, lastCommitAt: null, lastFailure: null }
    },
    async close() {
      closed = true
    },
  }
}

/** The record itself is kept as text, so that nobody can change it; this much is wanted to find it. */
interface KeptEntry extends StoredEntry, Pick<LedgerRecord, 'tool' | 'callId' | 'at'> {}

function openLedger(mustBeOpen: () => void): Ledger {
  const entries: KeptEntry[] = []
  let head: ChainPlace = chainStart
  return {
    async append(record) {
      mustBeOpen()
      const { tool, callId, at } = record
      const text = JSON.stringify(record)
      head = { seq: head.seq + 1, hash: toEntryHash(head.hash, text) }
      entries.push({ ...head, text, tool, callId, at })
    },
    async read(query = {}) {
      mustBeOpen()
      const found = entries.filter((entry) => matchesQuery(entry, query))
      return limitTo(found, query).map(({ seq, text, hash }) => ({ seq, record: JSON.parse(text), hash }))
    },
    async verify() {
      mustBeOpen()
      return verifyChain(entries, head)
    },
    // What ends with the process is not archived.
    archive: async () => [],
    archives: async () => [],
  }
}

/** For each key the moments until which its uses count, the earliest first. */
function openCounters(mustBeOpen: () => void): Counters {
  const uses = new Map<string, number[]>()
  return {
    async take(key, { count, windowMs }, now) {
      mustBeOpen()
      const until = now + windowMs
      // Only a clock that has since moved back makes a use count for longer than a window from now.
      const counting = (uses.get(key) ?? []).filter((moment) => moment > now).map((moment) => Math.min(moment, until))
      sweep(uses, now)
      const blocking = count < 1 ? until : counting.at(-count)
      if (blocking === undefined) counting.push(until)
      // The key least recently used stands first, for the sweep.
      uses.delete(key)
      uses.set(key, counting)
      return blocking === undefined ? { taken: true } : { taken: false, retryAfterMs: blocking - now }
    },
  }
}

/** Looks at the key that was not used for longest, so that keys never used again leave nothing. */
function sweep(uses: Map<string, number[]>, now: number) {
  for (const [key, moments] of uses) {
    if (moments.some((moment) => moment > now)) return
    uses.delete(key)
  }
}

/** Kept as text, so that nobody can change a value after it was noted. */
function openNotes(mustBeOpen: () => void): Notes {
  const notes = new Map<string, string>()
  return {
    async get(key) {
      mustBeOpen()
      const text = notes.get(key)
      return text === undefined ? undefined : JSON.parse(text)
    },
    async set(key, value) {
      mustBeOpen()
      notes.set(key, JSON.stringify(value))
    },
  }
}

function openRuleUses(mustBeOpen: () => void): RuleUses {
  const uses = new Map<string, RuleUse>()
  return {
    async count(rule, now) {
      mustBeOpen()
      uses.set(rule, { count: (uses.get(rule)?.count ?? 0) + 1, lastUsedAt: now })
    },
    async read() {
      mustBeOpen()
      return new Map(uses)
    },
    async forget(rule) {
      mustBeOpen()
      uses.delete(rule)
    },
  }
}
