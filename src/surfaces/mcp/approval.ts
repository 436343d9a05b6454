import { isObject, type JsonObject } from '../../contract/json.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../runtime/approval/approver.ts'
import { findOwnQuestion, takeAnswer } from '../../runtime/approval/consume-answer.ts'
import { askAgain, withReason } from '../../runtime/approval/outdated.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { createDeferringApprover, createWaitingApprover } from '../../runtime/approval/queue-approvers.ts'
import { toApproveCommand, toCallText } from '../../runtime/approval/texts.ts'
import type { Approvals } from '../../runtime/storage/storage.ts'
import { toKeepOptions } from '../asking.ts'
import { createDialogApprover } from './ask-client.ts'
import type { CallServices } from './call-tool.ts'
import { readClientAnswer } from './client-answer.ts'
import { type Exchange, toGone } from './connection.ts'
import { canElicit, toElicitation } from './elicitation.ts'
import { type Reporter, repeatProgress } from './progress.ts'
import type { Client } from './server.ts'

/** How approval of a call is requested. */
export interface Approval {
  approver: Approver
  /** The question for a modern client, if the call ended with a pending question of this id. */
  toQuestion?: (id: string) => Promise<JsonObject | undefined>
  /** Set if the request is refused, because it answers a question about another call. */
  refusal?: string
}

interface CallState {
  readonly exchange: Exchange
  readonly client: Client
  readonly progress: Reporter | undefined
}

/** The key of our question in `inputRequests`. */
const questionKey = 'approval'

/** Asks the client's user if the client supports it and the operator wants it, otherwise in the queue. */
export function chooseApproval(
  { served: { approvals }, asking }: CallServices,
  params: JsonObject,
  { exchange, client, progress }: CallState,
): Approval {
  if (asking.always) return { approver: asking.always }
  const { maxWaitMs = asking.waitMs, progressMs } = asking
  const keep = toKeepOptions(approvals, asking)
  // A client without progress may have timed out unnoticed: its call must not run much later.
  const waitMs = progress ? maxWaitMs : Math.min(asking.waitMs, maxWaitMs)

  const queue: Approver = async (request, signal) => {
    let id: string | undefined
    const stop = repeatProgress(progress, () => id && toWaitingText(request, id), progressMs)
    const onPending = (pending: string) => {
      id = pending
      progress?.wait(toWaitingText(request, id))
    }
    return createWaitingApprover({ ...keep, waitMs, onPending, leave: toGone(exchange) })(request, signal).finally(stop)
  }

  const where = canElicit(client) ? (asking.askIn?.(exchange.caller) ?? 'client') : 'queue'
  const answer = client.isModern ? readAnswer(params) : undefined
  const askLater = createDeferringApprover(keep)
  if (answer) return toAnswered(approvals, answer, { queue, askLater })
  if (where === 'queue' || (!client.isModern && !exchange.canSend)) return { approver: queue }
  if (client.isModern)
    return {
      approver: askLater,
      toQuestion: (id) => toQuestion(approvals, id),
    }
  return { approver: createDialogApprover({ keep, queue, waitMs, exchange, progress, progressMs, inQueue: where === 'both' }) } // biome-ignore format: one line
}

function toWaitingText({ contract, effects }: ApprovalRequest, id: string): string {
  return `Waiting for approval of ${toCallText(contract.name, effects)}. Run: ${toApproveCommand(id)}`
}

interface GivenAnswer {
  readonly id: string
  readonly response: JsonObject
  /** Since the question was sent. */
  readonly elapsedMs: number
}

/** The client's answer to a question from an earlier request. */
function readAnswer({ requestState, inputResponses }: JsonObject): GivenAnswer | undefined {
  if (typeof requestState !== 'string' || !isObject(inputResponses)) return undefined
  const response = inputResponses[questionKey]
  if (!isObject(response)) return undefined
  const [, id = requestState, sentAt = ''] = stateForm.exec(requestState) ?? []
  return { id, response, elapsedMs: Date.now() - (sentAt === '' ? 0 : Number.parseInt(sentAt, 36)) }
}

/** The question id, and when it was sent. Not signed: a client that forges the time only affects how its own refusal is read. */
const stateForm = /^(.+)\.([0-9a-z]{1,12})$/
const toState = (id: string) => `${id}.${Date.now().toString(36)}`

/** Applies the client's answer to a pending question, which must be this caller's and about exactly this call. */
function toAnswered(
  approvals: Approvals,
  given: GivenAnswer,
  { queue, askLater }: { readonly queue: Approver; readonly askLater: Approver },
): Approval {
  let isTaken = false
  const approval: Approval = {
    async approver(request, signal): Promise<ApprovalAnswer> {
      // Something changed between the approval and its use: ask again.
      if (isTaken) return askAnew(request, signal)
      isTaken = true
      const { binding, caller } = request
      const question = await findOwnQuestion(approvals, given.id, binding)
      if (!question) {
        approval.refusal = 'requestState does not belong to a question about this call. Call again without it.'
        return { answer: 'no', by: 'no one: the answer is to another question' }
      }
      const answer = readClientAnswer(given.response, given.elapsedMs, caller.name)
      const { difference } = question
      if (answer.kind === 'yes' && difference) {
        await approvals.discard(given.id, Date.now())
        return withReason(await askAnew(askAgain(request, difference), signal), difference)
      }
      if (answer.kind === 'not_asked' && question.state === 'pending')
        return { ...(await queue(request, signal)), note: answer.note }
      return takeAnswer(approvals, { id: given.id, request, answer, via: 'elicitation' })
    },
  }

  /** Sends the client the current question. */
  function askAnew(...asked: Parameters<Approver>): Promise<ApprovalAnswer> {
    approval.toQuestion = (id) => toQuestion(approvals, id)
    return askLater(...asked)
  }

  return approval
}

async function toQuestion(approvals: Approvals, id: string): Promise<JsonObject | undefined> {
  const details = await approvals.details(id, Date.now())
  if (!details) return undefined
  const params = await toElicitation(details as unknown as QueuedDetails)
  return { inputRequests: { [questionKey]: { method: 'elicitation/create', params } }, requestState: toState(id) }
}
