import type { ToolUi } from './app-ui.ts'
import type { CallClient, TraceContext } from './call-client.ts'
import type { CallResult } from './call-result.ts'
import type { Contract, Risk } from './contract.ts'
import type { JsonObject, JsonSchema, JsonValue } from './json.ts'
import type { Offer } from './offer.ts'
import type { RunContext } from './run-part.ts'
import type { ToolError, ToolErrorOptions } from './tool-error.ts'

/**
 * The caller. Its `name` is unique: limits, rules, approvals and the ledger refer to it. `session` distinguishes sessions of
 * one caller. The rest says who vouches for it, and is set by what authenticated it, never by the request.
 */
export interface Caller {
  readonly name: string
  readonly session?: string
  /** Who issued its token, and the claim `sub` there. Absent for callers that Toolpact itself knows. */
  readonly issuer?: string
  readonly subject?: string
  /** Names of groups, without `group:`. */
  readonly groups?: readonly string[]
  /** How it authenticated. Absent: it called in this process, as a program that uses the library does. */
  readonly via?: 'token' | 'jwt' | 'cookie' | 'stdio' | 'cli'
  /** What its token permits. Absent: no scope limits it. */
  readonly scopes?: readonly string[]
  /** Claims of its token that the config refers to, as `NAME=VALUE`. */
  readonly claims?: readonly string[]
  /** What its token is limited to, if it is one of Toolpact's own. Absent: no such limit. */
  readonly only?: CallerScope
  /** The scopes that its token lacks, by the risk of the tools that need them. */
  readonly lacks?: { readonly [risk in Risk]?: string }
}

/** Narrows what a caller may use, within what the config gives it. */
export interface CallerScope {
  /** Only tools of these toolsets. */
  readonly toolsets?: readonly string[]
  /** Only tools of risk `read_only`. */
  readonly readOnly?: true
}

/** The progress of a call, as its tool reports it. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** What `run` knows about its call. Access to the outside comes separately, as capabilities. */
export interface ToolContext<Code extends string = string> {
  readonly callId: string
  readonly caller: Caller
  /** Aborted when the caller cancels or the timeout expires. A run that ignores it is abandoned. */
  readonly signal: AbortSignal
  readonly progress: (update: Progress) => void
  /**
   * Facts about the result that the output schema has no field for: `note({ dropped: 3 })`. They are returned beside
   * the output, and dropped if they are not JSON or too many.
   */
  readonly note: (facts: JsonObject) => void
  /**
   * Content beside the output, as MCP blocks: images, audio, resources, links and text, and facts about the result. It
   * is sanitized, its bytes must match their declared type, and it counts toward the output limit.
   */
  readonly attach: (content: readonly JsonValue[], meta?: JsonValue) => void
  /** The MCP client that made the call; absent if another surface did. */
  readonly client?: CallClient
  readonly trace?: TraceContext
  /** The same for every attempt of a step of a run, so that the tool can recognize a repeated call. Absent: the call is not repeated. */
  readonly idempotencyKey?: string
  /** Of a workflow: how its run makes calls and is followed. */
  readonly run?: RunContext
  /**
   * Calls another tool of the same toolset, for the same caller: checked, approved and recorded as a call of its own.
   * `client`: what that tool gets instead of this one's.
   */
  readonly callOwn?: (name: string, input: JsonObject, client?: CallClient) => Promise<CallResult>
  /** Returns a failure with a code that the contract declares: `return fail('file_not_found', '…')`. */
  readonly fail: (code: Code, message: string, options?: ToolErrorOptions) => ToolError<Code>
}

/** What `validate` knows about its call. */
export type ValidateContext<Code extends string = string> = Pick<
  ToolContext<Code>,
  'callId' | 'caller' | 'signal' | 'fail'
>

/** What a call would do, as far as this is known without running it. Only the person who approves the call sees it. */
export interface Preview {
  /** File contents before and after: `before` is absent for a new file, `after` for a deleted one. */
  readonly changes?: readonly { readonly path: string; readonly before?: string; readonly after?: string }[]
  /** A short description of how a command would be sandboxed. */
  readonly sandbox?: string
  /** Of a workflow: its steps, a line for each, and a digest of all that they would do. */
  readonly steps?: { readonly lines: readonly string[]; readonly digest: string }
}

/**
 * A contract and its implementation. `Capabilities` is the type of the capabilities in `needs`. `Input` and `Output`
 * exist for the type checker only: what a caller sends and gets.
 */
