import type { Contract } from '../contract/contract.ts'
import type { JsonObject } from '../contract/json.ts'
import type { Caller } from '../contract/tool.ts'
import type { ApprovalBinding } from '../storage/storage.ts'

/** Everything that a person must see to decide about one exact call. */
export interface ApprovalRequest {
  readonly callId: string
  readonly caller: Caller
  readonly contract: Contract
  readonly input: JsonObject
  /** RFC 8785 text of the input: what rules match and what the approval is bound to. */
  readonly canonicalInput: string
  readonly binding: ApprovalBinding
  /** What the call would touch: the values of the input fields that the contract's effects name. */
  readonly effects: { readonly [kind in 'reads' | 'writes' | 'fetches' | 'runs']: readonly string[] }
  /** Why the policy asks. */
  readonly reason: string
}

/** A rule that a person wants kept along with a yes. */
export interface RuleProposal {
  readonly tool: string
  readonly pattern: string
}

export interface ApprovalAnswer {
  readonly answer: 'yes' | 'no' | 'timeout'
  /** Who or what answered, for the ledger: `terminal`, `--yes`, … */
  readonly by: string
  /** "Yes, and save this rule." */
  readonly rule?: RuleProposal
}

/** The port through which a person is asked. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>

/** With nobody to ask, the answer is no. */
export const denyAll: Approver = async () => ({ answer: 'no', by: 'nobody' })

/** An approver that ignores its signal must not hold a cancelled call. */
export function untilAborted(answer: Promise<ApprovalAnswer>, signal: AbortSignal): Promise<ApprovalAnswer> {
  return new Promise((resolve, reject) => {
    const cancelled = () => resolve({ answer: 'no', by: 'the caller, who cancelled' })
    if (signal.aborted) return cancelled()
    signal.addEventListener('abort', cancelled, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancelled))
  })
}

export function toEffects({ effects }: Contract, input: JsonObject): ApprovalRequest['effects'] {
  const valuesOf = (fields: readonly string[] = []) =>
    fields.map((field) => input[field]).filter((value) => typeof value === 'string')
  return {
    reads: valuesOf(effects.reads),
    writes: valuesOf(effects.writes),
    fetches: valuesOf(effects.fetches),
    runs: valuesOf(effects.runs),
  }
}
