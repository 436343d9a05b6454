import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import type { FileChange } from './questions.ts'

export interface ToolQuery {
  readonly text?: string
  readonly toolset?: string
  readonly offset?: number
  /** Default: 100, at most 500. */
  readonly limit?: number
}

export interface ToolRow {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly toolset: string
  readonly isUpstream: boolean
  readonly risk: string
  readonly approval: string
  readonly status: string
  /** Approximate tokens of its definition in a model's context. */
  readonly tokens: number
}

export interface ToolPage {
  readonly tools: readonly ToolRow[]
  readonly total: number
  readonly toolsets: readonly { readonly name: string; readonly tools: number }[]
}

export interface ToolDetail extends ToolRow {
  /** The contract as enforced. */
  readonly contract: JsonObject
  readonly contractDigest: string
  /** The name under which MCP clients see it. */
  readonly servedAs: string
  readonly calls: {
    readonly total: number
    readonly failed: number
    readonly refused: number
    readonly since: string | null
  }
  /** Names of servers, as they are shown beside it: what was completed or is flagged by admission. */
  readonly notes: readonly string[]
}

export interface TryRequest {
  readonly input: JsonValue
}

export interface Problem {
  /** JSON pointer into the input. */
  readonly pointer: string
  readonly message: string
}

export type ForeseeResponse =
  | { readonly valid: false; readonly problems: readonly Problem[] }
  | {
      readonly valid: true
      readonly action: 'allow' | 'ask' | 'deny'
      readonly rule: string
      readonly reason: string
      readonly changes: readonly FileChange[]
      readonly sandbox?: string
      /** Why there is no preview. */
      readonly problem?: string
      /** The tool itself refuses the call, so it would fail and ask no one. */
      readonly error?: { readonly code: string; readonly message: string; readonly suggestion: string }
    }

export interface TryResponse {
  readonly callId: string
  readonly success: boolean
  readonly output?: JsonValue
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly suggestion?: string
    readonly problems?: readonly Problem[]
    /** The call waits for an answer under this id. */
    readonly questionId?: string
  }
  readonly durationMs: number
}
