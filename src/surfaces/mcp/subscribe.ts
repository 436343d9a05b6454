import type { JsonObject } from '../../contract/json.ts'
import { type Reply, refuse, toNotification, toReply } from '../../protocol/reply.ts'
import type { Asked } from './call-offer.ts'
import type { CallServices } from './call-tool.ts'
import { findResource, findResources, findUriFault, refuseResource } from './resources.ts'

/** Of one client. */
export const maxSubscriptions = 1000
/** Debounce: a file that is written changes several times. */
const gatherMs = 50
const retryMs = 1000

/** Answers `resources/subscribe`, before 2026-07-28. */
export async function subscribe(services: CallServices, asked: Asked): Promise<Reply> {
  const { request, exchange } = asked
  const { id, params } = request
  const fault = findUriFault(params)
  if (fault !== undefined) return refuse(id, fault)
  const uri = params.uri as string
  const { subscriptions } = exchange.connection!
  const watch = await findWatch(services, asked, uri)
  if (watch === undefined) return refuseResource(asked, uri)
  if (watch === null) return refuse(id, 'Changes of this resource are not announced. Read it again when you need it.')
  // From here on synchronous: many requests may have waited at the same time, and the client may be gone.
  if (subscriptions.has(uri) || exchange.connection!.gone.aborted) return toReply(id, {})
  if (subscriptions.size >= maxSubscriptions)
    return refuse(id, `${maxSubscriptions} resources are subscribed to. Unsubscribe from one of them first.`)
  subscriptions.set(
    uri,
    watchUpdates(watch, (text) => exchange.connection!.push(text), { uri }),
  )
  return toReply(id, {})
}

/** Answers `resources/unsubscribe`. */
export async function unsubscribe(_services: CallServices, { request, exchange }: Asked): Promise<Reply> {
  const fault = findUriFault(request.params)
  if (fault !== undefined) return refuse(request.id, fault)
  const { subscriptions } = exchange.connection!
  const uri = request.params.uri as string
  subscriptions.get(uri)?.()
  subscriptions.delete(uri)
  return toReply(request.id, {})
}

type Watch = (onUpdate: () => void) => () => void

/** How a resource is watched that the caller may read; null if it cannot be. */
export async function findWatch(
  services: CallServices,
  asked: Pick<Asked, 'exchange'>,
  uri: string,
): Promise<Watch | null | undefined> {
  const found = findResource(await findResources(services, asked), uri)
  if (!found) return undefined
  const { watch } = found.entry.offer
  return watch ? (onUpdate) => watch(uri, onUpdate) : null
}

/** Announces updates until the returned function is called. `push` returns false if the client cannot take them now. */
export function watchUpdates(watch: Watch, push: (text: string) => boolean, params: JsonObject): () => void {
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    const isSent = push(toNotification('notifications/resources/updated', params))
    timer = isSent ? undefined : setTimeout(send, retryMs).unref()
  }
  const stop = watch(() => {
    timer ??= setTimeout(send, gatherMs).unref()
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
