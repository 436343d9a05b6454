import type { ClientRequest } from '../../contract/call-client.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../runtime/approval/approver.ts'
import { type DirectAnswer, takeAnswer } from '../../runtime/approval/consume-answer.ts'
import { askAgain } from '../../runtime/approval/outdated.ts'
import {
  awaitAnswer,
  findQuestion,
  type KeepOptions,
  keepQuestion,
  toQueuedDetails,
} from '../../runtime/approval/queue.ts'
import { readClientAnswer } from './client-answer.ts'
import { type Exchange, toGone } from './connection.ts'
import { toElicitation } from './elicitation.ts'
import { type Reporter, repeatProgress } from './progress.ts'

interface DialogOptions {
  readonly keep: KeepOptions
  /** Fallback if the client does not ask its user. */
  readonly queue: Approver
  /** How long an answer in the queue can still run the call. */
  readonly waitMs: number
  readonly exchange: Exchange
  /** Sends the question. Undefined if the client responds with an error; rejects if it does not respond. */
  readonly ask: (question: ClientRequest, until: AbortSignal) => Promise<JsonValue | undefined>
  readonly progress: Reporter | undefined
  readonly progressMs: number | undefined
  /** Also ask in the queue, at the same time. */
  readonly inQueue: boolean
}

type Asked = DirectAnswer | { readonly kind: 'silent' | 'gone' }

/** Timeout of the client's dialog. */
const dialogMs = 600_000

/** Asks a client while the call waits. Falls back to the queue if the client did not ask its user. */
export function createDialogApprover(options: DialogOptions): Approver {
  const { keep, queue, waitMs, inQueue, exchange, progress, progressMs } = options
  const { approvals } = keep

  /** The question about this call in the queue, if there is one, and the request to show to the client. */
  async function findOrKeep(request: ApprovalRequest) {
    if (inQueue) return { question: await keepQuestion(keep, request, true), request }
    const { found, difference } = await findQuestion(approvals, request)
    return { question: found, request: difference ? askAgain(request, difference) : request }
  }

  return async (request, signal) => {
    const found = await findOrKeep(request)
    if (found.question && 'answer' in found.question) return found.question
    const id = found.question?.id
    const over = new AbortController()
    const leave = AbortSignal.any([over.signal, toGone(exchange)])
    const stop = repeatProgress(progress, () => 'Waiting for your answer to the question about this call.', progressMs)
    try {
      const dialog = askClient(options, found.request, AbortSignal.any([signal, leave]))
      const queued = id !== undefined && inQueue ? awaitAnswer(approvals, request, { id, waitMs, signal, leave }) : undefined // biome-ignore format: one line
      // After `waitMs` only the dialog can run this call: an answer there proves that the client is still waiting.
      const inTime = queued?.then<ApprovalAnswer | Asked>((answer) => (answer.answer === 'later' ? dialog : answer))
      const first = await Promise.race([dialog, ...(inTime ? [inTime] : [])])
      if ('answer' in first) return first
      if (first.kind === 'not_asked') return { ...(await (queued ?? queue(request, signal))), note: first.note }
      over.abort()
      const late = await queued
      if (first.kind === 'yes' || first.kind === 'no') {
        // If the queue was answered at the same time, its answer counts, unless the client's user refused.
        if (late && late.answer !== 'later' && first.kind === 'yes') return late
        return await takeAnswer(approvals, { id, request, answer: first, via: 'elicitation' })
      }
      if (late) return late
      const by = first.kind === 'gone' ? 'no one: the client is gone' : 'no one: the client did not answer'
      return { answer: first.kind === 'gone' ? 'no' : 'timeout', by, via: 'elicitation' }
    } finally {
      over.abort()
      stop()
    }
  }
}

async function askClient(
  { exchange, ask }: DialogOptions,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<Asked> {
  const silence = AbortSignal.timeout(dialogMs)
  const until = AbortSignal.any([signal, silence])
  const params = await toElicitation(await toQueuedDetails(request, Date.now() + dialogMs))
  const askedAt = performance.now()
  try {
    const result = await ask({ method: 'elicitation/create', params }, until)
    if (result === undefined) return { kind: 'not_asked', note: 'the client answered the question with an error' }
    return readClientAnswer(result, performance.now() - askedAt, exchange.caller.name)
  } catch {
    return { kind: silence.aborted ? 'silent' : 'gone' }
  }
}
