import type { ServerResponse } from 'node:http'
import type { JsonObject } from '../../contract/json.ts'
import type { QueuedDetails } from '../../runtime/approval/kept-question.ts'
import type { Approvals, RememberedQuestion } from '../../runtime/storage/storage.ts'
import { sendProblem } from '../http/send-problem.ts'
import { sendAnswer } from './answer.ts'

interface Asked {
  readonly id: string
  /** Name of the caller. */
  readonly caller: string
}

/** Answers a caller what became of the question about its own call. Questions of other callers do not exist for it. */
export async function sendApproval(approvals: Approvals, response: ServerResponse, asked: Asked): Promise<void> {
  const question = await approvals.find(asked.id, Date.now())
  if (question?.caller === asked.caller) {
    const details = await approvals.details(asked.id, Date.now())
    return sendAnswer(response, { status: 200, body: JSON.stringify(await toJson(question, details)) })
  }
  const detail = 'No question about a call of yours has this id.'
  sendProblem(response, 'not_found', { detail, suggestion: 'Use the approval_id of an approval_required. Repeat the call if it is over.' }) // biome-ignore format: one line
}

/** The text has nothing that a look ahead found: a caller is not shown what files contain before a yes. */
async function toJson(question: RememberedQuestion, whole: JsonObject | undefined) {
  const { id, tool, state, expiresAt } = question
  if (state === 'answered') return { approval_id: id, tool, state: states[question.answer] }
  if (state === 'expired' || !whole) return { approval_id: id, tool, state: 'expired' }
  const { toPlainText } = await import('../../runtime/approval/text/to-plain-text.ts')
  const details = { ...(whole as unknown as QueuedDetails), foreseen: { places: [], changes: [] } }
  return {
    approval_id: id,
    tool,
    state,
    expires_at: new Date(expiresAt).toISOString(),
    approval_text: toPlainText(details),
  }
}

const states = { yes: 'approved', no: 'denied' }
