import type { ClientRequest } from '../../../contract/call-client.ts'
import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { isPublicCaller } from '../../../contract/public-access.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply } from '../../../protocol/reply.ts'
import { relatedTask, tasksExtension, tasksRevision } from '../../../protocol/tasks.ts'
import { findRunOf, type StoredTask } from '../../../runtime/storage/tasks.ts'
import type { Asked } from '../call-offer.ts'
import type { CallServices } from '../call-tool.ts'
import { hasEnded, takesTasks, toDetailedTask, toEnd, toTask, type ViewedTask } from './task.ts'
import { takeTaskAnswer } from './task-question.ts'
import type { TaskRunner } from './task-runner.ts'

interface TaskServices extends CallServices {
  readonly tasks: TaskRunner
}

type Method = (services: TaskServices, asked: Asked) => Promise<Reply>

/** The methods of tasks that a client may use; undefined if there is none of that name. */
export function findTaskMethod({ tasks }: CallServices, { request, client, exchange }: Asked): Method | undefined {
  const methods = client.isModern ? modernMethods : client.revision === tasksRevision ? legacyMethods : {}
  if (!tasks || isPublicCaller(exchange.caller) || !Object.hasOwn(methods, request.method)) return undefined
  if (client.isModern && !takesTasks(client)) return async () => toMissingTasks(request.id)
  return methods[request.method]
}

/** The error for a client that does not declare the extension. */
export function toMissingTasks(id: Asked['request']['id']): Reply {
  const message = `This needs a client that supports tasks. Declare ${tasksExtension} in its capabilities.`
  const data = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } }
  return toErrorReply(id, { code: errorCodes.capability, message, data })
}

const getTask: Method = async (services, asked) => {
  const { request, client } = asked
  const task = await findTask(services, asked)
  if (!task) return refuseTask(request.id)
  const message = services.tasks.messageOf(task.id)
  if (!client.isModern) return toReply(request.id, toTask(task, client, message))
  return toReply(request.id, { resultType: 'complete', ...toDetailedTask(task, message), _meta: services.serverMeta })
}

/** Takes answers to what was asked, and ignores others. */
const updateTask: Method = async (services, asked) => {
  const { id, params } = asked.request
  const { inputResponses } = params
  if (!isObject(inputResponses)) return refuse(id, 'inputResponses must be an object.')
  if (JSON.stringify(inputResponses).length > maxResponses) return refuse(id, 'inputResponses is too large.')
  const task = await findTask(services, asked)
  if (!task) return refuseTask(id)
  await takeResponses(services, task, inputResponses)
  return toReply(id, { resultType: 'complete', _meta: services.serverMeta })
}

async function takeResponses({ served, tasks }: TaskServices, task: StoredTask, responses: JsonObject) {
  const taken = (await tasks.tasks.answer(task.id, task.caller, responses, Date.now())) ?? []
  // Those of a task that follows a run are not stored: each question is answered once.
  const viewed = Object.keys(task.inputRequests ?? {}).filter((key) => Object.hasOwn(responses, key))
  for (const key of new Set([...taken, ...viewed]))
    await takeTaskAnswer(served.approvals, task, { key, response: responses[key] })
  await tasks.look()
}

const cancelTask: Method = async (services, asked) => {
  const { request, client, exchange } = asked
  const { served, tasks, serverMeta } = services
  const { taskId } = request.params
  const { name } = exchange.caller
  const seen = await findTask(services, asked)
  const stored = typeof taskId === 'string' ? await tasks.tasks.cancel(taskId, name, Date.now()) : undefined
  const runId = stored && findRunOf(stored)
  const before = runId === undefined ? stored : seen
  if (!before) return refuseTask(request.id)
  if (runId !== undefined && !hasEnded(before.state)) await served.runs?.cancel(runId, name).catch(() => {})
  if (before.state === 'waiting' && before.questionId !== undefined)
    await served.approvals.discard(before.questionId, Date.now())
  await tasks.look()
  if (client.isModern) return toReply(request.id, { resultType: 'complete', _meta: serverMeta })
  const { status } = toTask(before, client)
  if (hasEnded(before.state)) return refuse(request.id, `The task has ended with the status ${status}.`)
  const task = await findTask(services, asked)
  return task ? toReply(request.id, toTask(task, client)) : refuseTask(request.id)
}

