import { toClosedError } from '../../../contract/toolpact-error.ts'
import {
  type Counters,
  type Evidence,
  maxEvidence,
  type Notes,
  type RuleUse,
  type RuleUses,
  type Storage,
} from '../storage.ts'
import { openMemoryApprovals } from './approvals.ts'
import { openMemoryConnections } from './connections.ts'
import { openMemoryLedger } from './ledger.ts'
import { openMemoryReplies } from './replies.ts'
import { openMemoryRuns } from './runs.ts'
import { openMemorySessions } from './sessions.ts'
import { openMemorySignIns } from './sign-ins.ts'
import { openMemoryState } from './state.ts'
import { openMemoryTasks } from './tasks.ts'

/** Stores everything in memory. For tests and short-lived programs. */
export function openMemoryStorage(): Storage {
  let closed = false
  const mustBeOpen = () => {
    if (closed) throw toClosedError()
  }
  const approvals = openMemoryApprovals(mustBeOpen)
  return {
    ...openMemoryState(),
    ...openMemoryLedger(mustBeOpen),
    counters: openCounters(mustBeOpen),
    approvals,
    notes: openNotes(mustBeOpen),
    ruleUses: openRuleUses(mustBeOpen),
    replies: openMemoryReplies(mustBeOpen),
    evidence: openMemoryEvidence(mustBeOpen),
    sessions: openMemorySessions(mustBeOpen),
    tasks: openMemoryTasks(mustBeOpen),
    signIns: openMemorySignIns(mustBeOpen),
    connections: openMemoryConnections(mustBeOpen),
    runs: openMemoryRuns(approvals, mustBeOpen),
    async health() {
      mustBeOpen()
      return { isWritable: true, lastCommitAt: null, lastFailure: null }
    },
    async close() {
      closed = true
    },
  }
}

/** For each key, the times at which its uses expire, earliest first. */
function openCounters(mustBeOpen: () => void): Counters {
  const uses = new Map<string, number[]>()
  return {
    async take(key, { count, windowMs }, now) {
      mustBeOpen()
      const until = now + windowMs
      // A use expires later than one window from now only if the clock moved back.
      const counting = (uses.get(key) ?? []).filter((moment) => moment > now).map((moment) => Math.min(moment, until))
      sweep(uses, now)
      const blocking = count < 1 ? until : counting.at(-count)
      if (blocking === undefined) counting.push(until)
      // Least recently used keys come first, for the sweep.
      uses.delete(key)
      uses.set(key, counting)
      return blocking === undefined ? { taken: true } : { taken: false, retryAfterMs: blocking - now }
    },
  }
}

/** Deletes expired keys, least recently used first, so that unused keys do not accumulate. */
function sweep(uses: Map<string, number[]>, now: number) {
  for (const [key, moments] of uses) {
    if (moments.some((moment) => moment > now)) return
    uses.delete(key)
  }
}

/** Stored as text, so that callers cannot mutate a value. */
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
    async setOnce(key, value) {
      mustBeOpen()
      if (!notes.has(key)) notes.set(key, JSON.stringify(value))
      return JSON.parse(notes.get(key)!)
    },
    async replace(key, known, value) {
      mustBeOpen()
      if (notes.get(key) !== JSON.stringify(known)) return false
      notes.set(key, JSON.stringify(value))
      return true
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

function openMemoryEvidence(mustBeOpen: () => void): Evidence {
  const kept = new Map<string, string>()
  return {
    async keep(callId, text) {
      mustBeOpen()
      // Newest last.
      kept.delete(callId)
      kept.set(callId, text)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEvidence) break
        kept.delete(oldest)
      }
    },
    async get(callId) {
      mustBeOpen()
      return kept.get(callId)
    },
  }
}
