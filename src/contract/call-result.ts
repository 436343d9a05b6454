import type { ContentBlock } from './content/content-block.ts'
import type { JsonObject } from './json.ts'
import type { ErrorData } from './tool-error.ts'

/** The result of a call. The pipeline returns it and never throws. */
export type CallResult<Output = JsonObject> = CallSuccess<Output> | CallFailure

/** A successful call: its output matches the contract. */
export interface CallSuccess<Output = JsonObject> {
  readonly success: true
  readonly callId: string
  /** The tool's full id, `toolset.tool`. */
  readonly tool: string
  readonly output: Output
  /** Facts that the tool reported with `note`. */
  readonly notes?: JsonObject
  /** Content that the tool added with `attach`. */
  readonly attached?: Attached
  readonly durationMs: number
}

/** Content beside the output, which no contract describes: bounded and sanitized. */
export interface Attached {
  readonly content: readonly ContentBlock[]
  /** Numbers, flags and short words about the result. */
  readonly meta?: JsonObject
}

/** A failed or refused call: the reason and the next step. */
export interface CallFailure {
  readonly success: false
  readonly callId: string
  /** The tool's full id, or the requested name if no such tool exists. */
  readonly tool: string
  readonly error: ErrorData
  /** False if a check stopped the call before it ran, so that a retry cannot repeat an effect. */
  readonly ran: boolean
  readonly durationMs: number
}
