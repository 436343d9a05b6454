import type { Approvals } from '../storage/storage.ts'
import type { ApprovalRequest, Approver } from './approver.ts'
import { toQueueAnswer } from './consume-answer.ts'
import { addQuestion, awaitAnswer, type KeepOptions, keepQuestion, pollQuestion, toLater } from './queue.ts'

/** Adds the question to the queue and ends the call at once. The same call, made again, uses the answer. */
export function createDeferringApprover(options: KeepOptions): Approver {
  return async (request) => {
    const kept = await keepQuestion(options, request)
    return 'answer' in kept ? kept : toLater(kept)
  }
}

export interface WaitOptions extends KeepOptions {
  /** How long the call waits; 0: it ends at once. The question stays in the queue. */
  readonly waitMs: number
  /** Called when the wait begins. */
  readonly onPending?: (id: string) => void
  /** Aborted when the client is gone: the call ends, and the question stays. */
  readonly leave?: AbortSignal | undefined
}

/** Adds the question to the queue and waits for a limited time. Without an answer by then, the same call, made again, uses it. */
export function createWaitingApprover({ waitMs, onPending, leave, ...options }: WaitOptions): Approver {
  return async (request, signal) => {
    const kept = await keepQuestion(options, request, waitMs > 0)
    if ('answer' in kept) return kept
    onPending?.(kept.id)
    return awaitAnswer(options.approvals, request, { ...kept, waitMs, signal, leave })
  }
}

interface QueueOptions {
  readonly approvals: Approvals
  /** How long a call waits for its answer. */
  readonly waitMs: number
  /** Called when the question can be answered, to notify a person. The wait begins once it resolves. */
  readonly onWaiting?: (request: ApprovalRequest) => void | Promise<void>
}

/** Lets a call wait in the queue. The question ends with the call, also if its process dies. Its id is that of the call. */
export function createQueueApprover({ approvals, waitMs, onWaiting }: QueueOptions): Approver {
  const noAnswer = { answer: 'timeout', by: 'no one', via: 'queue' } as const
  return async (request, signal) => {
    const { callId, questionId: id, binding } = request
    const full = await addQuestion(approvals, request, { waitsUntil: Date.now() + waitMs, waits: true })
    if (full) return full
    await onWaiting?.(request)
    await pollQuestion(approvals, { id, callId, waitMs, ends: signal })
    const state = await approvals.withdraw(id, Date.now())
    if (state.state !== 'answered') return noAnswer
    if (state.answer === 'no') return toQueueAnswer({ id, ...state })
    // An approval is for exactly the call that was asked about, and is used once.
    const approval = await approvals.use(id, binding, Date.now())
    return approval ? toQueueAnswer({ ...approval, answer: 'yes' }) : noAnswer
  }
}
