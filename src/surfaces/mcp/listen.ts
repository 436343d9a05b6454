import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import {
  errorCodes,
  listChanged,
  type Reply,
  refuse,
  toErrorReply,
  toNotification,
  toReply,
} from '../../protocol/reply.ts'
import { metaKeys } from '../../protocol/revisions.ts'
import type { StoredTask } from '../../runtime/storage/tasks.ts'
import type { Asked } from './call-offer.ts'
import type { CallServices } from './call-tool.ts'
import type { Changes, ListKind } from './changes.ts'
import type { Exchange } from './connection.ts'
import { toSession } from './found-tools.ts'
import { findWatch, maxSubscriptions, watchUpdates } from './subscribe.ts'
import { hasEnded, takesTasks, toDetailedTask } from './tasks/task.ts'
import { toMissingTasks } from './tasks/task-methods.ts'

/**
 * Answers `subscriptions/listen` (2026-07-28): sends changes until the client cancels the request. It gets a response only
 * when the server ends it.
 */
export async function listen(
  services: CallServices & { readonly changes: Changes },
  { request, exchange, client }: Asked,
): Promise<Reply | undefined> {
  const { id, params } = request
  const { notifications } = params
  if (!isObject(notifications)) return refuse(id, 'notifications must be an object with the notifications to send.')
  if (!exchange.canSend) return refuse(id, 'Changes are sent as an event stream. Accept text/event-stream.')
  const { changes, serverMeta } = services
  const { signal } = exchange.controller
  const uris = notifications.resourceSubscriptions ?? []
  if (!isUris(uris)) return refuse(id, `resourceSubscriptions must be a list of at most ${maxSubscriptions} URIs.`)
  const taskIds = notifications.taskIds ?? []
  if (!isUris(taskIds)) return refuse(id, `taskIds must be a list of at most ${maxSubscriptions} ids of tasks.`)
  if (taskIds.length > 0 && !takesTasks(client)) return toMissingTasks(id)
  const wanted = Object.entries(filters).flatMap(([kind, filter]) =>
    notifications[filter] === true ? [kind as ListKind] : [],
  )
  const _meta = { [metaKeys.subscription]: id }
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const stop = changes.listen({
    session: toSession(exchange),
    caller: exchange.caller.name,
    notify(kinds) {
      const due = wanted.filter((kind) => kinds.includes(kind))
      if (due.length > 0 && exchange.isCongested) return false
      for (const kind of due) exchange.send(toNotification(listChanged[kind], { _meta }))
      return true
    },
    end,
  })
  if (!stop) return toErrorReply(id, { code: errorCodes.internal, message: 'Too many subscriptions. Try again later.' })
  const watched = await watchAll(services, exchange, { uris, _meta })
  const followed = await followTasks(services, { client, exchange }, { taskIds, _meta })
  // From here on, no change is missed.
  const agreed = {
    ...Object.fromEntries(wanted.map((kind) => [filters[kind], true])),
    ...(watched.size > 0 && { resourceSubscriptions: [...watched.keys()] }),
    ...(followed.ids.length > 0 && { taskIds: followed.ids }),
  }
  exchange.send(toNotification('notifications/subscriptions/acknowledged', { _meta, notifications: agreed }))
  followed.begin()
  const over = AbortSignal.any([signal, ...(exchange.connection ? [exchange.connection.gone] : [])])
  over.addEventListener('abort', () => end(), { once: true })
  if (!over.aborted) await ended
  stop()
  followed.stop()
  for (const end of watched.values()) end()
  return signal.aborted ? undefined : toReply(id, { resultType: 'complete', _meta: { ...serverMeta, ..._meta } })
}

const filters = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const

/** Of URIs or ids. */
function isUris(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.length <= maxSubscriptions && value.every((uri) => typeof uri === 'string')
}

/** Watches the resources that the caller may read and that can be watched. */
async function watchAll(
  services: CallServices,
  exchange: Exchange,
  { uris, _meta }: { readonly uris: readonly string[]; readonly _meta: JsonObject },
): Promise<Map<string, () => void>> {
  const watched = new Map<string, () => void>()
  const push = (text: string) => {
    if (exchange.isCongested) return false
    exchange.send(text)
    return true
  }
  for (const uri of new Set(uris)) {
    const watch = await findWatch(services, { exchange }, uri)
    if (watch) watched.set(uri, watchUpdates(watch, push, { _meta, uri }))
  }
  return watched
}

/** Follows the tasks of the caller. Others are left out. */
async function followTasks(
  { tasks }: CallServices,
  asked: Pick<Asked, 'client' | 'exchange'>,
  { taskIds, _meta }: { readonly taskIds: readonly string[]; readonly _meta: JsonObject },
) {
  const { exchange } = asked
  const found = await Promise.all([...new Set(taskIds)].map((id) => tasks?.find(id, asked)))
  const known = found.filter((task) => task !== undefined)
  const notify = (task: StoredTask) =>
    exchange.send(toNotification('notifications/tasks', { ...toDetailedTask(task, tasks?.messageOf(task.id)), _meta }))
  let stop = () => {}
  return {
    ids: known.map(({ id }) => id),
    /** After the acknowledgement. A client that does not read misses nothing that it could not poll. */
    begin() {
      const open = known.filter(({ state }) => !hasEnded(state))
      const onChange = (task: StoredTask | undefined) => task && !exchange.isCongested && notify(task)
      stop = tasks?.changes.follow(open, onChange, tasks.finderFor(asked)) ?? stop
      tasks?.look()
    },
    stop: () => stop(),
  }
}
