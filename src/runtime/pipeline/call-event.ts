import type { Caller } from '../../contract/tool.ts'
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
}
