import { setTimeout as sleep } from 'node:timers/promises'
import type { Approvals, QuestionState } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from './approver.ts'
import { leaseMs, toQueued, toWaiter } from './kept-question.ts'

export interface QueueOptions {
  readonly approvals: Approvals
  /** How long a call waits for its answer. */
  readonly waitMs: number
  /** Called when the question can be answered: tell a person how. */
  readonly onWaiting?: (request: ApprovalRequest) => void
}

const extendMs = 3000
const pollMs = 100

/** Lets a call wait in the queue. The question ends with the call, also if its process dies. Its id is that of the call. */
export function createQueueApprover({ approvals, waitMs, onWaiting }: QueueOptions): Approver {
  return async (request, signal) => {
    const { questionId: id, binding } = request
    const queued = await toQueued(request, Date.now() + waitMs)
    const askedAt = Date.now()
    const waiter = toWaiter(request)
    const expiresAt = waiter.waitsUntil
    const limit = await approvals.request({ id, ...binding, askedAt, expiresAt, waiter, ...queued }, askedAt)
    if (limit) return { answer: 'full', by: 'Toolpact', via: 'queue', limit }
    onWaiting?.(request)
    const state = await wait(approvals, request, { until: performance.now() + waitMs, signal })
    return toAnswer(approvals, request, state)
  }
}

async function wait(
  approvals: Approvals,
  { callId, questionId: id }: ApprovalRequest,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<QuestionState> {
  let extended = performance.now()
  for (;;) {
    const left = until - performance.now()
    if (left <= 0 || signal.aborted) return approvals.withdraw(id, Date.now())
    await sleep(Math.min(pollMs, left), undefined, { signal }).catch(() => {})
    const state = await approvals.look(id, Date.now())
    if (state.state !== 'pending') return state
    if (performance.now() - extended < extendMs) continue
    extended = performance.now()
    await approvals.extend(id, { callId, waitsUntil: Date.now() + leaseMs }, Date.now())
  }
}

async function toAnswer(
  approvals: Approvals,
  { questionId: id, binding }: ApprovalRequest,
  state: QuestionState,
): Promise<ApprovalAnswer> {
  const noAnswer = { answer: 'timeout', by: 'no one', via: 'queue' } as const
  if (state.state !== 'answered') return noAnswer
  if (state.answer === 'no') return { answer: 'no', by: state.by, via: 'queue' }
  // The yes counts only for the call that was asked about, and only once.
  const approval = await approvals.use(id, binding, Date.now())
  if (!approval) return noAnswer
  return { answer: 'yes', by: approval.by, via: 'queue', id, ...(approval.forTool && { forTool: true }) }
}
