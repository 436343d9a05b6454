import { randomUUID } from 'node:crypto'
import type { CallResult } from '../contract/call-result.ts'
import type { Contract } from '../contract/contract.ts'
import { digest } from '../contract/digest.ts'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import type { ErrorData } from '../contract/tool-error.ts'
import type { Decision } from '../policy/decide.ts'
import type { CheckRecord, IntentRecord, LedgerRecord } from '../storage/storage.ts'
import type { Call } from './call.ts'

export type CheckName =
  | 'resolve'
  | 'bound'
  | 'input'
  | 'single_step'
  | 'rate'
  | 'decide'
  | 'approve'
  | 'intent'
  | 'run'
  | 'output'

/** What is known about a call so far. The ledger's records and the result are made from it. */
export class Trace {
  readonly call: Call
  readonly callId = randomUUID()
  readonly startedAt = performance.now()
  readonly checks: { [check: string]: CheckRecord[string] } = {}
  toolId: string
  contract: Contract | undefined
  /** The bounded input; from the step `input` on, the validated one with its defaults. */
  input: JsonValue = null
  inputDigest: string | undefined
  canonicalInput = ''
  decision: Decision | undefined
  approval: IntentRecord['approval'] = null
  violation: string | undefined
  intended = false
  ended = false
  #checking: CheckName | undefined

  constructor(call: Call) {
    this.call = call
    this.toolId = call.tool
  }

  begin(check: CheckName) {
    this.#checking = check
    this.checks[check] = 'failed'
  }

  pass() {
    this.checks[this.#checking!] = 'passed'
  }

  skip(check: CheckName) {
    this.checks[check] = 'not_needed'
  }

  toIntent(redact: (value: JsonValue) => JsonValue): IntentRecord {
    return { kind: 'intent', ...this.#toAsked(redact) }
  }

  /** The outcome of a call that ran, or the refusal of one that did not. */
  toEnd(result: CallResult, redact: (value: JsonValue) => JsonValue): LedgerRecord {
    const { durationMs } = result
    if (!this.intended) {
      const errorCode = result.success ? 'internal' : result.error.code
      return { kind: 'refusal', ...this.#toAsked(redact), errorCode, durationMs }
    }
    return {
      kind: 'outcome',
      callId: this.callId,
      at: new Date().toISOString(),
      tool: this.toolId,
      success: result.success,
      errorCode: result.success ? null : result.error.code,
      violation: this.violation ?? null,
      durationMs,
      checks: this.checks,
    }
  }

  toResult(end: { output: JsonObject } | { error: ErrorData }): CallResult {
    const durationMs = Math.round((performance.now() - this.startedAt) * 1000) / 1000
    const shared = { callId: this.callId, tool: this.toolId, durationMs }
    return 'error' in end
      ? { success: false, ...shared, error: end.error }
      : { success: true, ...shared, output: end.output }
  }

  #toAsked(redact: (value: JsonValue) => JsonValue) {
    return {
      callId: this.callId,
      at: new Date().toISOString(),
      caller: this.call.caller,
      tool: this.toolId,
      contractDigest: this.contract ? digest(this.contract) : null,
      inputDigest: this.inputDigest ?? null,
      input: redact(this.input),
      checks: { ...this.checks },
      decision: this.decision ?? null,
      approval: this.approval,
    }
  }
}
