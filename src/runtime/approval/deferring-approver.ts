import type { Approver } from './approver.ts'
import { type KeepOptions, keepQuestion, toLater } from './kept-question.ts'

/** Puts the question into the queue and ends the call at once. The same call, made again, uses the answer. */
export function createDeferringApprover(options: KeepOptions): Approver {
  return async (request) => {
    const kept = await keepQuestion(options, request)
    return 'answer' in kept ? kept : toLater(kept)
  }
}
