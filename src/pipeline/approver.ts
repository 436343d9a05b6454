import type { Contract } from '../contract/contract.ts'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import type { Caller } from '../contract/tool.ts'
import type { ApprovalBinding } from '../storage/storage.ts'

/** Everything that a person must see to decide about one exact call. */
export interface ApprovalRequest {
  readonly callId: string
  readonly caller: Caller
  readonly contract: Contract
  /** A copy: what an approver does to it does not reach the tool. */
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

/** The port through which a person is asked. It decides how long to wait: nothing else ends a call that nobody answers. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>

/** With nobody to ask, the answer is no. */
export const denyAll: Approver = async () => ({ answer: 'no', by: 'nobody' })

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

export function toEffects({ effects }: Contract, input: JsonObject): ApprovalRequest['effects'] {
  const valuesOf = (fields: readonly string[] = []) => fields.flatMap((field) => toTexts(input[field]))
  return {
    reads: valuesOf(effects.reads),
    writes: valuesOf(effects.writes),
    fetches: valuesOf(effects.fetches),
    runs: valuesOf(effects.runs),
  }
}

/** Whatever its shape, an effect that is there must be seen. */
function toTexts(value: JsonValue | undefined): string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(toTexts)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}
