import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../contract/json.ts'
import type { Approvals, QuestionState } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalDetails, ApprovalRequest, Approver } from './approver.ts'
import { toDetails } from './to-details.ts'

export interface QueueOptions {
  readonly approvals: Approvals
  /** How long a call waits for its answer. */
  readonly waitMs: number
  /** Told once the question can be answered: tell a person how. */
  readonly onWaiting?: (request: ApprovalRequest) => void
}

/** What the queue keeps of a call that waits. */
export interface QueuedDetails extends ApprovalDetails {
  /** Milliseconds since 1970. */
  readonly waitsUntil: number
}

/** A question lives for so long unless it is extended: one whose process has died is gone soon after. */
const leaseMs = 10_000
const extendMs = 3000
const pollMs = 100

/** Lets a call wait in the storage until somebody answers from another process. Its id there is that of the call. */
export function createQueueApprover({ approvals, waitMs, onWaiting }: QueueOptions): Approver {
  return async (request, signal) => {
    const { callId: id, binding } = request
    const seen = await toDetails(request)
    const askedAt = Date.now()
    const details = { ...seen, waitsUntil: askedAt + waitMs } as unknown as JsonObject
    await approvals.request({ id, ...binding, askedAt, expiresAt: askedAt + leaseMs, details }, askedAt)
    onWaiting?.(request)
    const state = await wait(approvals, id, { until: performance.now() + waitMs, signal })
    return toAnswer(approvals, request, state)
  }
}

async function wait(
  approvals: Approvals,
  id: string,
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
    await approvals.extend(id, Date.now() + leaseMs, Date.now())
  }
}

async function toAnswer(
  approvals: Approvals,
  { callId: id, binding }: ApprovalRequest,
  state: QuestionState,
): Promise<ApprovalAnswer> {
  const nobody = { answer: 'timeout', by: 'nobody', via: 'queue' } as const
  if (state.state !== 'answered') return nobody
  if (state.answer === 'no') return { answer: 'no', by: state.by, via: 'queue' }
  // The yes counts only for the call that was asked about, and only once.
  const approval = await approvals.use(id, binding, Date.now())
  return approval ? { answer: 'yes', by: approval.by, via: 'queue', id } : nobody
}