export interface Tool<Capabilities = unknown, Input = JsonObject, Output = JsonObject> {
  readonly contract: Contract
  /** The names of the capabilities that `validate`, `run` and `preview` receive. Default: none. */
  readonly needs?: readonly string[]
  /** For an app that a client shows, not for a model: only MCP clients that show apps list it. Programs call it by its id. */
  readonly forApps?: boolean
  /** MCP Apps: the page that shows its results, and who may call it. */
  readonly ui?: ToolUi
  /** Set for what MCP clients use as a prompt or resource: not listed as a tool, and called by its id. */
  readonly offer?: Offer
  /** The calls that list and complete a prompt or resource. `defineToolset` adds them to its tools. */
  readonly helpers?: readonly Tool<Capabilities>[]
  /** The document of a workflow: its run is a sequence of calls, and may outlive the call that started it. */
  readonly workflow?: JsonObject
  /** Its MCP server claims that it only reads, which is unconfirmed. Shown to people; has no effect on decisions. */
  readonly claimsToRead?: boolean
  /** Type-level only: carries `Input` and `Output`. */
  readonly types?: { readonly input: Input; readonly output: Output }
  /**
   * Returns the error that `run` would fail with, if that is known without running. It must only read: it runs before
   * the call is approved. `run` must still check anything that can change in between.
   */
  readonly validate?: (
    input: JsonObject,
    context: ValidateContext,
    capabilities: Capabilities,
  ) => ToolError | undefined | Promise<ToolError | undefined>
  /**
   * `run` makes all checks of `validate` itself, with the same errors. Calls that need no approval then skip
   * `validate`, which saves a third of the time of a short `read_file`.
   */
  readonly checkedByRun?: boolean
  readonly run: (
    input: JsonObject,
    context: ToolContext,
    capabilities: Capabilities,
  ) => JsonObject | ToolError | Promise<JsonObject | ToolError>
  /** Must not change anything: it runs before the call is approved. */
  readonly preview?: (input: JsonObject, capabilities: Capabilities, signal: AbortSignal) => Preview | Promise<Preview>
}

/** What a toolset receives to open its capabilities. Files, commands and the web are provided per call instead. */
export interface ToolsetContext<Settings = JsonObject> {
  /** Validated against the toolset's schema, with defaults set. */
  readonly settings: Settings
  /** Real path of the workspace. */
  readonly workspace: string
  /** Private to this user. A toolset stores its files in its own folder there. */
  readonly stateDirectory: string
  readonly environment: { readonly [name: string]: string | undefined }
  /** Environment variables that child processes may get even though they look like secrets. */
  readonly keepEnvironment: readonly string[]
  /** Persists small values. Keys are shared: prefix them with the name of the toolset. */
  readonly notes: {
    get(key: string): Promise<JsonValue | undefined>
    set(key: string, value: JsonValue): Promise<void>
  }
  /** Announces to MCP clients that the lists of the toolset have changed, such as the resources that a template lists. */
  readonly changed: () => void
  /** Closing waits for this work, even if the call that started it has ended. */
  readonly keep: (work: Promise<unknown>) => void
}

/** What a toolset provides for its own tools. */
export interface ToolsetProvision {
  /**
   * JSON Schema of its settings, which are in the config under the name of the toolset. Tools that list `settings` in
   * `needs` receive them.
   */
  readonly settings?: JsonSchema
  /** Settings that make its tools deterministic, for `toolpact test` and `runExamples`. */
  readonly testSettings?: JsonObject
  /** Opens the capabilities that its tools receive in addition to the common ones. */
  open?(context: ToolsetContext): object | Promise<object>
  /** The capabilities that stay within the workspace and the notes. `toolpact test` provides only these. */
  readonly confined?: readonly string[]
}

/** A named group of tools. `defineToolset` makes one. */
export interface Toolset<Capabilities = unknown> extends ToolsetProvision {
  readonly name: string
  readonly description: string
  /** `false`: its contracts may have lint errors. Default: true. */
  readonly strict?: boolean
  readonly tools: readonly Tool<Capabilities>[]
  /** Tools of an MCP server that are not admitted, and why. */
  readonly withheld?: readonly { readonly name: string; readonly reasons: readonly string[] }[]
  /** How long its lists may be used, if they live elsewhere. */
  readonly ttlMs?: number
  /** Why its tools are unavailable, if they live elsewhere: a sentence. */
  readonly fault?: string
  /** What to do, if a retry cannot help. */
  readonly faultAdvice?: string
}
