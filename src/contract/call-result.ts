import type { ContentBlock } from './content/content-block.ts'
import type { JsonObject } from './json.ts'
import type { ErrorData } from './tool-error.ts'

/** What every call comes to. The pipeline returns it and never throws. */
export type CallResult<Output = JsonObject> = CallSuccess<Output> | CallFailure

/** A call that gave an output which fits its contract. */
export interface CallSuccess<Output = JsonObject> {
  readonly success: true
  readonly callId: string
  /** The tool's full id, `toolset.tool`. */
  readonly tool: string
  readonly output: Output
  /** What the tool told beside its output. */
  readonly notes?: JsonObject
  /** What the tool attached to its output. */
  readonly attached?: Attached
  readonly durationMs: number
}

/** Content beside an output that no contract describes: data, bounded and cleaned. */
export interface Attached {
  readonly content: readonly ContentBlock[]
  /** Numbers, flags and words about the result. */
  readonly meta?: JsonObject
}

/** A call that failed or was refused, with why and what to do. */
export interface CallFailure {
  readonly success: false
  readonly callId: string
  /** The tool's full id, or what was asked for where no such tool exists. */
  readonly tool: string
  readonly error: ErrorData
  /** False where a check stopped the call before it ran: repeating it does nothing twice. */
  readonly ran: boolean
  readonly durationMs: number
}
