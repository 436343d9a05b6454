import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Drift } from '../lock/drift.ts'
import type { Flag } from '../signals/find-signals.ts'
import type { CompletionCode } from './completions.ts'
import type { ReasonCode } from './reasons.ts'

/** Whether an upstream's tool may exist here. */
export type Verdict = Admitted | Withheld

export interface Admitted {
  readonly state: 'admitted'
  readonly name: string
  /** What is enforced: the tool's own words, completed. Frozen. */
  readonly contract: Contract
  /**
   * What becomes the output that the contract promises: `structuredContent` as it is, `{ result: structuredContent }`,
   * what a person attached a schema for, or `toOpaqueOutput` of the whole result.
   */
  readonly outputForm: OutputForm
  /** Whether the server's own text is passed on beside a declared output. */
  readonly passesText: boolean
  /** Whether a result without `isError` breaks the contract. */
  readonly requiresIsError: boolean
  /** Whether the server offers it to apps alone, and not to models. */
  readonly forApps: boolean
  /** Whether the server claims that it only reads, and the operator has not confirmed it. */
  readonly claimsToRead: boolean
  /** What was added to the tool's own words, and what was taken from claims or settings. */
  readonly completed: readonly Completion[]
  /**
   * What a person should read before trusting the tool. Nothing is withheld for these, and they are looked for when they
   * are read: a start does not wait for them, and they speak of what other servers list by then.
   */
  readonly flags: readonly Flag[]
}

export type OutputForm = 'structured' | 'wrapped' | 'overlay' | 'opaque'

export interface Withheld {
  readonly state: 'withheld'
  /** The tool's name, cleaned and shortened: it comes from the server and may be anything. */
  readonly name: string
  readonly reasons: readonly Reason[]
}

export interface Reason {
  readonly code: ReasonCode
  /** What is wrong, and where. */
  readonly message: string
  /** What the operator can do. */
  readonly fix: string
}

export interface Completion {
  readonly code: CompletionCode
  readonly message: string
}

/** How the definition compares with what was accepted: in the lock, or earlier in this session. */
export interface LockVerdict {
  /** `kept`: it changed harmlessly, and the accepted definition stays in use. `differs`: withheld until accepted. */
  readonly state: 'same' | 'kept' | 'differs' | 'unlocked' | 'required_missing'
  /** What differs, in words. */
  readonly changes: readonly string[]
  /** How it differs, where both definitions are known. */
  readonly drift?: Drift
  /** The definition that stays in use, if it is `kept`. */
  readonly accepted?: JsonObject
}
