import type { TraceContext } from '../../contract/call-client.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { CallOrigin } from './call.ts'
import type { CheckName } from './checks.ts'

/** What happens to a call, as it happens: for telemetry and consoles. It contains no input and no output. */
export type CallEvent = CheckEvent | EndEvent

export interface EventBase {
  readonly callId: string
  /** The full id, `toolset.tool`; before the tool is found, the name that was called. */
  readonly tool: string
  readonly caller: Caller
  /** Milliseconds since 1970, with fractions. */
  readonly at: number
}

export interface CheckEvent extends EventBase {
  readonly kind: 'check'
  /** A step of the pipeline, as the ledger names it. */
  readonly check: CheckName
  /** A check that fails ends the call. */
  readonly outcome: 'begun' | 'passed' | 'not_needed' | 'failed'
}

export interface EndEvent extends EventBase {
  readonly kind: 'ended'
  /** The error code; null for a success. */
  readonly code: string | null
  /** Whether the tool ran. */
  readonly ran: boolean
  readonly durationMs: number
}

/** Called synchronously, so it should return quickly. What it throws is ignored. */
export interface Observe {
  (event: CallEvent): void
  /** A call that begins while this is true is not observed, and its events are not made. */
  readonly isIdle?: boolean
  readonly tracer?: CallTracer
}

/** Makes spans of calls. Its methods must not throw; `begin` comes before the first event of a call, `end` before the last. */
export interface CallTracer {
  begin(callId: string, start: CallStart): void
  /** The trace context that the running tool passes on. */
  contextOf(callId: string): TraceContext | undefined
  end(callId: string, facts: CallFacts): void
  /** Whether `end` receives input and output. Default: false. */
  readonly wantsContent?: boolean
}

export interface CallStart {
  readonly at: number
  readonly caller: Caller
  /** The trace that the client's request belongs to. */
  readonly trace?: TraceContext | undefined
  readonly origin?: CallOrigin | undefined
}

/** What is known about a call at its end. */
export interface CallFacts {
  /** Absent if the tool was not found. */
  readonly contractDigest?: string | undefined
  readonly decision?: { readonly action: string; readonly rule: string } | undefined
  readonly approval?:
    | { readonly answer: string; readonly via?: string; readonly id?: string; readonly waitedMs?: number }
    | undefined
  /** The question that the call leaves behind, if it is to be repeated once that is answered. */
  readonly questionId?: string | undefined
  readonly violation?: string | undefined
  /** Without secrets. */
  readonly content?: { readonly input: JsonValue; readonly output?: JsonValue } | undefined
}
