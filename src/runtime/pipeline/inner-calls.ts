import type { Contract } from '../../contract/contract.ts'
import { digest } from '../../contract/digest.ts'
import type { Judged } from '../approval/approval-request.ts'
import type { Approver } from '../approval/approver.ts'
import type { Call } from './call.ts'
import { startQuery } from './queries.ts'
import type { Trace } from './trace.ts'

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

/** Answers yes if a person approved exactly this call as part of a plan, and the step has no terms of its own. */
export function toGrantee(trace: Trace, contract: Contract, { terms }: Judged): Approver | undefined {
  const { granted } = trace.call.part ?? {}
  if (!granted || terms || granted.tool !== trace.toolId || granted.inputDigest !== trace.inputDigest) return undefined
  if (granted.contractDigest !== digest(contract)) return undefined
  return async () => ({ answer: 'yes', by: granted.by, via: 'plan' })
}

/** A step of a workflow that asks is asked about even if the policy allows it. */
export function withQuestion(judged: Judged): Judged {
  if (judged.decision.action !== 'allow') return judged
  return { ...judged, decision: { action: 'ask', rule: 'workflow', reason: 'The workflow asks before this step.' } }
}
