import type { JsonObject } from '../../contract/json.ts'
import { type Reply, refuse, toReply } from '../../protocol/reply.ts'
import type { Asked } from './call-offer.ts'
import { type CallServices, toMore } from './call-tool.ts'
import { maxPageBytes, toListTtl } from './list-tools.ts'

interface Item {
  /** Unique in its list: a cursor names the last item of the page before it, so it survives a change of the list. */
  readonly key: string
  readonly item: JsonObject
}

interface PageOptions {
  /** The member of the result: `prompts`. */
  readonly member: string
  readonly items: readonly Item[]
}

/** Answers a request for one page of a list. */
export function answerPage(services: CallServices, { request, client }: Asked, { member, items }: PageOptions): Reply {
  const { id, params } = request
  const start = findStart(items, params.cursor)
  if (start === undefined) return refuseCursor(id)
  const page = fillPage(items, start)
  const next = start + page.length < items.length ? toCursor(items[start + page.length - 1]!.key) : undefined
  return toReply(id, {
    ...toListMore(services, client),
    [member]: page,
    ...(next !== undefined && { nextCursor: next }),
  })
}

/** As many as fit, and at least one. */
function fillPage(items: readonly Item[], start: number): JsonObject[] {
  const page: JsonObject[] = []
  for (let bytes = 0; start + page.length < items.length; ) {
    const { item } = items[start + page.length]!
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > maxPageBytes && page.length > 0) break
    page.push(item)
  }
  return page
}

/** Members of the result of a list in a modern revision. Lists differ between callers, so shared caches must not store them. */
export function toListMore(services: CallServices, client: Asked['client']): JsonObject {
  return client.isModern ? { ...toMore(services, client), ttlMs: toListTtl(services), cacheScope: 'private' } : {}
}

export function refuseCursor(id: Asked['request']['id']): Reply {
  return refuse(id, 'The cursor is not valid for this list, or no longer. List again without a cursor.')
}

function findStart(items: readonly Item[], cursor: unknown): number | undefined {
  if (cursor === undefined) return 0
  if (typeof cursor !== 'string') return undefined
  const last = Buffer.from(cursor, 'base64url').toString()
  const place = items.findIndex(({ key }) => key === last)
  return place === -1 ? undefined : place + 1
}

function toCursor(key: string): string {
  return Buffer.from(key).toString('base64url')
}
