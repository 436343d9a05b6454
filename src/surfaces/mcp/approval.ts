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

/** How one call is asked about. */
export interface Approval {
  approver: Approver
  /** What a modern client is asked if the call ended with the question of this id. */
  toQuestion?: (id: string) => Promise<JsonObject | undefined>
  /** Why the request is refused: it answers a question that is not its own. */
  refusal?: string
}

interface CallState {
  readonly exchange: Exchange
  readonly client: Client
  readonly progress: Reporter | undefined
}

/** Our one question among those that a modern client is asked. */
const questionKey = 'approval'

/** Asks the client's user if the client can and the operator wants that, else in the queue. */
export function chooseApproval(
  { served: { approvals }, asking }: CallServices,
  params: JsonObject,
  { exchange, client, progress }: CallState,
): Approval {
  if (asking.always) return { approver: asking.always }
  const { maxWaitMs = asking.waitMs, progressMs } = asking
  const keep = toKeepOptions(approvals, asking)
  // A client without progress may have given up unnoticed: its call must not wait, and then run, much later.
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
  /** Milliseconds since the question was sent. */
  readonly elapsedMs: number
}

/** The client's answer to the question of an earlier request. */
function readAnswer({ requestState, inputResponses }: JsonObject): GivenAnswer | undefined {
  if (typeof requestState !== 'string' || !isObject(inputResponses)) return undefined
  const response = inputResponses[questionKey]
  if (!isObject(response)) return undefined
  const [, id = requestState, sentAt = ''] = stateForm.exec(requestState) ?? []
  return { id, response, elapsedMs: Date.now() - (sentAt === '' ? 0 : Number.parseInt(sentAt, 36)) }
}

/** The question, and when it was sent. A client that changes the time only changes how its own refusal is read. */
const stateForm = /^(.+)\.([0-9a-z]{1,12})$/
const toState = (id: string) => `${id}.${Date.now().toString(36)}`

/** Answers a pending question, but only one that this caller asked about exactly this call. */
function toAnswered(
  approvals: Approvals,
  given: GivenAnswer,
  { queue, askLater }: { readonly queue: Approver; readonly askLater: Approver },
): Approval {
  let isTaken = false
  const approval: Approval = {
    async approver(request, signal): Promise<ApprovalAnswer> {
      // Something changed between the yes and its use: the call is asked about anew.
      if (isTaken) return askAnew(request, signal)
      isTaken = true
      const { binding, caller } = request
      const question = await findOwnQuestion(approvals, given.id, binding)
      if (!question) {
        approval.refusal = 'requestState names no question about this call. Call again without it.'
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

  /** The client gets the question as it is now. */
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
