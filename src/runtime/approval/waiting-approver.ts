import type { Approver } from './approver.ts'
import { awaitAnswer, type KeepOptions, keepQuestion } from './kept-question.ts'

export interface WaitOptions extends KeepOptions {
  /** How long the call waits; 0: it ends at once. The question stays in the queue. */
  readonly waitMs: number
  /** Called when the wait begins. */
  readonly onPending?: (id: string) => void
  /** Aborted when the client is gone: the call ends, and the question stays. */
  readonly leave?: AbortSignal | undefined
}

/** Puts the question into the queue and waits a while. If no answer came, the same call, made again, uses it. */
export function createWaitingApprover({ waitMs, onPending, leave, ...options }: WaitOptions): Approver {
  return async (request, signal) => {
    const kept = await keepQuestion(options, request, waitMs > 0)
    if ('answer' in kept) return kept
    onPending?.(kept.id)
    return awaitAnswer(options.approvals, request, { ...kept, waitMs, signal, leave })
  }
}
