import { declaresApps } from '../../contract/app-ui.ts'
import { isPublicCaller } from '../../contract/public-access.ts'
import { toMcpTool } from '../../projections/mcp.ts'
import type { Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, toBytesReply, toErrorReply } from '../../protocol/reply.ts'
import { tasksRevision } from '../../protocol/tasks.ts'
import { createAppLister } from './apps.ts'
import type { CallServices } from './call-tool.ts'
import type { Entries } from './catalogue-search.ts'
import type { Exchange } from './connection.ts'
import type { Client } from './server.ts'

/** Half of all clients read only the first page, so pages are limited by size alone and hold thousands of tools. */
export const maxPageBytes = 4 * 1024 * 1024
/** Clients may cache a list for this long. */
const listTtlMs = 60_000

/** The shortest time of all lists that were merged. */
export function toListTtl({ served }: CallServices): number {
  return Math.max(0, Math.min(listTtlMs, served.catalog.listTtlMs()))
}

/**
 * Answers `tools/list`. Each page is serialised once per list of the catalog. A cursor names the last tool of the
 * previous page, so it survives a change of the list.
 */
export function createToolLister(services: CallServices) {
  const listings = new WeakMap<Entries, Listing>()
  const toAppListing = createAppLister(services)
  /** For 2025-11-25: with what tools support of tasks. */
  const taskListings = new WeakMap<Entries, Listing>()
  // Lists differ between callers, so shared caches must not store them.
  const toModernRest = (ttlMs: number) =>
    JSON.stringify({ resultType: 'complete', ttlMs, cacheScope: 'private', _meta: services.serverMeta }).slice(1)
  const modernRest = toModernRest(listTtlMs)
  // A search may change the list of its session at any time.
  const searchedRest = toModernRest(0)

  return async (
    { id, params }: Request,
    exchange: Exchange,
    { isModern, capabilities, revision }: Client,
  ): Promise<Reply> => {
    const { search, tasks } = services
    const hasTasks = revision === tasksRevision && tasks !== undefined && !isPublicCaller(exchange.caller)
    const kept = hasTasks ? taskListings : listings
    const entries = await (search?.list(exchange) ?? services.served.catalog.all(exchange.caller))
    const listed = declaresApps(capabilities) ? await toAppListing(entries, exchange.caller) : entries
    let listing = kept.get(listed)
    if (!listing) {
      listing = toListing(listed, hasTasks)
      kept.set(listed, listing)
    }
    const start = findStart(listing, params.cursor)
    if (start === undefined) {
      const message = 'The cursor is not valid for this list, or no longer. List again without a cursor.'
      return toErrorReply(id, { code: errorCodes.params, message })
    }
    const page = toPage(listing, start)
    if (!isModern) return toBytesReply(id, '{', page, '}')
    const ttlMs = toListTtl(services)
    const rest = search ? searchedRest : ttlMs === listTtlMs ? modernRest : toModernRest(ttlMs)
    return toBytesReply(id, '{', page, `,${rest}`)
  }
}

interface Listing {
  readonly offered: Entries
  /** Whether each tool may be called as a task. */
  readonly hasTasks: boolean
  readonly places: ReadonlyMap<string, number>
  /**
   * The members `tools` and `nextCursor` as the bytes of JSON text, which take a fifth of the processor time of a string to send,
   * by the index of their first tool. Only consecutive pages from the start are cached: a cursor of an earlier list may
   * start anywhere.
   */
  readonly pages: Map<number, Buffer | undefined>
}

function toListing(entries: Entries, hasTasks: boolean): Listing {
  // Planned tools cannot be called.
  const offered = entries.filter(({ tool }) => tool.contract.status !== 'planned')
  return {
    offered,
    hasTasks,
    places: new Map(offered.map(({ name }, place) => [name, place])),
    pages: new Map([[0, undefined]]),
  }
}

function findStart({ places }: Listing, cursor: unknown): number | undefined {
  if (cursor === undefined) return 0
  if (typeof cursor !== 'string') return undefined
  const place = places.get(Buffer.from(cursor, 'base64url').toString())
  return place === undefined ? undefined : place + 1
}

function toPage(listing: Listing, start: number): Buffer {
  const { offered, pages } = listing
  const kept = pages.get(start)
  if (kept !== undefined) return kept
  const { texts, next } = fillPage(listing, start)
  const rest = next < offered.length ? `,"nextCursor":"${toCursor(offered[next - 1]!.name)}"` : ''
  const page = Buffer.from(`"tools":[${texts.join(',')}]${rest}`)
  if (pages.has(start)) {
    pages.set(start, page)
    if (rest !== '') pages.set(next, pages.get(next))
  }
  return page
}

/** As many tools as fit, and at least one. */
function fillPage({ offered, hasTasks }: Listing, start: number) {
  const texts: string[] = []
  let next = start
  for (let bytes = 0; next < offered.length; next++) {
    const { name, tool } = offered[next]!
    const definition = toMcpTool(name, tool.contract, tool.ui)
    const text = JSON.stringify(hasTasks ? { ...definition, execution: { taskSupport: 'optional' } } : definition)
    bytes += Buffer.byteLength(text) + 1
    if (bytes > maxPageBytes && next > start) break
    texts.push(text)
  }
  return { texts, next }
}

function toCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}
