import { isSameCall, toDifference } from '../storage/question-state.ts'
import type {
  Approval,
  ApprovalBinding,
  Approvals,
  Difference,
  GivenAnswer,
  RememberedQuestion,
} from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalRequest } from './approver.ts'

/**
 * Uses the approval that a repeated call names by id, if it was granted for exactly this call. If it was granted for the
 * same call under other conditions, returns what differs.
 */
export async function useApproval(
  approvals: Approvals,
  id: string,
  binding: ApprovalBinding,
): Promise<ApprovalAnswer | { readonly difference: Difference }> {
  const approval = await approvals.use(id, binding, Date.now())
  if (approval) return toYes(approval)
  const difference = await approvals.explain(id, binding, Date.now())
  if (difference) return { difference }
  const question = await approvals.look(id, Date.now())
  if (question.state === 'pending') return { answer: 'later', by: 'no one yet', id }
  if (question.state === 'answered' && question.answer === 'no') return { answer: 'no', by: question.by }
  return { answer: 'no', by: 'an approval that is not for this call, was used before or has expired' }
}

/** An answer that was given in the queue. */
export function toQueueAnswer({ answer, waitedMs, ...given }: GivenAnswer & Granted & Waited): ApprovalAnswer {
  const { by, via = 'queue', principals } = given
  const how = { via, ...(waitedMs !== undefined && { waitedMs }) }
  return answer === 'yes' ? { ...toYes(given), ...how } : { answer, by, ...(principals && { principals }), ...how }
}

/** Known of a question that an earlier call asked. */
interface Waited {
  readonly waitedMs?: number
}

type Granted = Pick<Approval, 'id' | 'by' | 'people' | 'principals' | 'via' | 'forTool'>

function toYes({ id, by, people, principals, via, forTool }: Granted): ApprovalAnswer {
  return {
    ...{ answer: 'yes', by, id },
    ...(people && { people }),
    ...(principals && { principals }),
    ...(via !== undefined && { via }),
    ...(forTool && { forTool }),
  }
}

/** What a person, or a client in place of one, answered outside the queue. */
export type DirectAnswer =
  | { readonly kind: 'yes'; readonly by: string; readonly forTool: boolean }
  | { readonly kind: 'no'; readonly by: string }
  | { readonly kind: 'not_asked'; readonly note: string }

interface Answered {
  /** The question about the same call in the queue, if there is one. */
  readonly id: string | undefined
  readonly request: ApprovalRequest
  readonly answer: DirectAnswer
  /** Where it was given. */
  readonly via: string
}

/**
 * Applies a direct answer to the call, and ends its question in the queue. If the queue was answered first, that answer
 * counts, except for a yes that the person then refused.
 */
export async function takeAnswer(
  approvals: Approvals,
  { id, request, answer, via }: Answered,
): Promise<ApprovalAnswer> {
  const now = Date.now()
  if (answer.kind !== 'yes') {
    const by = answer.kind === 'no' ? answer.by : `the client of ${request.caller.name}`
    const note = answer.kind === 'no' ? {} : { note: answer.note }
    if (id === undefined) return { answer: 'no', by, via, ...note }
    const answered = await approvals.answer(id, { answer: 'no', by, via }, now)
    await approvals.discard(id, now)
    const isQueueNo = !answered.taken && answered.state === 'answered' && answered.answer === 'no'
    return isQueueNo ? toQueueAnswer({ id, ...answered }) : { answer: 'no', by, via, ...note }
  }
  const { by, forTool } = answer
  if (id === undefined) return { answer: 'yes', by, via, forTool }
  const answered = await approvals.answer(id, { answer: 'yes', by, via, forTool }, now)
  const granted = await approvals.use(id, request.binding, now)
  if (granted) return { ...toQueueAnswer({ ...granted, answer: 'yes' }), forTool: granted.forTool ?? forTool }
  if (!answered.taken && answered.state === 'answered' && answered.answer === 'no') {
    await approvals.discard(id, now)
    return toQueueAnswer({ id, ...answered })
  }
  return { answer: 'timeout', by: 'no one in time: the question has expired, or its answer was used', via }
}

/** A question about exactly this call, in the same workspace. Others do not exist for the caller. */
export async function findOwnQuestion(
  approvals: Approvals,
  id: string,
  binding: ApprovalBinding,
): Promise<(RememberedQuestion & { readonly difference?: Difference }) | undefined> {
  const question = await approvals.find(id, Date.now())
  if (!question || !isSameCall(question, binding) || question.workspace !== binding.workspace) return undefined
  const difference = toDifference({ ...question, isOver: question.state === 'expired' }, binding)
  return { ...question, ...(difference && { difference }) }
}
