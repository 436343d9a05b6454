import type { Contract } from './contract.ts'
import type { JsonObject } from './json.ts'
import type { ToolError, ToolErrorOptions } from './tool-error.ts'

/** Who calls. `session` tells apart the sittings of one caller; limits and rules go by `name`. */
export interface Caller {
  readonly name: string
  readonly session?: string
}

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What every run is told about its call. What it may touch comes as capabilities, apart from this. */
export interface ToolContext<Code extends string = string> {
  readonly callId: string
  readonly caller: Caller
  /** Aborted when the caller cancels or the time is over; a run that ignores it is left behind. */
  readonly signal: AbortSignal
  readonly progress: (update: Progress) => void
  /** Makes a failure with a code that the contract declares: `return fail('file_not_found', '…')`. */
  readonly fail: (code: Code, message: string, options?: ToolErrorOptions) => ToolError<Code>
}

/**
 * A contract and the `run` that honours it. `Capabilities` is what `run` must be handed to touch the world.
 * `Input` and `Output` are what a caller may send and gets; they are known to the type checker alone.
 */
export interface Tool<Capabilities = unknown, Input = JsonObject, Output = JsonObject> {
  readonly contract: Contract
  /** Never set: carries `Input` and `Output`. */
  readonly types?: { readonly input: Input; readonly output: Output }
  readonly run: (
    input: JsonObject,
    context: ToolContext,
    capabilities: Capabilities,
  ) => JsonObject | ToolError | Promise<JsonObject | ToolError>
}

export interface Toolset<Capabilities = unknown> {
  readonly name: string
  readonly description: string
  readonly tools: readonly Tool<Capabilities>[]
}
