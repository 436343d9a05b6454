import type { CallEnd, Progress } from './follow-calls.ts'
import { addDuration, addHistogram, type Histogram } from './histogram.ts'
import type { LedgerEntry, LedgerRecord } from './storage.ts'

/** Counts of one tool and outcome in one span of time. */
export interface Counted {
  /** Milliseconds since 1970. */
  readonly start: number
  readonly tool: string
  /** `asked`: questions to people. */
  readonly state: CallEnd['state'] | 'asked'
  /** Empty if there is none. */
  readonly code: string
  count: number
  violations: number
  /** Of `asked`: time until the answer. Otherwise durations of calls that ran. */
  readonly durations: Histogram
}

/** Totals of one tool. */
export interface CountedTool {
  calls: number
  failed: number
  refused: number
  since: string
  readonly callers: Map<string, number>
}

export interface Tally {
  /** Counts an entry, given what it means for its call. */
  add(entry: Pick<LedgerEntry, 'seq' | 'record'>, progress: Progress): void
  /** Counts per span of time, whose length is a multiple of a minute. */
  spans(spanMs: number): Counted[]
  readonly tools: ReadonlyMap<string, CountedTool>
}

export const minuteMs = 60_000

/** Counts calls per minute, and in total per tool. */
export function createTally(): Tally {
  const minutes = new Map<string, Counted>()
  const tools = new Map<string, CountedTool>()

  function add({ seq, record }: Pick<LedgerEntry, 'seq' | 'record'>, { first, ended }: Progress) {
    // Callers can make up any number of names, so calls of unknown tools are counted together.
    const isUnknown = record.kind === 'refusal' && record.contractDigest === null
    if (!isUnknown) addTotals(record, seq === first, ended)
    const { at } = record
    const tool = isUnknown ? '' : record.tool
    const start = toStart(Date.parse(at), minuteMs)
    if (Number.isNaN(start)) return
    const question = toQuestion(record)
    if (question) addCounted(minutes, { start, tool, state: 'asked', code: '', violations: 0, ...question })
    if (!ended) return
    const { state, code, durationMs, isViolation } = ended
    const durations = toHistogram(state === 'refused' ? null : durationMs)
    addCounted(minutes, { start, tool, state, code: code ?? '', count: 1, violations: isViolation ? 1 : 0, durations })
  }

  function addTotals(record: LedgerRecord, isFirst: boolean, ended: CallEnd | undefined) {
    const caller = isFirst ? toCaller(record) : undefined
    if (caller === undefined && !ended) return
    const { tool, at } = record
    const total = tools.get(tool) ?? { calls: 0, failed: 0, refused: 0, since: at, callers: new Map() }
    tools.set(tool, total)
    if (at < total.since) total.since = at
    if (ended?.state === 'failed') total.failed += 1
    if (ended?.state === 'refused') total.refused += 1
    if (caller === undefined) return
    total.calls += 1
    total.callers.set(caller, (total.callers.get(caller) ?? 0) + 1)
  }

  function spans(spanMs: number): Counted[] {
    const counted = new Map<string, Counted>()
    for (const minute of minutes.values()) addCounted(counted, { ...minute, start: toStart(minute.start, spanMs) })
    return [...counted.values()]
  }

  return { add, spans, tools }
}

export function toStart(ms: number, spanMs: number): number {
  return Math.floor(ms / spanMs) * spanMs
}

function addCounted(to: Map<string, Counted>, counted: Counted) {
  const { start, tool, state, code } = counted
  const key = JSON.stringify([start, tool, state, code])
  const known = to.get(key)
  if (!known) {
    to.set(key, { ...counted, durations: { ...counted.durations } })
    return
  }
  known.count += counted.count
  known.violations += counted.violations
  addHistogram(known.durations, counted.durations)
}

/** A question that was answered, or that waits for a later call. */
function toQuestion(record: LedgerRecord): Pick<Counted, 'count' | 'durations'> | undefined {
  const approval = 'approval' in record ? record.approval : null
  if (!approval || (approval.waitedMs === undefined && approval.answer !== 'later')) return undefined
  // A call that uses the answer to an earlier one asks no question itself.
  const isOwn = approval.id === undefined || approval.id === record.callId
  return { count: isOwn ? 1 : 0, durations: toHistogram(approval.waitedMs ?? null) }
}

/** Undefined for the end of a call, which does not name its caller. */
export function toCaller(record: LedgerRecord): string | undefined {
  if (record.kind === 'outcome') return undefined
  if (record.kind !== 'step') return record.caller.name
  const caller = record.details.caller as { name?: unknown } | undefined
  return typeof caller?.name === 'string' ? caller.name : 'agent'
}

function toHistogram(ms: number | null): Histogram {
  const histogram: Histogram = {}
  if (ms !== null) addDuration(histogram, ms)
  return histogram
}
