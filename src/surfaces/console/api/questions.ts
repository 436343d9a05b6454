import type { JsonObject } from '../../../contract/json.ts'
import type { RuleInput } from './rules.ts'
import type { StepOfRun } from './runs.ts'

export interface QuestionRow {
  readonly id: string
  readonly tool: string
  readonly risk: string
  readonly caller: string
  /** What it would touch, in a few words. */
  readonly target: string
  readonly workspace: string
  readonly askedAt: string
  readonly expiresAt: string
  /** Whether a call waits for the answer right now. */
  readonly isAwaited: boolean
  /** People who said yes so far, and how many must. */
  readonly approvedBy: readonly string[]
  readonly peopleNeeded: number
  /** Why this person may not answer; absent if they may. */
  readonly refusal?: string
}

export interface QuestionList {
  /** Oldest first. */
  readonly pending: readonly QuestionRow[]
  /** Ended within the last hour, newest first. */
  readonly ended: readonly {
    readonly id: string
    readonly tool: string
    readonly caller: string
    readonly answer: 'yes' | 'no' | 'expired'
    readonly by: string | null
  }[]
}

export interface QuestionDetail extends QuestionRow {
  readonly input: JsonObject
  /** Parameters with free text. */
  readonly texts: readonly string[]
  readonly effects: {
    readonly reads: readonly string[]
    readonly writes: readonly string[]
    readonly fetches: readonly string[]
    readonly runs: readonly string[]
  }
  readonly places: readonly {
    readonly path: string
    readonly real?: string
    readonly exists?: boolean
    readonly problem?: string
  }[]
  readonly changes: readonly FileChange[]
  readonly sandbox?: string
  /** The steps of a workflow. */
  readonly steps?: readonly string[]
  /** Why the tool could not preview the call. */
  readonly problem?: string
  readonly reason: string
  readonly session: string | null
  readonly principal?: Principal
  /** Whose calls a rule that is saved with a yes is for, unless it says otherwise. */
  readonly ruleFor: string
  /** The run of a workflow that asks, and its step. */
  readonly run?: StepOfRun
  readonly contractDigest: string
  readonly inputDigest: string
  readonly description: string
  /** Rules that could be saved with a yes, narrowest first. */
  readonly offers: readonly RuleOffer[]
  /** The same call was approved this many times before. From three on, the console proposes a rule. */
  readonly sameApproved: number
}

/** Who vouches for a caller, and how it authenticated. */
export interface Principal {
  readonly via?: string
  readonly issuer?: string
  readonly subject?: string
  readonly groups?: readonly string[]
}

export interface FileChange {
  readonly path: string
  readonly kind: 'new' | 'edit' | 'removal'
  readonly added: number
  readonly removed: number
  readonly lines: readonly DiffLine[]
  /** Lines that are not shown, because the change is too long. */
  readonly omitted: number
}

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

export interface RuleOffer {
  readonly tool: string
  readonly pattern: string
  readonly width: string
  readonly about: string
  /** As a person would write it, such as `command: git status`; absent if it has no short form. */
  readonly short?: string
}

export interface AnswerRequest {
  readonly ids: readonly string[]
  readonly answer: 'yes' | 'no'
  /** With a yes to one question: also save this rule. */
  readonly rule?: RuleInput
}

export interface AnswerResponse {
  readonly answers: readonly {
    readonly id: string
    /** `recorded`: one of several yeses that the question needs. */
    readonly result: 'approved' | 'denied' | 'recorded' | 'answered_before' | 'expired' | 'refused'
    /** What happened, in one line. */
    readonly message: string
    /** The call that runs because of it, as in the ledger. */
    readonly callId?: string
  }[]
}
