import type { CallRow } from './calls.ts'

export interface RuleRow {
  readonly id: string
  readonly tool: string
  readonly pattern: string
  readonly short?: string
  readonly action: 'allow' | 'ask' | 'deny'
  readonly scope: string
  /** The callers that it is for, and `group:NAME`. Absent: every caller. */
  readonly who?: readonly string[]
  readonly state: 'active' | 'disabled' | 'expired' | 'invalid'
  readonly problems: readonly string[]
  readonly expiresAt: string | null
  readonly description: string
  readonly createdBy: string
  readonly createdAt: string
  readonly uses: number
  readonly lastUsedAt: string | null
}

export interface RuleList {
  readonly rules: readonly RuleRow[]
}

export interface RuleInput {
  readonly tool: string
  /** The strict form, or a short form such as `command: git status`, `path: notes/**`, `host: docs.python.org`, `*`. */
  readonly pattern: string
  readonly action: 'allow' | 'ask' | 'deny'
  readonly scope?: 'session' | 'workspace' | 'everywhere'
  /** `*`: every caller. With an answer, the default is the caller of the question; else every caller. */
  readonly who?: readonly string[]
  readonly expiresAt?: string
  readonly description?: string
}

export interface RuleChange {
  readonly change: 'disable' | 'enable' | 'remove' | 'expire'
}

export interface RulePreview {
  /** The strict form that would be saved. */
  readonly pattern: string
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Over the last calls of the tool. */
  readonly calls: number
  readonly matched: number
  /** Of the matched: how they were decided. */
  readonly wereAllowed: number
  readonly wereAsked: number
  readonly wereDenied: number
  /** Such as "Would have allowed 41 of the last 500 calls, among them 3 that were denied". */
  readonly text: string
}

export interface SimulateRequest {
  readonly add?: readonly RuleInput[]
  readonly remove?: readonly string[]
  /** Default: 500, at most 5000. */
  readonly last?: number
}

export interface SimulateResponse {
  readonly calls: number
  /** Calls whose input was redacted or shortened, so that no rule can be tried on them. */
  readonly skipped: number
  readonly changed: readonly {
    readonly call: CallRow
    readonly before: 'allow' | 'ask' | 'deny'
    readonly after: 'allow' | 'ask' | 'deny'
    readonly rule: string
  }[]
}

export interface ActionResponse {
  /** What happened, in one line. */
  readonly message: string
}