const listTasks: Method = async ({ tasks }, asked) => {
  const { request, client, exchange } = asked
  const after = readCursor(request.params.cursor)
  if (after === 'invalid') return refuse(request.id, 'The cursor is not valid. List again without a cursor.')
  const page = { limit: pageSize + 1, ...(after && { after }) }
  const found = await tasks.tasks.list(exchange.caller.name, page, Date.now())
  const shown = await Promise.all(
    found.slice(0, pageSize).map(async (task) => (await tasks.find(task.id, asked)) ?? task),
  )
  const rest: JsonObject = found.length > pageSize ? { nextCursor: toCursor(shown.at(-1)!) } : {}
  return toReply(request.id, { tasks: shown.map((task) => toTask(task, client, tasks.messageOf(task.id))), ...rest })
}

/** Waits for the end of a task (2025-11-25). Meanwhile it sends the client what the task asks. */
const getResult: Method = async (services, asked) => {
  const { request, exchange } = asked
  const task = await findTask(services, asked)
  if (!task) return refuseTask(request.id)
  const { signal } = exchange.controller
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal, ...(exchange.connection ? [exchange.connection.gone] : [])])
  const asking = new Set<string>()
  const ended = await new Promise<StoredTask | undefined>((resolve) => {
    if (hasEnded(task.state)) return resolve(task)
    const onChange = (now: StoredTask | undefined) => {
      if (!now || hasEnded(now.state)) resolve(now)
      else askClient(services, asked, { task: now, asking, until })
    }
    const stop = services.tasks.changes.follow([task], onChange, services.tasks.finderFor(asked))
    until.addEventListener('abort', () => {
      stop()
      resolve(undefined)
    })
    askClient(services, asked, { task, asking, until })
    services.tasks.look()
  })
  over.abort()
  const end = ended && toEnd(ended)
  if (!end) return refuseTask(request.id)
  if ('error' in end) return toErrorReply(request.id, end.error)
  const { _meta, ...result } = end.result
  return toReply(request.id, { ...result, _meta: { ...(_meta as JsonObject), [relatedTask]: { taskId: ended.id } } })
}

interface Questions {
  readonly task: StoredTask
  /** The keys that were sent already. */
  readonly asking: Set<string>
  readonly until: AbortSignal
}

function askClient(services: TaskServices, { exchange }: Asked, { task, asking, until }: Questions) {
  const { connection } = exchange
  if (!connection || !exchange.canSend) return
  for (const [key, request] of Object.entries(task.inputRequests ?? {})) {
    if (asking.has(key)) continue
    asking.add(key)
    const { method, params } = request as unknown as ClientRequest
    const id: JsonObject = params.mode === 'url' ? { elicitationId: task.questionId ?? key } : {}
    const _meta = { ...(params._meta as object | undefined), [relatedTask]: { taskId: task.id } }
    connection
      .ask(exchange, { method, params: { ...params, ...id, _meta } }, until)
      .then((response) => takeResponses(services, task, { [key]: response ?? refused }))
      .catch(() => {})
  }
}

/** The client answered with an error. */
const refused = { action: 'cancel' }

const modernMethods: { readonly [method: string]: Method } = {
  'tasks/get': getTask,
  'tasks/update': updateTask,
  'tasks/cancel': cancelTask,
}

const legacyMethods: { readonly [method: string]: Method } = {
  'tasks/get': getTask,
  'tasks/result': getResult,
  'tasks/list': listTasks,
  'tasks/cancel': cancelTask,
}

const maxResponses = 1_048_576
const pageSize = 100

/** Of this caller alone: others learn nothing of a task. */
async function findTask({ tasks }: TaskServices, asked: Asked): Promise<ViewedTask | undefined> {
  const { taskId } = asked.request.params
  return typeof taskId === 'string' ? tasks.find(taskId, asked) : undefined
}

function refuseTask(id: Asked['request']['id']): Reply {
  return refuse(id, 'There is no such task, or it has expired. Call the tool again.')
}

function toCursor({ createdAt, id }: StoredTask): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')
}

function readCursor(cursor: JsonValue | undefined): Pick<StoredTask, 'createdAt' | 'id'> | 'invalid' | undefined {
  if (cursor === undefined) return undefined
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString())
    return typeof createdAt === 'number' && typeof id === 'string' ? { createdAt, id } : 'invalid'
  } catch {
    return 'invalid'
  }
}
