import type { JsonObject, JsonSchema } from './json.ts'

/** `read_only` changes nothing, `safe_write` what can be undone, `dangerous` is everything else. */
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

/** How often, how long and how much: what a call may use. */
export interface Limits {
  /** At most `count` calls by one caller in any span of `windowMs`. Absent: not limited. */
  readonly calls?: { readonly count: number; readonly windowMs: number }
  /** How many calls may run at once; further ones wait their turn within `timeoutMs`. Absent: not limited. */
  readonly concurrency?: number
  readonly timeoutMs: number
  readonly inputBytes: number
  readonly outputBytes: number
}

/**
 * What a call does to the world: which top-level input fields name something in it, what the output carries, and who
 * receives data. Policy and approval read these, never a tool's name.
 */
export interface Effects {
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  readonly fetches?: readonly string[]
  readonly runs?: readonly string[]
  /** Input fields that name who receives data: a URL, a host or an address. Fields under `fetches` count without being repeated. */
  readonly sends?: readonly string[]
  /** Receivers that are the same for every call, such as `api.example.com`. `operator`: a service that the operator configured. */
  readonly sendsTo?: readonly string[]
  /** Default: `private` for tools that read paths, `untrusted` for tools that fetch, both for tools that run commands. */
  readonly returns?: readonly DataKind[]
  /** One yes covers a host for the rest of the session, instead of one call. */
  readonly askPerHost?: boolean
}

/** What an output may carry: data of the operator that must not leak, or text that someone else wrote. */
export type DataKind = 'private' | 'untrusted'

/** The kinds of effects whose values are names of input fields. */
export const fieldEffects = ['reads', 'writes', 'fetches', 'runs', 'sends'] as const satisfies (keyof Effects)[]

/** Every input field that names something in the world. */
export function toEffectFields(effects: Effects): string[] {
  return fieldEffects.flatMap((kind) => effects[kind] ?? [])
}

/** What the output carries, as declared or, if that is left out, as the other effects imply. */
export function toReturnedKinds({ returns, reads = [], fetches = [], runs = [] }: Effects): readonly DataKind[] {
  if (returns) return returns
  const isPrivate = reads.length + runs.length > 0
  const isUntrusted = fetches.length + runs.length > 0
  return [...(isPrivate ? ['private' as const] : []), ...(isUntrusted ? ['untrusted' as const] : [])]
}

/** In `sendsTo`: a service that the operator configured, such as a search or a model. It is always allowed. */
export const operatorService = 'operator'

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
