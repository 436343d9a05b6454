import { isObject, type JsonObject } from '../../../contract/json.ts'
import { answerDirectly } from '../../../runtime/approval/answer-question.ts'
import type { QueuedDetails } from '../../../runtime/approval/queue.ts'
import type { Approvals } from '../../../runtime/storage/storage.ts'
import type { StoredTask } from '../../../runtime/storage/tasks.ts'
import type { Place } from '../approval.ts'
import { readClientAnswer } from '../client-answer.ts'
import { toElicitation, toPage, toPageElicitation } from '../elicitation.ts'

/** The question that a task waits for, and how its client shows it. */
export interface TaskQuestion {
  readonly id: string
  readonly expiresAt: number
  readonly inputRequests?: JsonObject
}

/** A key is used once in the life of a task, so it names the question. */
const formKey = 'approval-'
const pageKey = 'console-'

/** Undefined if the question has ended. */
export async function toTaskQuestion(
  approvals: Approvals,
  id: string,
  { kind, console }: Place,
): Promise<TaskQuestion | undefined> {
  const question = await approvals.find(id, Date.now())
  if (!question || question.state === 'expired') return undefined
  const { expiresAt } = question
  if (kind === 'queue') return { id, expiresAt }
  const details = (await approvals.details(id, Date.now())) as unknown as QueuedDetails | undefined
  if (!details) return { id, expiresAt }
  const [key, params] =
    console === undefined
      ? [`${formKey}${id}`, await toElicitation(details)]
      : [`${pageKey}${id}`, toPageElicitation(details, toPage(console, id))]
  return { id, expiresAt, inputRequests: { [key]: { method: 'elicitation/create', params } } }
}

/** Applies what a client answered to the form of a waiting task. A page is answered in the console, not by the client. */
export async function takeTaskAnswer(
  approvals: Approvals,
  task: StoredTask,
  { key, response }: { readonly key: string; readonly response: unknown },
): Promise<void> {
  const { caller, updatedAt } = task
  const questionId = key.startsWith(formKey) ? key.slice(formKey.length) : undefined
  if (questionId === undefined || !Object.hasOwn(task.inputRequests ?? {}, key)) return
  const answer = readClientAnswer(isObject(response) ? response : {}, Date.now() - updatedAt, caller)
  await answerDirectly(approvals, { id: questionId, answer, caller, via: 'elicitation' })
}
