import type { JsonObject } from '../contract/json.ts'
import type { ApprovalBinding, Approvals } from '../storage/storage.ts'
import type { ApprovalRequest, Approver } from './approver.ts'
import { toDetails } from './to-details.ts'

export interface DeferOptions {
  readonly approvals: Approvals
  /** How long the question can be answered. */
  readonly keepMs: number
  /** Told once the question can be answered: tell a person how. */
  readonly onWaiting?: (request: ApprovalRequest, id: string) => void
}

/**
 * Puts the question into the queue and lets the call end at once, for callers that come back with the approval's id.
 * The same call, made again before anybody answered, waits under the same id.
 */
export function createDeferringApprover({ approvals, keepMs, onWaiting }: DeferOptions): Approver {
  return async (request) => {
    const askedAt = Date.now()
    const waiting = await findWaiting(approvals, request, askedAt)
    if (waiting) return { answer: 'later', by: 'nobody yet', via: 'queue', id: waiting }
    const { callId: id, binding } = request
    const expiresAt = askedAt + keepMs
    const details = { ...(await toDetails(request)), waitsUntil: expiresAt } as unknown as JsonObject
    await approvals.request({ id, ...binding, askedAt, expiresAt, details }, askedAt)
    onWaiting?.(request, id)
    return { answer: 'later', by: 'nobody yet', via: 'queue', id }
  }
}

async function findWaiting(approvals: Approvals, { binding, caller }: ApprovalRequest, now: number) {
  const questions = await approvals.questions(now)
  return questions.find(
    (question) =>
      question.state === 'pending' &&
      isSame(question, binding) &&
      (question.details.caller as { name?: unknown } | undefined)?.name === caller.name,
  )?.id
}

function isSame(question: ApprovalBinding, { tool, contractDigest, inputDigest }: ApprovalBinding): boolean {
  return question.tool === tool && question.contractDigest === contractDigest && question.inputDigest === inputDigest
}
