import type { JsonObject } from './json.ts'

export type RuleAction = 'allow' | 'ask' | 'deny'

/** Where a rule holds: in one session, in one workspace (by its real path), or everywhere. */
export type RuleScope =
  | { readonly scope: 'session'; readonly session: string }
  | { readonly scope: 'workspace'; readonly workspace: string }
  | { readonly scope: 'everywhere' }

/** What a person has decided about calls to come. Pure data, as it stands in the rules file. */
export type Rule = RuleScope & {
  readonly id: string
  /** The full id of the tool, exactly. */
  readonly tool: string
  /** A regular expression over the canonical JSON (RFC 8785) of the validated input. */
  readonly pattern: string
  readonly action: RuleAction
  /** ISO time. At exactly this moment it has expired. */
  readonly expiresAt?: string
  readonly disabled?: boolean
  readonly description?: string
  readonly createdBy: string
  /** ISO time. */
  readonly createdAt: string
  /** Inputs that the pattern must and must not match. A rule that breaks its own examples allows nothing. */
  readonly examples?: { readonly match?: readonly JsonObject[]; readonly mustNotMatch?: readonly JsonObject[] }
}
