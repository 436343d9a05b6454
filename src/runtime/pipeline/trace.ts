import { randomUUID } from 'node:crypto'
import type { ApprovedFiles } from '../../contract/approved-files.ts'
import type { TraceContext } from '../../contract/call-client.ts'
import type { Attached, CallResult } from '../../contract/call-result.ts'
import { passCallerToken } from '../../contract/caller-token.ts'
import { cleanMeta } from '../../contract/content/clean-meta.ts'
import { cleanBlock, maxBlocks } from '../../contract/content/content-block.ts'
import type { Contract } from '../../contract/contract.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { boundJson, type JsonLimits } from '../../contract/schema/bound-json.ts'
import type { JsonRefusal } from '../../contract/schema/json-refusal.ts'
import { steadyMs } from '../../contract/steady-time.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller, Progress } from '../../contract/tool.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import type { Decision } from '../../policy/decide.ts'
import type { IntentRecord, LedgerRecord } from '../storage/storage.ts'
import type { Call } from './call.ts'
import type { CallFacts, CheckEvent, EndEvent, EventBase, Observe } from './call-event.ts'
import type { CatalogEntry } from './catalog.ts'
import { type CheckName, placeOf, states, toCheckName, toChecks } from './checks.ts'
import { isoTime } from './iso-time.ts'
import type { Query } from './queries.ts'
import { toCaller, toName, toRecordedCaller } from './to-caller.ts'

type EventDetails = Omit<CheckEvent, keyof EventBase> | Omit<EndEvent, keyof EventBase>

type Redact = (value: JsonValue) => JsonValue

/** The state of a call. The ledger records, the result and the events for an observer are derived from it. */
export class Trace {
  readonly call: Call
  readonly callId: string
  readonly startedAt = steadyMs()
  /** A frozen copy: the caller must not change during the call. */
  readonly caller: Caller
  /** The name that the caller used. Messages to the caller use it; records and rules use the id. */
  readonly calledAs: string
  toolId: string
  entry: CatalogEntry<never> | undefined
  /** The bounded input; after the step `input`, validated and with defaults. */
  input: JsonValue = null
  inputDigest: string | undefined
  canonicalInput = ''
  /** The query that this call belongs to. */
  query: Query | undefined
  decision: Decision | undefined
  /** Of the rules and settings that decided. */
  policyVersion: string | undefined
  /** Whether the policy follows what the call reads and where it sends data. */
  followsData = false
  approval: IntentRecord['approval'] = null
  /** The files that the call may write, as a person approved them. */
  approved: ApprovedFiles | undefined
  violation: string | undefined
  /** How the tool broke its contract. */
  evidence: unknown
  notes: JsonObject | undefined
  /** What the run attached, unchecked; `attached` after the check. */
  handed: Handed | undefined
  attached: Attached | undefined
  intended = false
  #checks = 0
  /** The weight of the check in progress; 0 if there is none. */
  #checking = 0
  readonly #observe: Observe | undefined

  /** Must not throw, even for values of the wrong type: without a trace there is no result. */
  constructor(call: Call, observe?: Observe) {
    this.call = call
    this.callId = call.part?.callId ?? randomUUID()
    this.#observe = observe
    this.calledAs = toName(call.tool) ?? ''
    this.toolId = this.calledAs
    this.caller = toCaller(call.caller)
    if (call.caller) passCallerToken(this.caller, call.caller)
    if (observe?.tracer) {
      const { trace, origin } = call
      observe.tracer.begin(this.callId, { at: toTime(), caller: this.caller, trace, origin })
    }
  }

  get contract(): Contract | undefined {
    return this.entry?.tool.contract
  }

