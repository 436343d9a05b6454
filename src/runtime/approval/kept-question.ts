import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../contract/json.ts'
import type { Approvals, Difference, GivenAnswer, Waiter } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalDetails, ApprovalRequest } from './approver.ts'
import { askAgain, toOutdatedReason } from './outdated.ts'
import { toDetails } from './to-details.ts'
import { toTarget } from './to-target.ts'

/**
 * Questions that outlive their call. The call may end before a person answers; the same call, made again, finds the
 * question or its answer by its binding and needs no id. Invariants: an answer is acted on once, across processes, and a
 * call that has returned never runs.
 */
export interface KeepOptions {
  readonly approvals: Approvals
  /** How long the question can be answered, and how long its answer can be used from then on. */
  readonly keepMs: number
  /** Called when a new question can be answered: tell a person how. */
  readonly onWaiting?: (request: ApprovalRequest, id: string) => void
}

/** What the queue stores about a call. */
export interface QueuedDetails extends ApprovalDetails {
  /** Milliseconds since 1970: when the question expires. */
  readonly waitsUntil: number
  /** What else a yes "for this tool" would allow; absent if no rule would help. */
  readonly forTool?: string
}

/** What a list of questions shows of a call. */
export interface QueuedSummary extends Pick<ApprovalDetails, 'caller'> {
  readonly risk: ApprovalDetails['contract']['risk']
  /** What the call would touch, in a few words; empty if its contract does not say. */
  readonly target: string
  readonly waitsUntil: number
}

/** How long a waiting call counts as alive after its last sign of life, and how often it gives one. */
export const leaseMs = 10_000
const extendMs = 3000
const pollMs = 100

/** A pending question. */
interface Pending {
  readonly id: string
  /** Why an earlier yes does not count. */
  readonly why?: string | undefined
}

/** The answer to an earlier, equal call; else the pending question about it, which is new if there was none. */
export async function keepQuestion(
  { approvals, keepMs, onWaiting }: KeepOptions,
  request: ApprovalRequest,
  waits = false,
): Promise<ApprovalAnswer | Pending> {
  const { questionId: id, binding } = request
  const { found, difference } = await findQuestion(approvals, request, waits)
  if (found) return found
  const askedAt = Date.now()
  const expiresAt = askedAt + keepMs
  const queued = await toQueued(difference ? askAgain(request, difference) : request, expiresAt)
  const waiter = waits ? { waiter: toWaiter(request) } : {}
  const question = { id, ...binding, askedAt, expiresAt, answerMs: keepMs, ...waiter, ...queued }
  const limit = await approvals.request(question, askedAt)
  if (limit) return { answer: 'full', by: 'Toolpact', via: 'queue', limit }
  onWaiting?.(request, id)
  return { id, ...(difference && { why: toOutdatedReason(difference) }) }
}

/** The same without asking a new question. `difference`: why an earlier yes does not count. */
export async function findQuestion(
  approvals: Approvals,
  request: ApprovalRequest,
  waits = false,
): Promise<{ readonly found?: ApprovalAnswer | Pending; readonly difference?: Difference }> {
  const found = await approvals.resume(request.binding, Date.now(), waits ? toWaiter(request) : undefined)
  if (found?.state === 'outdated') return { difference: found.difference }
  if (found?.state === 'pending') return { found: { id: found.id } }
  return found ? { found: toAnswer(found) } : {}
}

function toAnswer({ id, answer, by, forTool }: { readonly id: string } & GivenAnswer): ApprovalAnswer {
  return { answer, by, via: 'queue', ...(answer === 'yes' && { id, ...(forTool && { forTool }) }) }
}

interface AwaitOptions extends Pending {
  readonly waitMs: number
  /** Aborted when the caller cancels: the question ends, and so does its answer. */
  readonly signal: AbortSignal
  /** Aborted when the call stops waiting for another reason: the question stays. */
  readonly leave?: AbortSignal | undefined
}

/**
 * Waits for the answer. Ends with `later` when the time is over, the caller is gone or an equal call took over: the
 * question stays pending, and this call never runs.
 */
export async function awaitAnswer(
  approvals: Approvals,
  request: ApprovalRequest,
  { id, why, waitMs, signal, leave }: AwaitOptions,
): Promise<ApprovalAnswer> {
  const until = performance.now() + waitMs
  const { callId, binding } = request
  const ends = leave ? AbortSignal.any([signal, leave]) : signal
  let extended = performance.now()
  for (;;) {
    const left = until - performance.now()
    const isOver = left <= 0 || ends.aborted
    const { state } = await approvals.look(id, Date.now())
    if (isOver || state === 'answered' || performance.now() - extended >= extendMs) {
      extended = performance.now()
      const waitsUntil = Date.now() + (isOver ? 0 : leaseMs)
      if (!(await approvals.extend(id, { callId, waitsUntil }, Date.now()))) return toLater({ id, why })
    }
    if (signal.aborted) await approvals.discard(id, Date.now())
    if (state === 'expired' || (state === 'pending' && isOver) || ends.aborted) return toLater({ id, why })
    if (state === 'answered') {
      const found = await approvals.resume(binding, Date.now())
      if (found?.state === 'answered') return toAnswer(found)
      return toLater({ id: found?.state === 'pending' ? found.id : id, why })
    }
    await sleep(Math.min(pollMs, Math.max(left, 0)), undefined, { signal: ends }).catch(() => {})
  }
}

export function toLater({ id, why }: Pending): ApprovalAnswer {
  return { answer: 'later', by: 'no one yet', via: 'queue', id, ...(why !== undefined && { why }) }
}

/** What the queue keeps of a call: what a list shows, and what a person sees who decides. */
export async function toQueued(request: ApprovalRequest, waitsUntil: number) {
  const { caller, contract, effects } = request
  const summary: QueuedSummary = { caller, risk: contract.risk, target: toTarget(effects), waitsUntil }
  const details = await toQueuedDetails(request, waitsUntil)
  return { summary: summary as unknown as JsonObject, details: details as unknown as JsonObject }
}

export async function toQueuedDetails(request: ApprovalRequest, waitsUntil: number): Promise<QueuedDetails> {
  const [details, offers] = await Promise.all([toDetails(request), request.offerRules()])
  const forTool = offers.at(-1)?.about
  return { ...details, waitsUntil, ...(forTool !== undefined && { forTool }) }
}

export function toWaiter({ callId }: ApprovalRequest): Waiter {
  return { callId, waitsUntil: Date.now() + leaseMs }
}
