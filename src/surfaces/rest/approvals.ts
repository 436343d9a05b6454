import type { ServerResponse } from 'node:http'
import { isObject, type JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import { type Answerer, answerQuestion, findRefusal } from '../../runtime/approval/answer-question.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { toCallerText } from '../../runtime/approval/texts.ts'
import type { Approvals, RememberedQuestion } from '../../runtime/storage/storage.ts'
import { sendProblem } from '../http/send-problem.ts'
import { sendAnswer } from './answer.ts'

interface Asked {
  readonly id: string
  readonly caller: Caller
}

/** Sends the state of a question about a call of this caller, or that it may answer. Others are not found. */
export async function sendApproval(approvals: Approvals, response: ServerResponse, asked: Asked): Promise<void> {
  const question = await findVisible(approvals, asked)
  if (!question) return sendMissing(response)
  const details = (await approvals.details(asked.id, Date.now())) as unknown as QueuedDetails | undefined
  const body = await toJson(question, details, asked.caller.name)
  sendAnswer(response, { status: 200, body: JSON.stringify(body) })
}

/** Takes the answer of a caller whom `approvers` in the config names. */
export async function takeApproval(
  approvals: Approvals,
  response: ServerResponse,
  { body, ...asked }: Asked & { readonly body: JsonValue },
): Promise<void> {
  const answer = isObject(body) && Object.keys(body).length === 1 ? body.answer : undefined
  if (answer !== 'yes' && answer !== 'no') return sendProblem(response, 'invalid_answer')
  const { id, caller } = asked
  if (caller.only) return sendProblem(response, 'may_not_answer', { detail: 'A token that is limited to some tools cannot answer questions.' }) // biome-ignore format: one line
  if (!(await findVisible(approvals, asked))) return sendMissing(response)
  const { result, message } = await answerQuestion(approvals, { id, answer, ...toAnswerer(caller) })
  if (result === 'refused') return sendProblem(response, 'may_not_answer', { detail: message })
  if (result === 'answered_before') return sendProblem(response, 'answered_before', { detail: message })
  if (result === 'expired') return sendMissing(response)
  sendAnswer(response, { status: 200, body: JSON.stringify({ approval_id: id, result, message }) })
}

async function findVisible(approvals: Approvals, { id, caller }: Asked): Promise<RememberedQuestion | undefined> {
  const question = await approvals.find(id, Date.now())
  if (!question || question.caller === caller.name) return question
  if (caller.only) return undefined
  if (question.state !== 'pending') return question.approvedBy.includes(caller.name) ? question : undefined
  return findRefusal(question, toAnswerer(caller)) === undefined ? question : undefined
}

/** Who answers over REST: a caller, with the groups of its token. */
export function toAnswerer({ name: person, issuer, subject, groups }: Caller): Answerer & { readonly via: string } {
  return {
    ...{ person, via: 'rest' },
    ...(issuer !== undefined && { issuer }),
    ...(subject !== undefined && { subject }),
    ...(groups && { groups }),
  }
}

function sendMissing(response: ServerResponse): void {
  const detail = 'You have no call with a question of this id, and none that you may answer.'
  sendProblem(response, 'not_found', { detail, suggestion: 'Use the approval_id of an approval_required error. If the question has expired, repeat the call.' }) // biome-ignore format: one line
}

async function toJson(question: RememberedQuestion, details: QueuedDetails | undefined, caller: string) {
  const { id, tool, state, expiresAt } = question
  if (state === 'answered') return { approval_id: id, tool, state: states[question.answer] }
  if (state === 'expired' || !details) return { approval_id: id, tool, state: 'expired' }
  const { toPlainText } = await import('../../runtime/approval/text/to-plain-text.ts')
  return {
    approval_id: id,
    tool,
    state,
    expires_at: new Date(expiresAt).toISOString(),
    approval_text: question.caller === caller ? await toCallerText(details) : toPlainText(details),
  }
}

const states = { yes: 'approved', no: 'denied' }