  /** A check that begins and does not pass has failed. */
  begin(check: CheckName) {
    this.#checking = placeOf[check]
    if (this.#observe) this.#report({ kind: 'check', check, outcome: 'begun' })
  }

  pass() {
    if (this.#observe) this.#report({ kind: 'check', check: toCheckName(this.#checking), outcome: 'passed' })
    this.#checks += states.passed * this.#checking
    this.#checking = 0
  }

  skip(check: CheckName) {
    this.#checks += states.not_needed * placeOf[check]
    if (this.#observe) this.#report({ kind: 'check', check, outcome: 'not_needed' })
  }

  /** The trace context that the run passes on: of its own span, if calls are traced. */
  get passedOn(): TraceContext | undefined {
    return this.#observe?.tracer?.contextOf(this.callId) ?? this.call.trace
  }

  /** Reports the end of the call to the observer, if there is one. */
  end(result: CallResult, redact: Redact): CallResult {
    if (this.#observe) {
      this.#observe.tracer?.end(this.callId, this.#toFacts(result, redact))
      if (this.#checking > 0) this.#report({ kind: 'check', check: toCheckName(this.#checking), outcome: 'failed' })
      const { durationMs } = result
      const [code, ran] = result.success ? [null, true] : [result.error.code, result.ran]
      this.#report({ kind: 'ended', code, ran, durationMs })
    }
    return result
  }

  /** Records its own check as passed: an intent can only be read if it was stored. */
  toIntent(redact: Redact): IntentRecord {
    return this.#toIntent(redact(this.input), this.#checks + states.passed * placeOf.intent)
  }

  /** The outcome of a call that ran, or the refusal of one that did not. */
  toEnd(result: CallResult, redact: Redact): LedgerRecord {
    const { durationMs } = result
    const checks = this.#checks + states.failed * this.#checking
    if (!this.intended) {
      const errorCode = result.success ? 'internal' : result.error.code
      const violation = this.violation === undefined ? {} : { violation: this.violation }
      const asked = this.#toIntent(orNull(redact, this.input), checks)
      return { ...asked, kind: 'refusal', errorCode, ...violation, durationMs }
    }
    return {
      kind: 'outcome',
      callId: this.callId,
      at: isoTime(),
      tool: this.toolId,
      success: result.success,
      errorCode: result.success ? null : result.error.code,
      violation: this.violation ?? null,
      durationMs,
      checks: toChecks(checks),
    }
  }

  toResult(end: { output: JsonObject } | { error: ErrorData }): CallResult {
    const { callId, toolId: tool } = this
    const durationMs = Math.round((steadyMs() - this.startedAt) * 1000) / 1000
    if ('error' in end) {
      const ran = this.intended && end.error.code !== 'busy'
      return { success: false, callId, tool, error: end.error, ran, durationMs }
    }
    const { notes, attached } = this
    return {
      success: true,
      callId,
      tool,
      output: end.output,
      ...(notes && { notes }),
      ...(attached && { attached }),
      durationMs,
    }
  }

  #report(event: EventDetails) {
    const { callId, toolId: tool, caller } = this
    notify(this.#observe, { callId, tool, caller, at: toTime(), ...event })
  }

  #toFacts(result: CallResult, redact: Redact): CallFacts {
    const { contract, decision, approval, violation } = this
    const toContent = () => ({
      input: orNull(redact, this.input),
      ...(result.success && { output: orNull(redact, result.output) }),
    })
    return {
      contractDigest: contract && digest(contract),
      decision,
      approval: approval ?? undefined,
      questionId: result.success ? undefined : result.error.approvalId,
      violation,
      content: this.#observe?.tracer?.wantsContent ? toContent() : undefined,
    }
  }

  #toIntent(input: JsonValue, checks: number): IntentRecord {
    const { part } = this.call
    return {
      kind: 'intent',
      callId: this.callId,
      at: isoTime(),
      caller: toRecordedCaller(this.caller),
      tool: this.toolId,
      contractDigest: this.contract ? digest(this.contract) : null,
      inputDigest: this.inputDigest ?? null,
      input,
      checks: toChecks(checks),
      decision: this.decision ?? null,
      ...(this.policyVersion !== undefined && { policyVersion: this.policyVersion }),
      approval: this.approval,
      ...(part && { run: { id: part.run, step: part.step } }),
    }
  }
}

/** Milliseconds since 1970, with fractions. */
function toTime(): number {
  return performance.timeOrigin + performance.now()
}

/** A refusal is recorded even if its input cannot be redacted. */
function orNull(redact: Redact, value: JsonValue): JsonValue {
  try {
    return redact(value)
  } catch {
    return null
  }
}

/** What a run attached, unchecked. */
interface Handed {
  readonly content: readonly unknown[]
  readonly meta?: unknown
}

/** Copies what a run attached within the limits, and sanitizes every block. */
export function toAttached(
  { content, meta }: Handed,
  limits: JsonLimits,
): { ok: true; attached?: Attached } | JsonRefusal {
  const bounded = boundJson({ content: content.slice(0, maxBlocks), meta: meta ?? null }, limits)
  if (!bounded.ok) return bounded
  const copied = bounded.value as { content: JsonValue[] } & JsonObject
  const blocks = copied.content.map(cleanBlock)
  const facts = cleanMeta(copied.meta)
  if (blocks.length === 0 && !facts) return { ok: true }
  return { ok: true, attached: { content: blocks, ...(facts && { meta: facts }) } }
}

/** Calls a listener. It cannot break the call, neither by throwing nor by rejecting. */
export function notify<News>(listener: ((news: News) => unknown) | undefined, news: News) {
  try {
    // Listeners usually return nothing, and a call makes twenty events: no promise then.
    const returned = listener?.(news)
    if (returned !== undefined) Promise.resolve(returned).catch(() => {})
  } catch {}
}

/** Fits into an HTTP header. */
const limits = { maxBytes: 4096, maxDepth: 8 }

/** Adds facts to the notes of a call. Anything but an object, or too much, is dropped: the result matters more than its notes. */
export function toNotes(before: JsonObject | undefined, facts: unknown): JsonObject | undefined {
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return before
  const bounded = boundJson({ ...before, ...facts }, limits)
  return bounded.ok ? (bounded.value as JsonObject) : before
}

const maxMessageCharacters = 1000

/** A bounded copy of what a tool reports; undefined if it is not valid progress. */
export function toProgress(update: unknown): Progress | undefined {
  if (typeof update !== 'object' || update === null) return undefined
  const { progress, total, message } = update as Record<string, unknown>
  if (!Number.isFinite(progress)) return undefined
  return {
    progress: progress as number,
    ...(Number.isFinite(total) && { total: total as number }),
    ...(typeof message === 'string' && { message: shorten(message, maxMessageCharacters) }),
  }
}
