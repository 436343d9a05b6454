import { isObject, type JsonObject } from '../../../contract/json.ts'
import { isPublicCaller } from '../../../contract/public-access.ts'
import type { Caller } from '../../../contract/tool.ts'
import { errorCodes } from '../../../protocol/reply.ts'
import { modernRevisions } from '../../../protocol/revisions.ts'
import { tasksExtension, tasksRevision } from '../../../protocol/tasks.ts'
import { toApproveCommand } from '../../../runtime/approval/texts.ts'
import type { StoredTask, TaskState } from '../../../runtime/storage/tasks.ts'
import type { CallServices } from '../call-tool.ts'
import type { Client } from '../server.ts'

/** Whether a client takes a task in place of a result: 2026-07-28, declared with each request. */
export function takesTasks({ isModern, capabilities: { extensions } }: Client): boolean {
  return isModern && isObject(extensions) && isObject(extensions[tasksExtension])
}

/** What is declared of tasks in a revision. Callers without a token get none, since they share a name. */
export function toTaskCapabilities({ tasks }: CallServices, caller: Caller, revision: string): JsonObject {
  if (!tasks || isPublicCaller(caller)) return {}
  if (modernRevisions.includes(revision)) return { extensions: { [tasksExtension]: {} } }
  return revision === tasksRevision ? { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } : {}
}

/** A task as its client sees it now. `message`: how far its run is, if it follows one. */
export interface ViewedTask extends StoredTask {
  readonly message?: string
}

/** A task as clients see it, without its result. `message`: what the running tool last reported. */
export function toTask(task: ViewedTask, { isModern }: Pick<Client, 'isModern'>, message?: string): JsonObject {
  const { id: taskId, createdAt, updatedAt, expiresAt } = task
  const status = toStatus(task, isModern)
  const [ttl, pollMs] = [Math.round(expiresAt - createdAt), task.state === 'waiting' && status === 'working' ? waitingPollMs : runningPollMs] // biome-ignore format: one line
  const statusMessage = task.message ?? toMessage(task) ?? message
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ...(isModern ? { ttlMs: ttl } : { ttl }),
    ...(!hasEnded(task.state) && (isModern ? { pollIntervalMs: pollMs } : { pollInterval: pollMs })),
  }
}

/** With what the client is asked, the result or the error (2026-07-28). */
export function toDetailedTask(task: StoredTask, message?: string): JsonObject {
  const end = toEnd(task)
  return {
    ...toTask(task, { isModern: true }, message),
    ...(!hasEnded(task.state) && task.inputRequests && { inputRequests: task.inputRequests }),
    ...(end && task.state !== 'cancelled' && end),
  }
}

/** What the request would have returned. Undefined until the task has ended. */
export function toEnd({ state, result = {} }: StoredTask): { result: JsonObject } | { error: RpcError } | undefined {
  switch (state) {
    case 'completed':
      return { result }
    case 'failed':
      return { error: result as unknown as RpcError }
    case 'cancelled':
      return { error: { code: errorCodes.internal, message: 'The task was cancelled.' } }
    case 'interrupted':
      return { error: { code: errorCodes.internal, message: interrupted, data: { error: { code: 'interrupted' } } } }
    default:
      return undefined
  }
}

interface RpcError extends JsonObject {
  code: number
  message: string
}

const interrupted =
  'interrupted: the server stopped while the call ran. It may have taken effect, in part or as a whole: check that before you call again.'

/** How often clients should look. People take longer to answer than calls to run. */
const runningPollMs = 1000
const waitingPollMs = 5000

export function hasEnded(state: TaskState): boolean {
  return state !== 'running' && state !== 'waiting'
}

/** Before 2026-07-28 a task whose call returned an error has failed. */
function toStatus({ state, isError, inputRequests }: StoredTask, isModern: boolean): string {
  if (state === 'completed') return isError && !isModern ? 'failed' : 'completed'
  if (state === 'interrupted') return 'failed'
  if (hasEnded(state)) return state
  return inputRequests ? 'input_required' : 'working'
}

function toMessage({ state, questionId, inputRequests, result }: StoredTask): string | undefined {
  switch (state) {
    case 'waiting':
      return inputRequests || questionId === undefined
        ? 'Waiting for approval.'
        : `Waiting for approval. A person must run: ${toApproveCommand(questionId)}`
    case 'failed':
      return typeof result?.message === 'string' ? result.message : undefined
    case 'cancelled':
      return 'The task was cancelled.'
    case 'interrupted':
      return interrupted
    default:
      return undefined
  }
}
