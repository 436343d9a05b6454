import type { Rule } from '../../contract/rule.ts'
import { StateError } from '../../state/state-error.ts'
import type { TokenStore } from './tokens.ts'

/**
 * What operators decide: rules, tokens, trusted configs, accepted tools. It changes rarely, and engines can open it
 * without opening the ledger: `toolpact token` needs nothing else.
 *
 * Every change is atomic and applies to the state at that moment, across processes. Methods that read reject with a
 * `StateError` if the state is damaged or could have been written by another user.
 */
export interface OperatorState {
  readonly rules: RuleStore
  readonly tokens: TokenStore
  readonly trust: TrustStore
  readonly lock: LockStore
}

type MaybePromise<Value> = Value | Promise<Value>

/** Rules that outlive the process. */
export interface RuleStore {
  /** Changes with every change of the rules; undefined if there are none. Called before every call: it should be cheap. */
  version(): MaybePromise<string | undefined>
  /** Every rule, in the order in which they were added. Rejects with a `RulesError` if they cannot be read or trusted. */
  load(): Promise<Rule[]>
  /** Rejects if there is a rule with that id, or if the rule could not be read again. */
  add(rule: Rule): Promise<void>
  /** False if there is no such rule. */
  remove(id: string): Promise<boolean>
  setDisabled(id: string, disabled: boolean): Promise<boolean>
  /** Sets when a rule ends, as one change: at no moment is the rule absent. False if there is no such rule. */
  expire(id: string, expiresAt: string): Promise<boolean>
  /**
   * If the rules cannot be read: restores the last good version, or with `discard` starts without rules. Rejects if
   * there is no last good version. An engine whose rules cannot be damaged resolves with `{}`.
   */
  repair(discard: boolean): Promise<Repaired>
}

/** The result of repairing rules. */
export interface Repaired {
  /** Number of rules after the repair; undefined if nothing was broken. */
  readonly rules?: number
  /** Number of rules of the last good version that were discarded; undefined if unknown. */
  readonly discarded?: number
  /** Where the damaged rules were moved. */
  readonly kept?: string
}

/** The rules cannot be read or trusted. Denials of `lastGood` hold and other calls ask; without it, every call is denied. */
export class RulesError extends StateError {
  override readonly name = 'RulesError'
  readonly lastGood: readonly Rule[] | undefined

  constructor(
    message: string,
    { lastGood, cause }: { readonly lastGood: readonly Rule[] | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause })
    this.lastGood = lastGood
  }
}

/** Configs in workspaces that the operator trusts. */
export interface TrustStore {
  load(): Promise<TrustedFile[]>
  /** Replaces what was trusted at that path. */
  add(file: TrustedFile): Promise<void>
  /** False if nothing was trusted at that path. */
  remove(path: string): Promise<boolean>
}

/** A file that is trusted with exactly this content. */
export interface TrustedFile {
  /** Real path. */
  readonly path: string
  /** Of its bytes: `sha256:` and 64 hex digits. */
  readonly digest: string
  readonly trustedBy: string
  /** ISO time. */
  readonly trustedAt: string
}

/**
 * The lock of MCP servers that are configured for every folder, as the text of a `toolpact.lock`. The lock of a project
 * is a file in that project.
 */
export interface LockStore {
  /** Where the lock is stored, for messages to the operator. */
  readonly location: string
  /** Undefined if nothing was accepted yet. */
  load(): Promise<string | undefined>
  /** Replaces the text. `make` has no side effects and may run more than once; if it throws, the lock stays as it is. */
  change(make: (text: string | undefined) => string): Promise<void>
  /** Calls `onChange` after another process, or this one, changed the lock. Returns what stops it. */
  watch(onChange: () => unknown): () => void
}
