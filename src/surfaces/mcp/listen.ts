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
 * Answers `subscriptions/listen` (2026-07-28): tells of changes until the client takes the request back, and is answered
 * only when the server ends it.
 */
export async function listen(
  { changes, serverMeta }: { readonly changes: Changes; readonly serverMeta: JsonObject },
  { id, params: { notifications } }: Request,
  exchange: Exchange,
): Promise<Reply | undefined> {
  if (!isObject(notifications)) return refuse(id, 'notifications is an object that says what to tell of.')
  if (!exchange.canSend) return refuse(id, 'What changes is told in a stream of events. Accept text/event-stream.')
  const { signal } = exchange.controller
  const isWanted = notifications.toolsListChanged === true
  const _meta = { [metaKeys.subscription]: id }
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const stop = changes.listen({
    session: toSession(exchange),
    tell() {
      if (isWanted && exchange.isCongested) return false
      if (isWanted) exchange.send(toNotification(listChanged, { _meta }))
      return true
    },
    end,
  })
  if (!stop)
    return toErrorReply(id, { code: errorCodes.internal, message: 'Too many clients listen. Try again later.' })
  // From here on the client can rely on being told.
  const agreed = { ...(isWanted && { toolsListChanged: true }) }
  exchange.send(toNotification('notifications/subscriptions/acknowledged', { _meta, notifications: agreed }))
  const over = AbortSignal.any([signal, ...(exchange.connection ? [exchange.connection.gone] : [])])
  over.addEventListener('abort', () => end(), { once: true })
  if (!over.aborted) await ended
  stop()
  return signal.aborted ? undefined : toReply(id, { resultType: 'complete', _meta: { ...serverMeta, ..._meta } })
}
