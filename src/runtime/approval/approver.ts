import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RuleOffer, RuleProposal } from '../../contract/rule.ts'
import type { Caller } from '../../contract/tool.ts'
import type { ApprovalBinding, QueueLimit } from '../storage/storage.ts'
import type { Foreseen } from './foresee.ts'

/** Everything that a person must see to decide about one exact call. */
export interface ApprovalRequest {
  readonly callId: string
  /** The id of this question in the queue: that of the call, unless the call is asked about again. */
  readonly questionId: string
  readonly caller: Caller
  readonly contract: Contract
  /** A copy: what an approver does to it does not reach the tool. */
  readonly input: JsonObject
  /** RFC 8785 text of the input: what rules match and what the approval is bound to. */
  readonly canonicalInput: string
  readonly binding: ApprovalBinding
  /** What the call would touch: the values of the input fields that the contract's effects name. */
  readonly effects: { readonly [kind in 'reads' | 'writes' | 'fetches' | 'runs']: readonly string[] }
  /** Why the policy asks, and why an earlier yes does not count. */
  readonly reason: string
  /** What the call would do, as far as it can be told: what a yes is bound to. It never rejects. */
  readonly foresee: () => Promise<Foreseen>
  /** Rules that a person may choose from to save along with a yes, narrowest first; none where no rule would help. */
  readonly offerRules: () => Promise<readonly RuleOffer[]>
}

/** What a person must see to decide, as data: it can be shown in another process too. */
export interface ApprovalDetails extends Pick<ApprovalRequest, 'callId' | 'caller' | 'input' | 'effects' | 'reason'> {
  /** The full id, `toolset.tool`. */
  readonly tool: string
  readonly contract: Pick<Contract, 'name' | 'risk'>
  /** Of the contract that the answer is bound to. */
  readonly contractDigest: string
  /** Real path of the folder that tools work in; empty if there is none. */
  readonly workspace: string
  /** Parameters that are free text: neither something that the call touches nor a choice. */
  readonly texts: readonly string[]
  readonly foreseen: Foreseen
}

/** What an approver answers about one call. */
export interface ApprovalAnswer {
  /**
   * `later`: the question is in the queue under `id`; the call ends, and is repeated once it is answered.
   * `full`: no question could be asked, because of `limit`.
   */
  readonly answer: 'yes' | 'no' | 'timeout' | 'later' | 'full'
  /** Who answered, for the ledger. Never names a person if a program may have answered. */
  readonly by: string
  /** Where the answer was given, for the ledger: `terminal`, `queue`, `elicitation`, `--yes`, … */
  readonly via?: string
  /** Of an approval that was granted for this call and is used up with this answer, or of the pending question. */
  readonly id?: string
  /** What else the ledger should say. */
  readonly note?: string
  /** With `later`: why an earlier yes does not count. */
  readonly why?: string
  readonly limit?: QueueLimit
  /** "Yes, and save this rule." */
  readonly rule?: RuleProposal
  /** "Yes, and save the widest rule on offer", which allows every call of the tool if that is safe. */
  readonly forTool?: boolean
}

/** The port through which a person is asked. It decides how long to wait: nothing else ends a call without an answer. */
export interface Approver {
  (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Answers without showing the call to anyone, as `--yes` does: its yes is bound to no preview. */
  readonly isBlind?: boolean
}

/** With no one to ask, the answer is no. */
export const denyAll = toDenier('nobody')

/** Refuses every call, and shows it to no one. */
export function toDenier(by: string): Approver {
  return Object.assign(async () => ({ answer: 'no', by }) as const, { isBlind: true })
}

/** An approver that ignores its signal must not hold a cancelled call. */
export function askUntilAborted(
  approver: Approver,
  request: ApprovalRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ApprovalAnswer> {
  return new Promise((resolve, reject) => {
    const cancelled = () => resolve({ answer: 'no', by: 'the caller, who cancelled' })
    signal.addEventListener('abort', cancelled, { once: true })
    new Promise<ApprovalAnswer>((settle) => settle(approver(request, signal)))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', cancelled))
  })
}
