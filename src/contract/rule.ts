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
  /** A regular expression over the canonical JSON (RFC 8785) of the validated input, or `*`: every call of the tool. */
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

/** What else may stand in the ledger as what decided. No rule is named so. */
export const reservedRuleIds: readonly string[] = [
  'contract',
  'ask-all',
  'read-only',
  'rules-file',
  'data-flow',
  'host',
]

/**
 * How much a rule made from a call leaves open: nothing; what is done with the same file; which file of the same folder;
 * the plain arguments of the same command, or of its subcommand; the page of the same site; every call of the tool.
 */
export type RuleWidth = 'exact' | 'file' | 'folder' | 'command-word' | 'subcommand' | 'site' | 'tool'

/** The pattern of a rule for every call of its tool. As a regular expression it would be invalid, so it is never one by mistake. */
export const everyCall = '*'

/** A rule that could be saved along with a yes to a call. */
export interface RuleOffer {
  readonly tool: string
  readonly width: RuleWidth
  readonly pattern: string
  /** What it covers, in a few words. */
  readonly about: string
}

/** A rule that a person wants kept along with a yes. It allows. */
export interface RuleProposal {
  readonly tool: string
  readonly pattern: string
  /** Default: `workspace`. */
  readonly scope?: RuleScope['scope']
  /** ISO time. */
  readonly expiresAt?: string
  readonly description?: string
}
