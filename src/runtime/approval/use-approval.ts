import type { ApprovalBinding, Approvals, Difference } from '../storage/storage.ts'
import type { ApprovalAnswer } from './approver.ts'

/**
 * The approval that a repeated call names by id: used up if it was granted for exactly this call. If it was granted for
 * the same call under other conditions, what differs.
 */
export async function useApproval(
  approvals: Approvals,
  id: string,
  binding: ApprovalBinding,
): Promise<ApprovalAnswer | { readonly difference: Difference }> {
  const approval = await approvals.use(id, binding, Date.now())
  if (approval) return { answer: 'yes', by: approval.by, id, ...(approval.forTool && { forTool: true }) }
  const difference = await approvals.explain(id, binding, Date.now())
  if (difference) return { difference }
  const question = await approvals.look(id, Date.now())
  if (question.state === 'pending') return { answer: 'later', by: 'no one yet', id }
  if (question.state === 'answered' && question.answer === 'no') return { answer: 'no', by: question.by }
  return { answer: 'no', by: 'an approval that is not for this call, was used before or has expired' }
}
