import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { RuleOffer, RuleProposal } from '../../contract/rule.ts'
import type { Caller } from '../../contract/tool.ts'
import type { AnswerTerms } from '../../policy/approvers.ts'
import type { AnswerPrincipal, ApprovalBinding, QueueLimit } from '../storage/storage.ts'
import type { Foreseen } from './foresee.ts'

/** Everything that a person must see to decide about one exact call. */
export interface ApprovalRequest {
  readonly callId: string
  /** The id of this question in the queue: the call id, unless the call is asked about again. */
  readonly questionId: string
  readonly caller: Caller
  readonly contract: Contract
  /** A copy: changes to it do not reach the tool. */
  readonly input: JsonObject
  /** Canonical JSON (RFC 8785) of the input: what rules match and the approval is bound to. */
  readonly canonicalInput: string
  readonly binding: ApprovalBinding
  /** What the call would touch: the values of the input fields in the contract's effects. */
  readonly effects: { readonly [kind in 'reads' | 'writes' | 'fetches' | 'runs']: readonly string[] }
  /** Why the policy asks, and why an earlier approval does not count. */
  readonly reason: string
  /** Who may answer, as `approvers` in the config says; absent: any person. Every yes is held to it. */
  readonly terms?: AnswerTerms
  /** The run of a workflow, and its step, that makes the call. */
  readonly run?: { readonly id: string; readonly step: string }
  /** A preview of what the call would do, which the approval is bound to. Never rejects. */
  readonly foresee: () => Promise<Foreseen>
  /** Rules that a person can save with their approval, narrowest first; empty if no rule would help. */
  readonly offerRules: () => Promise<readonly RuleOffer[]>
  /** How often people approved exactly this call before. */
  readonly countApprovals: () => Promise<number>
}

/** What a person must see to decide, as data that another process can show. */
export interface ApprovalDetails
  extends Pick<ApprovalRequest, 'callId' | 'caller' | 'input' | 'effects' | 'reason' | 'run'> {
  /** The full id, `toolset.tool`. */
  readonly tool: string
  readonly contract: Pick<Contract, 'name' | 'risk'>
  /** Of the contract that the answer is bound to. */
  readonly contractDigest: string
  /** Real path of the workspace; empty if there is none. */
  readonly workspace: string
  /** Parameters with free text: neither effects nor choices. */
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
  /** Who answered, for the ledger. Never a person's name if a program may have answered. */
  readonly by: string
  /** Everyone who said yes, if there are several. */
  readonly people?: readonly string[]
  /** Those who answered that an issuer vouches for. */
  readonly principals?: readonly AnswerPrincipal[]
  /** Where the answer was given, for the ledger: `terminal`, `queue`, `console`, `rest`, `elicitation`, `--yes`, … */
  readonly via?: string
  /** The approval that this answer uses up, or the pending question. */
  readonly id?: string
  /** A note for the ledger. */
  readonly note?: string
  /** Why an earlier approval, or this one, does not count. */
  readonly why?: string
  readonly limit?: QueueLimit
  /** Milliseconds from the question to its answer, if it was asked by an earlier call. */
  readonly waitedMs?: number
  /** "Yes, and save this rule". */
  readonly rule?: RuleProposal
  /** "Yes, and save the widest rule offered", which allows every call of the tool if that is safe. */
  readonly forTool?: boolean
}

/** Asks a person. It also decides how long to wait: nothing else times out an unanswered call. */
export interface Approver {
  (request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Answers without showing the call to anyone, as `--yes` does: its approval is not bound to a preview. */
  readonly isBlind?: boolean
}

/** The default: without anyone to ask, the answer is no. */
export const denyAll = toDenier('nobody')

/** Refuses every call without asking. */
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
