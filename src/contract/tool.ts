import type { Contract } from './contract.ts'
import type { JsonObject, JsonSchema, JsonValue } from './json.ts'
import type { ToolError, ToolErrorOptions } from './tool-error.ts'

/** Who calls. `session` tells apart the sittings of one caller; limits and rules go by `name`. */
export interface Caller {
  readonly name: string
  readonly session?: string
}

/** How far a call is, as its tool reports it. */
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
  /**
   * Facts about the result that the output has no place for, such as what was left out: `note({ dropped: 3 })`. They go
   * beside the output, and are dropped if they are no JSON or too many.
   */
  readonly note: (facts: JsonObject) => void
  /**
   * Content beside the output, in blocks of MCP: images, sounds, resources, links and text, with facts about the result.
   * It is cleaned, its bytes must be what they claim to be, and it counts toward the limit of the output.
   */
  readonly attach: (content: readonly JsonValue[], meta?: JsonValue) => void
  /** Makes a failure with a code that the contract declares: `return fail('file_not_found', '…')`. */
  readonly fail: (code: Code, message: string, options?: ToolErrorOptions) => ToolError<Code>
}

/** What a `validate` is told about its call. */
export type ValidateContext<Code extends string = string> = Pick<
  ToolContext<Code>,
  'callId' | 'caller' | 'signal' | 'fail'
>

/**
 * What a call would do, as far as it can be told without doing it. Shown to the person who is asked about the call, and
 * to nobody else.
 */
export interface Preview {
  /** Text of files before and after; no `before` for a new file, no `after` for one that goes. */
  readonly changes?: readonly { readonly path: string; readonly before?: string; readonly after?: string }[]
  /** How a command would be confined, in a few words. */
  readonly sandbox?: string
}

/**
 * A contract and the `run` that honours it. `Capabilities` is the type of what `needs` names.
 * `Input` and `Output` are what a caller may send and gets; they are known to the type checker alone.
 */
export interface Tool<Capabilities = unknown, Input = JsonObject, Output = JsonObject> {
  readonly contract: Contract
  /** The names of the capabilities that `validate`, `run` and `preview` are handed. Default: none. */
  readonly needs?: readonly string[]
  /** Meant for an app that a client shows, not for a model: it is in no list, and is called by its id. */
  readonly forApps?: boolean
  /** Its MCP server claims that it only reads, and nobody has confirmed that. It is shown to people and decides nothing. */
  readonly claimsToRead?: boolean
  /** Never set: carries `Input` and `Output`. */
  readonly types?: { readonly input: Input; readonly output: Output }
  /**
   * Returns the error with which `run` would fail, if that is known without running. It only reads: it runs before
   * anybody has approved the call. `run` must still check what may change in between.
   */
  readonly validate?: (
    input: JsonObject,
    context: ValidateContext,
    capabilities: Capabilities,
  ) => ToolError | undefined | Promise<ToolError | undefined>
  /**
   * `run` makes all checks of `validate` itself, with the same errors. Then a call that no person is asked about is not
   * checked twice, which saves a third of a short `read_file`.
   */
  readonly checkedByRun?: boolean
  readonly run: (
    input: JsonObject,
    context: ToolContext,
    capabilities: Capabilities,
  ) => JsonObject | ToolError | Promise<JsonObject | ToolError>
  /** Looks ahead and changes nothing: it runs before anybody has approved the call. */
  readonly preview?: (input: JsonObject, capabilities: Capabilities, signal: AbortSignal) => Preview | Promise<Preview>
}

/** What a toolset is given to open what its tools are handed. Files, commands and the web come with each call instead. */
export interface ToolsetContext<Settings = JsonObject> {
  /** Valid by the schema of the toolset, with its defaults. */
  readonly settings: Settings
  /** Real path of the folder that tools work in. */
  readonly workspace: string
  /** Private to this user. Files of a toolset belong into a folder of its own there. */
  readonly stateDirectory: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Environment variables that child processes may get even though they look like secrets. */
  readonly keepEnvironment: readonly string[]
  /** Keeps small values beyond this process. Keys are shared: begin them with the name of the toolset. */
  readonly notes: {
    get(key: string): Promise<JsonValue | undefined>
    set(key: string, value: JsonValue): Promise<void>
  }
  /** Closing waits for this work, even if the call that started it has ended. */
  readonly keep: (work: Promise<unknown>) => void
}

/** What a toolset brings for its own tools. */
export interface ToolsetProvision {
  /** JSON Schema of its settings, which the config has under the name of the toolset. Tools that need `settings` are handed them. */
  readonly settings?: JsonSchema
  /** Settings with which its tools give the same result every time. `toolpact test` and `runExamples` use them. */
  readonly testSettings?: JsonObject
  /** Opens what its tools are handed in addition to the common capabilities. */
  open?(context: ToolsetContext): object | Promise<object>
  /** What of it stays within the workspace and the notes. `toolpact test` lets tools use that and nothing else. */
  readonly confined?: readonly string[]
}

/** Tools under one name. `defineToolset` makes one. */
export interface Toolset<Capabilities = unknown> extends ToolsetProvision {
  readonly name: string
  readonly description: string
  /** `false`: its contracts need not pass the lint. Default: true. */
  readonly strict?: boolean
  readonly tools: readonly Tool<Capabilities>[]
  /** Tools that exist elsewhere and may not be called here, and why. */
  readonly withheld?: readonly { readonly name: string; readonly reasons: readonly string[] }[]
  /** Why its tools cannot be had, where they live elsewhere: a sentence. */
  readonly fault?: string
  /** What to do about it, where calling again cannot help. */
  readonly faultAdvice?: string
}
