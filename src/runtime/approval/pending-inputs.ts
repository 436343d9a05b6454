import type { Trace } from '../pipeline/trace.ts'
import { findExceeded, type QueueLimit } from '../storage/storage.ts'

export interface PendingInputs {
  /** Reserves room for a pending call, or returns the limit that it would exceed. */
  enter(trace: Trace): { readonly leave: () => void } | { readonly limit: QueueLimit }
}

/**
 * Limits the inputs that this process holds for pending calls, for every approver: a dialog can stay open for minutes, and
 * each call keeps its input in memory.
 */
export function createPendingInputs(): PendingInputs {
  const callers = new Map<string, { questions: number; bytes: number }>()
  const total = { questions: 0, bytes: 0 }
  return {
    enter({ caller: { name }, canonicalInput }) {
      const bytes = canonicalInput.length
      const caller = callers.get(name) ?? { questions: 0, bytes: 0 }
      const limit = findExceeded(bytes, { caller, total })
      if (limit) return { limit }
      callers.set(name, caller)
      for (const used of [caller, total]) {
        used.questions += 1
        used.bytes += bytes
      }
      const leave = () => {
        for (const used of [caller, total]) {
          used.questions -= 1
          used.bytes -= bytes
        }
        if (caller.questions === 0) callers.delete(name)
      }
      return { leave }
    },
  }
}
