import type { JsonObject } from '../contract/json.ts'
import type { Caller } from '../contract/tool.ts'
import type { ApprovalBinding, Approvals, RememberedQuestion } from '../storage/storage.ts'
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
    const { callId: id, binding, caller } = request
    const askedAt = Date.now()
    const waiting = (await approvals.questions(askedAt)).filter((question) => isWaiting(question, caller))
    const same = waiting.find((question) => isSame(question, binding))
    if (same) return { answer: 'later', by: 'nobody yet', via: 'queue', id: same.id }
    if (waiting.length >= mostWaiting) return { answer: 'no', by: `nobody: ${mostWaiting} calls of this caller wait` }
    const expiresAt = askedAt + keepMs
    const details = { ...(await toDetails(request)), waitsUntil: expiresAt } as unknown as JsonObject
    await approvals.request({ id, ...binding, askedAt, expiresAt, details }, askedAt)
    onWaiting?.(request, id)
    return { answer: 'later', by: 'nobody yet', via: 'queue', id }
  }
}

/** The queue keeps whole inputs, and is for people to read. */
const mostWaiting = 50

function isWaiting({ state, details }: RememberedQuestion, caller: Caller): boolean {
  return state === 'pending' && (details.caller as { name?: unknown } | undefined)?.name === caller.name
}

function isSame(question: ApprovalBinding, { tool, contractDigest, inputDigest }: ApprovalBinding): boolean {
  return question.tool === tool && question.contractDigest === contractDigest && question.inputDigest === inputDigest
}
