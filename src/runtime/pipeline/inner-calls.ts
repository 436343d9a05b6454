import type { Judged } from '../approval/approval-request.ts'
import type { Call } from './call.ts'
import { startQuery } from './queries.ts'

/** For a call that a run makes: its own input and step, with the same client and way to ask. */
export function toInner({
  query,
  approvalId,
  inspect,
  keep,
  readOnly,
  onProgress,
  origin,
  innerApprover,
  run,
  part,
  ...call
}: Call): Call {
  return { ...call, ...(innerApprover && { approver: innerApprover }), query: startQuery() }
}

/** A step of a workflow that asks is asked about even if the policy allows it. */
export function withQuestion(judged: Judged): Judged {
  if (judged.decision.action !== 'allow') return judged
  return { ...judged, decision: { action: 'ask', rule: 'workflow', reason: 'The workflow asks before this step.' } }
}
