import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../contract/json.ts'
import type { RuleOffer } from '../../contract/rule.ts'
import type { AnswerTerms } from '../../policy/approvers.ts'
import { pace } from '../pipeline/pace.ts'
import type { Approvals, Difference, QuestionState, Waiter } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalDetails, ApprovalRequest } from './approver.ts'
import { toQueueAnswer } from './consume-answer.ts'
import { askAgain, toOutdatedReason } from './outdated.ts'
import { toTarget } from './texts.ts'
import { toDetails } from './to-details.ts'

/**
 * Questions in the queue, which any process with the same state can answer. A question may outlive its call: the same call,
 * made again, finds the question or its answer by its binding and needs no id. Invariants: an answer is acted on once,
 * across processes, and a call that has returned never runs. Answers, timeouts, cancellations and equal calls race, and a
 * process may die at any time, so every transition is one atomic operation of the storage.
 */
export interface KeepOptions {
  readonly approvals: Approvals
  /** How long the question can be answered, and how long its answer can be used after that. */
  readonly keepMs: number
  /** Called when a new question can be answered, to notify a person. */
  readonly onWaiting?: (request: ApprovalRequest, id: string) => void
}

/** What the queue stores about a call. */
export interface QueuedDetails extends ApprovalDetails {
  /** Milliseconds since 1970: when the question expires. */
  readonly waitsUntil: number
  /** Rules that could be saved with a yes, narrowest first. Absent in questions of an older version. */
  readonly offers?: readonly RuleOffer[]
  /** What else an approval "for this tool" would allow; absent if no rule would help. */
  readonly forTool?: string
}

/** What a list of questions shows of a call. */
export interface QueuedSummary extends Pick<ApprovalDetails, 'caller' | 'run'> {
  readonly risk: ApprovalDetails['contract']['risk']
  /** What the call would touch, in a few words; empty if unknown. */
  readonly target: string
  readonly waitsUntil: number
  /** Who may answer; absent: any person. */
  readonly terms?: AnswerTerms
}

/** A waiting call renews its lease; without renewal it counts as dead once the lease is over. */
const leaseMs = 10_000
const renewMs = 3000
const pollMs = 100

/** A pending question. */
interface Pending {
  readonly id: string
  /** Why an earlier approval does not count. */
  readonly why?: string | undefined
}

/** The answer to an earlier, equal call; else the pending question about it, which is new if there was none. */
export async function keepQuestion(
  { approvals, keepMs, onWaiting }: KeepOptions,
  request: ApprovalRequest,
  waits = false,
): Promise<ApprovalAnswer | Pending> {
  const { found, difference } = await findQuestion(approvals, request, waits)
  if (found) return found
  const waitsUntil = Date.now() + keepMs
  const asked = difference ? askAgain(request, difference) : request
  const full = await addQuestion(approvals, asked, { waitsUntil, waits, keepMs })
  if (full) return full
  const { questionId: id } = request
  onWaiting?.(request, id)
  return { id, ...(difference && { why: toOutdatedReason(difference) }) }
}

/** The same without asking a new question. `difference`: why an earlier approval does not count. */
export async function findQuestion(
  approvals: Approvals,
  request: ApprovalRequest,
  waits = false,
): Promise<{ readonly found?: ApprovalAnswer | Pending; readonly difference?: Difference }> {
  const found = await approvals.resume(request.binding, Date.now(), waits ? toWaiter(request) : undefined)
  if (found?.state === 'outdated') return { difference: found.difference }
  if (found?.state === 'pending') return { found: { id: found.id } }
  return found ? { found: toQueueAnswer(found) } : {}
}

interface QuestionOptions {
  /** When the question expires, as people are shown. */
  readonly waitsUntil: number
  /** The call waits for the answer. */
  readonly waits: boolean
  /** How long an answer can be used. Absent: question and answer end with the call. */
  readonly keepMs?: number
}

