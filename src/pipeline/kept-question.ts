import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../contract/json.ts'
import type { Approvals, RememberedQuestion, Waiter } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalDetails, ApprovalRequest } from './approver.ts'
import { toDetails } from './to-details.ts'

/**
 * Questions that outlive their call. The call may end before a person answers; the same call, made again, finds the
 * question or its answer by what it is about (tool, contract, input, caller, workspace) and needs no id. Invariants: an
 * answer is acted on once, across processes, and a call that has returned never runs.
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

/** How long a waiting call counts as alive after its last sign of life, and how often it gives one. */
export const leaseMs = 10_000
const extendMs = 3000
const pollMs = 100

/** The queue holds whole inputs, and people read it. */
const maxPending = 50

/** The answer to an earlier, equal call; else the id of the pending question about it, which is new if there was none. */
export async function keepQuestion(
  { approvals, keepMs, onWaiting }: KeepOptions,
  request: ApprovalRequest,
  waits = false,
): Promise<ApprovalAnswer | { readonly id: string }> {
  const { callId: id, binding, caller } = request
  const found = await findQuestion(approvals, request, waits)
  if (found) return found
  const askedAt = Date.now()
  const pending = (await approvals.questions(askedAt)).filter((question) => isPendingOf(question, caller.name))
  if (pending.length >= maxPending)
    return { answer: 'no', by: `Toolpact: ${maxPending} calls of this caller are waiting already`, via: 'queue' }
  const expiresAt = askedAt + keepMs
  const details = toJson(await toQueuedDetails(request, expiresAt))
  const waiter = waits ? { waiter: toWaiter(request) } : {}
  await approvals.request({ id, ...binding, askedAt, expiresAt, answerMs: keepMs, ...waiter, details }, askedAt)
  onWaiting?.(request, id)
  return { id }
}

/** The same without asking a new question. */
export async function findQuestion(
  approvals: Approvals,
  request: ApprovalRequest,
  waits = false,
): Promise<ApprovalAnswer | { readonly id: string } | undefined> {
  const found = await approvals.resume(request.binding, Date.now(), waits ? toWaiter(request) : undefined)
  if (found?.state !== 'answered') return found && { id: found.id }
  const { id, answer, by, forTool } = found
  return { answer, by, via: 'queue', ...(answer === 'yes' && { id, ...(forTool && { forTool }) }) }
}

interface AwaitOptions {
  readonly id: string
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
  { id, waitMs, signal, leave }: AwaitOptions,
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
      if (!(await approvals.extend(id, { callId, waitsUntil }, Date.now()))) return toLater(id)
    }
    if (signal.aborted) await approvals.discard(id, Date.now())
    if (state === 'expired' || (state === 'pending' && isOver) || ends.aborted) return toLater(id)
    if (state === 'answered') {
      const found = await approvals.resume(binding, Date.now())
      if (found?.state !== 'answered') return toLater(found?.id ?? id)
      const { answer, by, forTool } = found
      return { answer, by, via: 'queue', ...(answer === 'yes' && { id: found.id, ...(forTool && { forTool }) }) }
    }
    await sleep(Math.min(pollMs, Math.max(left, 0)), undefined, { signal: ends }).catch(() => {})
  }
}

export function toLater(id: string): ApprovalAnswer {
  return { answer: 'later', by: 'no one yet', via: 'queue', id }
}

/** What a person sees of a call that waits in the queue. */
export async function toQueuedDetails(request: ApprovalRequest, waitsUntil: number): Promise<QueuedDetails> {
  const [details, offers] = await Promise.all([toDetails(request), request.offerRules()])
  const forTool = offers.at(-1)?.about
  return { ...details, waitsUntil, ...(forTool !== undefined && { forTool }) }
}

export function toJson(details: QueuedDetails): JsonObject {
  return details as unknown as JsonObject
}

export function toWaiter({ callId }: ApprovalRequest): Waiter {
  return { callId, waitsUntil: Date.now() + leaseMs }
}

function isPendingOf({ state, caller }: RememberedQuestion, name: string): boolean {
  return state === 'pending' && caller === name
}
