import type { JsonObject, JsonSchema } from './json.ts'

export type Risk = 'read_only' | 'safe_write' | 'dangerous'
type ApprovalNeed = 'never' | 'ask'
type Status = 'active' | 'planned' | 'deprecated'

/** What a tool promises: pure data, complete. `defineTool` makes one from a `ContractSource`. */
export interface Contract {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly status: Status
  readonly transport?: string
  readonly endpoint?: string
  readonly risk: Risk
  readonly approval: ApprovalNeed
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly errors: readonly DeclaredError[]
  readonly limits: Limits
  readonly effects: Effects
  readonly summary?: Summary
  readonly constraints?: readonly string[]
  readonly examples: readonly Example[]
}

/** A failure that a tool may return. `status` is the HTTP status that a REST caller sees. */
export interface DeclaredError {
  readonly code: string
  readonly status: number
  readonly when: string
  readonly suggestion: string
  /** Input properties: where one of them breaks the schema, the call ends with this code instead of `invalid_input`. */
  readonly inputs?: readonly string[]
}

export interface Limits {
  /** At most `count` calls by one caller in any span of `windowMs`. Absent: not limited. */
  readonly calls?: { readonly count: number; readonly windowMs: number }
  /** How many calls may run at once; further ones wait their turn within `timeoutMs`. Absent: not limited. */
  readonly concurrency?: number
  readonly timeoutMs: number
  readonly inputBytes: number
  readonly outputBytes: number
}

/** Which top-level input fields name something in the world. Policy and approval read these, never a tool's name. */
export interface Effects {
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  readonly fetches?: readonly string[]
  readonly runs?: readonly string[]
}

/** In a few words, for the overview of a toolset: `{ access: 'Memory only', sideEffects: 'Append' }`. */
export interface Summary {
  readonly access: string
  readonly sideEffects: string
}

/** Documentation that is executed as a test: `input` gives `output`, or fails with the code `error`. */
export interface Example {
  readonly title?: string
  /** What must exist before the call: files of the workspace by path. */
  readonly given?: { readonly files?: { readonly [path: string]: string } }
  readonly input: JsonObject
  readonly output?: JsonObject
  readonly error?: string
  /** JSON pointers into `output` whose values differ from run to run, such as a time, or may be absent. */
  readonly varies?: readonly string[]
}

/** What an author writes: a contract in which everything that has a default may be left out. */
export interface ContractSource {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly version?: string
  readonly status?: Status
  /** How callers reach the tool, such as `mcp (stdio)`. Default: as every tool is served. */
  readonly transport?: string
  /** Where callers reach it: the name of an MCP server, or an address. Default: the toolset. */
  readonly endpoint?: string
  readonly risk: Risk
  readonly approval?: ApprovalNeed
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly errors?: readonly DeclaredError[]
  readonly limits?: Partial<Limits>
  readonly effects?: Effects
  /** Default: told from `effects` and `risk`. */
  readonly summary?: Summary
  /** Rules that the tool keeps beside its schemas, as sentences for people and models. */
  readonly constraints?: readonly string[]
  readonly examples?: readonly Example[]
}

export const defaultLimits = { timeoutMs: 60_000, inputBytes: 1_048_576, outputBytes: 1_048_576 } as const
