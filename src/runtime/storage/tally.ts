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
/** Of `2026-01-02T03:04` in an ISO time. */
const minuteLength = 16

/** Counts calls per minute, and in total per tool. */
export function createTally(): Tally {
  const minutes = new Map<string, Counted>()
  const tools = new Map<string, CountedTool>()
  // Most entries follow one of the same minute.
  let [minute, start] = ['', Number.NaN]

  function add({ seq, record }: Pick<LedgerEntry, 'seq' | 'record'>, { first, ended }: Progress) {
    // Callers can make up any number of names, so calls of unknown tools are counted together.
    const isUnknown = record.kind === 'refusal' && record.contractDigest === null
    if (!isUnknown) addTotals(record, seq === first, ended)
    const { at } = record
    const tool = isUnknown ? '' : record.tool
    if (at.slice(0, minuteLength) !== minute) {
      minute = at.slice(0, minuteLength)
      start = toStart(Date.parse(at), minuteMs)
    }
    if (Number.isNaN(start)) return
    const question = toQuestion(record)
    if (question) {
      const asked = findCounted(minutes, { start, tool, state: 'asked', code: '' })
      if (question.isOwn) asked.count += 1
      if (question.waitedMs !== undefined) addDuration(asked.durations, question.waitedMs)
    }
    if (!ended) return
    const { state, code, durationMs, isViolation } = ended
    const counted = findCounted(minutes, { start, tool, state, code: code ?? '' })
    counted.count += 1
    if (isViolation) counted.violations += 1
    if (durationMs !== null && state !== 'refused') addDuration(counted.durations, durationMs)
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
    for (const minute of minutes.values()) {
      const span = findCounted(counted, { ...minute, start: toStart(minute.start, spanMs) })
      span.count += minute.count
      span.violations += minute.violations
      addHistogram(span.durations, minute.durations)
    }
    return [...counted.values()]
  }

  return { add, spans, tools }
}

export function toStart(ms: number, spanMs: number): number {
  return Math.floor(ms / spanMs) * spanMs
}

type Key = Pick<Counted, 'start' | 'tool' | 'state' | 'code'>

function findCounted(counts: Map<string, Counted>, { start, tool, state, code }: Key): Counted {
  // Neither states nor codes contain a space.
  const key = `${start} ${state} ${code} ${tool}`
  const known = counts.get(key)
  if (known) return known
  const counted = { start, tool, state, code, count: 0, violations: 0, durations: {} }
  counts.set(key, counted)
  return counted
}

/** A question that was answered, or that waits for a later call. */
function toQuestion(record: LedgerRecord): { isOwn: boolean; waitedMs: number | undefined } | undefined {
  const approval = 'approval' in record ? record.approval : null
  if (!approval || (approval.waitedMs === undefined && approval.answer !== 'later')) return undefined
  // A call that uses the answer to an earlier one asks no question itself.
  return { isOwn: approval.id === undefined || approval.id === record.callId, waitedMs: approval.waitedMs }
}

/** Undefined for the end of a call, which does not name its caller. */
export function toCaller(record: LedgerRecord): string | undefined {
  if (record.kind === 'outcome') return undefined
  if (record.kind !== 'step') return record.caller.name
  const caller = record.details.caller as { name?: unknown } | undefined
  return typeof caller?.name === 'string' ? caller.name : 'agent'
}
