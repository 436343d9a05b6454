import { isObject, type JsonObject } from '../../contract/json.ts'
import type { Request } from '../../protocol/message.ts'
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
import type { Changes } from './changes.ts'
import type { Exchange } from './connection.ts'
import { toSession } from './found-tools.ts'

/**
 * Answers `subscriptions/listen` (2026-07-28): sends changes until the client cancels the request. It gets a response only
 * when the server ends it.
 */
export async function listen(
  { changes, serverMeta }: { readonly changes: Changes; readonly serverMeta: JsonObject },
  { id, params: { notifications } }: Request,
  exchange: Exchange,
): Promise<Reply | undefined> {
  if (!isObject(notifications)) return refuse(id, 'notifications must be an object with the notifications to send.')
  if (!exchange.canSend) return refuse(id, 'Changes are sent as an event stream. Accept text/event-stream.')
  const { signal } = exchange.controller
  const isWanted = notifications.toolsListChanged === true
  const _meta = { [metaKeys.subscription]: id }
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const stop = changes.listen({
    session: toSession(exchange),
    notify() {
      if (isWanted && exchange.isCongested) return false
      if (isWanted) exchange.send(toNotification(listChanged, { _meta }))
      return true
    },
    end,
  })
  if (!stop) return toErrorReply(id, { code: errorCodes.internal, message: 'Too many subscriptions. Try again later.' })
  // From here on, no change is missed.
  const agreed = { ...(isWanted && { toolsListChanged: true }) }
  exchange.send(toNotification('notifications/subscriptions/acknowledged', { _meta, notifications: agreed }))
  const over = AbortSignal.any([signal, ...(exchange.connection ? [exchange.connection.gone] : [])])
  over.addEventListener('abort', () => end(), { once: true })
  if (!over.aborted) await ended
  stop()
  return signal.aborted ? undefined : toReply(id, { resultType: 'complete', _meta: { ...serverMeta, ..._meta } })
}
