import type { JsonObject } from './json.ts'

/** What a rule does with a call that it matches. */
export type RuleAction = 'allow' | 'ask' | 'deny'

/** The scope of a rule: one session, one workspace (by real path), or everywhere. */
export type RuleScope =
  | { readonly scope: 'session'; readonly session: string }
  | { readonly scope: 'workspace'; readonly workspace: string }
  | { readonly scope: 'everywhere' }

/** A decision of a person about future calls, as stored in the rules file. */
export type Rule = RuleScope & {
  readonly id: string
  /** The full id of the tool. */
  readonly tool: string
  /**
   * A regular expression over the canonical JSON (RFC 8785) of the validated input, or `*` for every call of the tool.
   */
  readonly pattern: string
  /** How a person wrote it, if in a short form such as `command: git status`. Only the pattern decides. */
  readonly short?: string
  readonly action: RuleAction
  /** The callers whose calls it is about: names, `local` for the operator, and `group:NAME`. Absent: every caller. */
  readonly who?: readonly string[]
  /** ISO time. The rule is expired at exactly this moment. */
  readonly expiresAt?: string
  readonly disabled?: boolean
  readonly description?: string
  readonly createdBy: string
  /** ISO time. */
  readonly createdAt: string
  /** Inputs that the pattern must and must not match. A rule that fails its own examples allows nothing. */
  readonly examples?: { readonly match?: readonly JsonObject[]; readonly mustNotMatch?: readonly JsonObject[] }
}

/** Ids in the ledger of decisions that no rule made. No rule may have such an id. */
export const reservedRuleIds: readonly string[] = [
  'contract',
  'ask-all',
  'read-only',
  'rules-file',
  'data-flow',
  'host',
  'workflow',
]

/**
 * What a rule made from a call leaves open: nothing; what is done with the same file; which file in the same folder;
 * the plain arguments of the same command or subcommand; the page of the same site; every call of the tool.
 */
export type RuleWidth = 'exact' | 'file' | 'folder' | 'command-word' | 'subcommand' | 'site' | 'tool'

/**
 * The pattern of a rule for every call of its tool. It is not a valid regular expression, so it cannot be written by
 * mistake.
 */
export const everyCall = '*'

/** A rule that can be saved together with an approval. */
export interface RuleOffer {
  readonly tool: string
  readonly width: RuleWidth
  readonly pattern: string
  /** A short description of the calls it covers. */
  readonly about: string
}

/** A rule that a person saves together with an approval. It always allows. */
export interface RuleProposal {
  readonly tool: string
  /** A pattern, or a short form such as `command: git status`. */
  readonly pattern: string
  /** Default: `workspace`. */
  readonly scope?: RuleScope['scope']
  /** Names of callers, and `group:NAME`; `*` is every caller. Default: the caller of the approved call. */
  readonly who?: readonly string[]
  /** ISO time. */
  readonly expiresAt?: string
  readonly description?: string
}
