import type { Difference } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalRequest } from './approver.ts'

const reasons: { readonly [difference in Difference]: string } = {
  workspace: 'it was given for another folder',
  contract: 'the contract of the tool has changed since',
  policy: 'the rules or policy settings have changed since',
  preview: 'what the call would change, or where, has changed since',
  expired: 'it has expired',
}

/** Why an approval does not count for a call. */
export function toOutdatedReason(difference: Difference): string {
  return `An earlier yes to this call does not count: ${reasons[difference]}.`
}

/** The same question, with the reason why it is asked again. */
export function askAgain(request: ApprovalRequest, difference: Difference): ApprovalRequest {
  return { ...request, reason: `${request.reason} ${toOutdatedReason(difference)}` }
}

/** Its answer, with that reason for the caller and the ledger. */
export function withReason(answer: ApprovalAnswer, difference: Difference): ApprovalAnswer {
  const why = toOutdatedReason(difference)
  return { why, note: why, ...answer }
}
