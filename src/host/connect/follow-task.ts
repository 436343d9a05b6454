import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { type UpstreamCallOptions, UpstreamFailure } from './client.ts'
import type { Conversation, RequestOptions } from './conversation.ts'
import { answerRequests, readRequests } from './multi-round.ts'

interface Followed extends Pick<UpstreamCallOptions, 'signal' | 'peer' | 'onProgress'> {
  readonly roots: readonly JsonObject[] | undefined
}

/** A server may suggest how often to ask, within these limits. */
const minPollMs = 50
const maxPollMs = 10_000
const defaultPollMs = 1000
const maxIdCharacters = 1024
/** Questions that one task may ask. */
const maxQuestions = 100
/** Time for a server to hear that its task is no longer needed. */
const cancelMs = 5000

/**
 * Follows a task of a server of 2026-07-28 to its result: polls, passes its messages on as progress, and answers what it asks.
 * The signal bounds it; if it is aborted, the task is cancelled at the server.
 */
export async function followTask(conversation: Conversation, created: JsonObject, call: Followed): Promise<JsonValue> {
  const { signal, peer, roots, onProgress } = call
  const taskId = readId(created)
  const named: RequestOptions = { name: taskId, peer, takesTasks: true }
  const send = (method: string, more = '', until = signal) =>
    conversation.request(method, `"taskId":${JSON.stringify(taskId)}${more}`, { ...named, signal: until })
  const answered = new Set<string>()
  let task = created
  let said: JsonValue | undefined
  try {
    for (let polls = 1; ; polls++) {
      if (typeof task.statusMessage === 'string' && task.statusMessage !== said) {
        said = task.statusMessage
        onProgress?.({ progress: polls, message: conversation.quote(said, 200) })
      }
      // Poll at once for questions: the first answer of a server does not contain them.
      const isAsking = task.status === 'input_required' && polls === 1
      if (!isAsking) await sleep(toPollMs(task.pollIntervalMs), undefined, { signal, ref: false })
      task = readTask(await send('tasks/get'), taskId)
      switch (task.status) {
        case 'completed':
          return task.result ?? null
        case 'failed':
          throw conversation.toRefusal('tools/call', task.error)
        case 'cancelled':
          throw new UpstreamFailure('refused', 'The server cancelled the task of this call.')
        case 'input_required': {
          const asked = Object.entries(readRequests(task.inputRequests) ?? {}).filter(([key]) => !answered.has(key))
          if (asked.length === 0) break
          for (const [key] of asked) answered.add(key)
          if (answered.size > maxQuestions)
            throw new UpstreamFailure(
              'refused',
              `The server asked more than ${maxQuestions} questions during one task.`,
            )
          const answers = await answerRequests(Object.fromEntries(asked), { peer, roots, signal })
          await send('tasks/update', `,"inputResponses":${JSON.stringify(answers)}`)
        }
      }
    }
  } catch (cause) {
    const hasEnded = ['completed', 'failed', 'cancelled'].includes(String(task.status))
    if (!hasEnded && !conversation.isOver) send('tasks/cancel', '', AbortSignal.timeout(cancelMs)).catch(() => {})
    if (cause instanceof UpstreamFailure || !signal.aborted) throw cause
    throw new UpstreamFailure('unavailable', 'The call ended before the task of the server did.', { cause })
  }
}

/**
 * Waits for the task of a server of 2025-11-25. The request for its result waits as long as the task, and brings what it asks.
 */
export async function awaitTask(
  conversation: Conversation,
  created: JsonValue,
  { signal, peer }: Pick<Followed, 'signal' | 'peer'>,
): Promise<JsonValue> {
  const taskId = readId(isObject(created) && isObject(created.task) ? created.task : {})
  const fields = `"taskId":${JSON.stringify(taskId)}`
  try {
    return await conversation.request('tasks/result', fields, { signal, peer })
  } catch (cause) {
    if (signal.aborted && !conversation.isOver)
      conversation.request('tasks/cancel', fields, { signal: AbortSignal.timeout(cancelMs) }).catch(() => {})
    throw cause
  }
}

function readId({ taskId }: JsonObject): string {
  if (typeof taskId === 'string' && taskId !== '' && taskId.length <= maxIdCharacters) return taskId
  throw new UpstreamFailure('protocol', 'The server answered with a task that has no valid id.')
}

function readTask(result: JsonValue, taskId: string): JsonObject {
  const isKnown = isObject(result) && statuses.includes(String(result.status))
  if (isKnown && result.taskId === taskId) return result
  throw new UpstreamFailure('protocol', 'The server answered tasks/get with something other than the task.')
}

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled']

function toPollMs(wanted: JsonValue | undefined): number {
  const ms = typeof wanted === 'number' && Number.isFinite(wanted) ? wanted : defaultPollMs
  return Math.min(Math.max(ms, minPollMs), maxPollMs)
}
