import type { PageGrants, ToolUi } from '../../contract/app-ui.ts'
import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Drift } from '../lock/drift.ts'
import type { Flag } from '../signals/find-signals.ts'
import type { CompletionCode } from './completions.ts'
import type { ReasonCode } from './reasons.ts'

/** Whether an upstream tool is admitted. */
export type Verdict = Admitted | Withheld

export interface Admitted {
  readonly state: 'admitted'
  readonly name: string
  /** The name that the server uses for it. */
  readonly ownName: string
  /** The contract that is enforced: the tool's definition, completed. Frozen. */
  readonly contract: Contract
  /**
   * How the output of the contract is derived: `structuredContent` as it is, `{ result: structuredContent }`, the value that
   * an attached schema describes, or `toOpaqueOutput` of the whole result.
   */
  readonly outputForm: OutputForm
  /** Whether the server's text is passed on along with a structured output. */
  readonly passesText: boolean
  /** Whether a result without `isError` breaks the contract. */
  readonly requiresIsError: boolean
  /** Whether the server offers it to apps only, not to models. */
  readonly forApps: boolean
  /** Its `_meta.ui`, with the URI under which its page is served. */
  readonly ui?: ToolUi
  /** The page that shows its results, as the server names it, and what that page may reach. */
  readonly app?: { readonly uri: string; readonly grants: PageGrants }
  /** Whether the server claims that it only reads, and the operator has not confirmed it. */
  readonly claimsToRead: boolean
  /** What was added to the tool's definition, and what was taken from claims or settings. */
  readonly completed: readonly Completion[]
  /**
   * Passages that a person should review before trusting the tool. They do not withhold it. A getter: searched when read,
   * so that a start does not wait for it and the current tools of other servers are considered.
   */
  readonly flags: readonly Flag[]
}

export type OutputForm = 'structured' | 'wrapped' | 'overlay' | 'opaque'

export interface Withheld {
  readonly state: 'withheld'
  /** The tool's name, sanitized and shortened: it comes from the server and may be anything. */
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

/** How the definition compares with the accepted one, from the lock or from earlier in this session. */
export interface LockVerdict {
  /** `kept`: it changed harmlessly, and the accepted definition stays in use. `differs`: withheld until accepted. */
  readonly state: 'same' | 'kept' | 'differs' | 'unlocked' | 'required_missing'
  /** Descriptions of the differences. */
  readonly changes: readonly string[]
  /** The kind of change, if both definitions are known. */
  readonly drift?: Drift
  /** The definition that stays in use, if it is `kept`. */
  readonly accepted?: JsonObject
}
