import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../contract/json.ts'
import { findQuestionOf } from '../../runtime/approval/consume-answer.ts'
import type { QueuedDetails } from '../../runtime/approval/queue.ts'
import { toCallerText } from '../../runtime/approval/texts.ts'
import type { Approvals, RememberedQuestion } from '../../runtime/storage/storage.ts'
import { sendProblem } from '../http/send-problem.ts'
import { sendAnswer } from './answer.ts'

interface Asked {
  readonly id: string
  /** Name of the caller. */
  readonly caller: string
}

/** Sends the state of a question about a call of this caller. Questions of other callers are not found. */
export async function sendApproval(approvals: Approvals, response: ServerResponse, asked: Asked): Promise<void> {
  const question = await findQuestionOf(approvals, asked.id, asked.caller)
  if (question) {
    const details = await approvals.details(asked.id, Date.now())
    return sendAnswer(response, { status: 200, body: JSON.stringify(await toJson(question, details)) })
  }
  const detail = 'None of your calls has a question with this id.'
  sendProblem(response, 'not_found', { detail, suggestion: 'Use the approval_id of an approval_required error. If the question has expired, repeat the call.' }) // biome-ignore format: one line
}

async function toJson(question: RememberedQuestion, details: JsonObject | undefined) {
  const { id, tool, state, expiresAt } = question
  if (state === 'answered') return { approval_id: id, tool, state: states[question.answer] }
  if (state === 'expired' || !details) return { approval_id: id, tool, state: 'expired' }
  return {
    approval_id: id,
    tool,
    state,
    expires_at: new Date(expiresAt).toISOString(),
    approval_text: await toCallerText(details as unknown as QueuedDetails),
  }
}

const states = { yes: 'approved', no: 'denied' }