/** Adds a question to the queue, under its own id. Returns an answer only if the queue is full. */
export async function addQuestion(
  approvals: Approvals,
  request: ApprovalRequest,
  { waitsUntil, waits, keepMs }: QuestionOptions,
): Promise<ApprovalAnswer | undefined> {
  const { questionId: id, binding, caller, contract, effects, terms, run } = request
  const shown = { caller, risk: contract.risk, target: toTarget(effects), waitsUntil }
  const summary: QueuedSummary = { ...shown, ...(terms && { terms }), ...(run && { run }) }
  const details = await toQueuedDetails(request, waitsUntil)
  await pace('ask', request.canonicalInput.length)
  const texts = { summary: summary as unknown as JsonObject, details: details as unknown as JsonObject }
  const people = terms && { peopleNeeded: terms.people }
  // A preview may take seconds, so the lease begins only now.
  const waiter = toWaiter(request)
  const life = keepMs === undefined ? { expiresAt: waiter.waitsUntil } : { expiresAt: waitsUntil, answerMs: keepMs }
  const askedAt = Date.now()
  const limit = await approvals.request(
    { id, ...binding, askedAt, ...life, ...people, ...(waits && { waiter }), ...texts },
    askedAt,
  )
  return limit && { answer: 'full', by: 'Toolpact', via: 'queue', limit }
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
  const { callId, binding } = request
  const ends = leave ? AbortSignal.any([signal, leave]) : signal
  const found = await pollQuestion(approvals, { id, callId, waitMs, ends, yields: true })
  // Ends the lease. Only the call that holds it may act on the answer.
  const isOwn = await approvals.extend(id, { callId, waitsUntil: Date.now() }, Date.now())
  if (!isOwn) return toLater({ id, why })
  if (signal.aborted) await approvals.discard(id, Date.now())
  if (found.state !== 'answered' || ends.aborted) return toLater({ id, why })
  const resumed = await approvals.resume(binding, Date.now())
  if (resumed?.state === 'answered') return toQueueAnswer(resumed)
  return toLater({ id: resumed?.state === 'pending' ? resumed.id : id, why })
}

interface PollOptions {
  readonly id: string
  readonly callId: string
  readonly waitMs: number
  readonly ends: AbortSignal
  /** Also stop once an equal call waits for the answer instead. */
  readonly yields?: boolean
}

/** Renews the lease of the call until the question is answered or expires, the time is over or `ends` is aborted. */
export async function pollQuestion(
  approvals: Approvals,
  { id, callId, waitMs, ends, yields }: PollOptions,
): Promise<QuestionState> {
  const until = performance.now() + waitMs
  let renewedAt = performance.now()
  let wake = () => {}
  // Polling guarantees that the answer is found; a reported change makes it sooner, also from another server.
  const stopWatching = approvals.watch(() => wake())
  try {
    for (;;) {
      const { promise: changed, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const left = until - performance.now()
      const found = await approvals.look(id, Date.now())
      if (found.state !== 'pending' || left <= 0 || ends.aborted) return found
      if (performance.now() - renewedAt >= renewMs) {
        renewedAt = performance.now()
        const isOwn = await approvals.extend(id, { callId, waitsUntil: Date.now() + leaseMs }, Date.now())
        if (!isOwn && yields) return found
      }
      await waitFor(changed, Math.min(pollMs, left), ends)
    }
  } finally {
    stopWatching()
  }
}

/** Resolves with the change, after the time, or once `ends` is aborted. */
async function waitFor(changed: Promise<void>, ms: number, ends: AbortSignal): Promise<void> {
  const over = new AbortController()
  const time = sleep(ms, undefined, { signal: AbortSignal.any([ends, over.signal]) }).catch(() => {})
  await Promise.race([changed, time])
  over.abort()
}

export function toLater({ id, why }: Pending): ApprovalAnswer {
  return { answer: 'later', by: 'no one yet', via: 'queue', id, ...(why !== undefined && { why }) }
}

export async function toQueuedDetails(request: ApprovalRequest, waitsUntil: number): Promise<QueuedDetails> {
  const [details, offers] = await Promise.all([toDetails(request), request.offerRules()])
  const forTool = offers.at(-1)?.about
  return { ...details, waitsUntil, offers, ...(forTool !== undefined && { forTool }) }
}

function toWaiter({ callId }: ApprovalRequest): Waiter {
  return { callId, waitsUntil: Date.now() + leaseMs }
}
