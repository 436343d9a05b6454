import type { JsonObject, JsonSchema } from './json.ts'

/** `read_only` changes nothing, `safe_write` what can be undone, `dangerous` is everything else. */
export type Risk = 'read_only' | 'safe_write' | 'dangerous'
type ApprovalNeed = 'never' | 'ask'
type Status = 'active' | 'planned' | 'deprecated'

/** The complete contract of a tool, as data. `defineTool` makes one from a `ContractSource`. */
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
  readonly idempotent?: boolean
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
  /** Input properties. If one of them violates the schema, the call fails with this code instead of `invalid_input`. */
  readonly inputs?: readonly string[]
}

/** Limits on calls and on the time and data that a call may use. */
export interface Limits {
  /** At most `count` calls per caller in any `windowMs`. Absent: unlimited. */
  readonly calls?: { readonly count: number; readonly windowMs: number }
  /** The maximum of concurrent calls. Others queue, and the wait counts toward `timeoutMs`. Absent: unlimited. */
  readonly concurrency?: number
  readonly timeoutMs: number
  readonly inputBytes: number
  readonly outputBytes: number
}

/**
 * What a call touches: the top-level input fields that name resources, what the output carries, and who receives data.
 * Policy and approval read these, never a tool's name.
 */
export interface Effects {
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  readonly fetches?: readonly string[]
  readonly runs?: readonly string[]
  /**
   * Input fields that name who receives data: a URL, a host or an address. Fields under `fetches` are included
   * automatically.
   */
  readonly sends?: readonly string[]
  /**
   * Receivers that are the same for every call, such as `api.example.com`. `operator`: a service that the operator
   * configured.
   */
  readonly sendsTo?: readonly string[]
  /** Default: `private` for tools that read paths, `untrusted` for tools that fetch, both for tools that run commands. */
  readonly returns?: readonly DataKind[]
  /** One approval covers a host for the rest of the session, instead of one call. */
  readonly askPerHost?: boolean
}

/** What an output may carry: private data of the operator, or untrusted text written by others. */
export type DataKind = 'private' | 'untrusted'

/** The effects whose values are names of input fields. */
export const fieldEffects = ['reads', 'writes', 'fetches', 'runs', 'sends'] as const satisfies (keyof Effects)[]

/** Every input field that names a resource. */
export function toEffectFields(effects: Effects): string[] {
  return fieldEffects.flatMap((kind) => effects[kind] ?? [])
}

/** What the output carries: as declared, otherwise derived from the other effects. */
export function toReturnedKinds({ returns, reads = [], fetches = [], runs = [] }: Effects): readonly DataKind[] {
  if (returns) return returns
  const isPrivate = reads.length + runs.length > 0
  const isUntrusted = fetches.length + runs.length > 0
  return [...(isPrivate ? ['private' as const] : []), ...(isUntrusted ? ['untrusted' as const] : [])]
}

/** In `sendsTo`: a service that the operator configured, such as a search engine or a model. Always allowed. */
export const operatorService = 'operator'

/** A short summary for the overview of a toolset: `{ access: 'Memory only', sideEffects: 'Append' }`. */
export interface Summary {
  readonly access: string
  readonly sideEffects: string
}

/** An example that also runs as a test: `input` returns `output`, or fails with the code `error`. */
export interface Example {
  readonly title?: string
  /** Files that must exist before the call, by their path in the workspace. */
  readonly given?: { readonly files?: { readonly [path: string]: string } }
  readonly input: JsonObject
  readonly output?: JsonObject
  readonly error?: string
  /** JSON pointers to values in `output` that differ between runs, such as a time, or may be absent. */
  readonly varies?: readonly string[]
}

/** A contract as an author writes it: fields that have a default are optional. */
export interface ContractSource {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly version?: string
  readonly status?: Status
  /** How callers reach the tool, such as `mcp (stdio)`. Default: every transport that is served. */
  readonly transport?: string
  /** Where callers reach it: the name of an MCP server, or an address. Default: the toolset. */
  readonly endpoint?: string
  readonly risk: Risk
  readonly approval?: ApprovalNeed
  /** A repeated call with the same idempotency key has no further effect, so an interrupted step of a workflow may run again. */
  readonly idempotent?: boolean
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly errors?: readonly DeclaredError[]
  readonly limits?: Partial<Limits>
  readonly effects?: Effects
  /** Default: derived from `effects` and `risk`. */
  readonly summary?: Summary
  /** Rules beyond the schemas, as sentences for people and models. */
  readonly constraints?: readonly string[]
  readonly examples?: readonly Example[]
}

export const defaultLimits = { timeoutMs: 60_000, inputBytes: 1_048_576, outputBytes: 1_048_576 } as const
