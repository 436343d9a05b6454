import type { JsonObject } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Request } from '../../mcp/message.ts'
import { errorCodes, type Reply, toErrorReply, toTextReply } from '../../mcp/reply.ts'
import { toMcpTool } from '../../projections/mcp.ts'
import type { Served } from '../served.ts'
import type { Client } from './server.ts'

type Entries = Awaited<ReturnType<Served['catalog']['all']>>

const toolsPerPage = 200
/** Clients may keep a list for so long. */
const listTtlMs = 60_000

/**
 * Answers `tools/list`. A page is made once for each list that the catalog gives, so that it costs the same however
 * many tools there are. A cursor names the last tool of the page before, and so outlives a change of the list.
 */
export function createToolLister(served: Served, serverMeta: JsonObject) {
  const listings = new WeakMap<Entries, Listing>()
  // Lists differ from caller to caller, so nobody may share what is kept of one.
  const modernRest = JSON.stringify({
    resultType: 'complete',
    ttlMs: listTtlMs,
    cacheScope: 'private',
    _meta: serverMeta,
  }).slice(1)

  return async ({ id, params }: Request, caller: Caller, { isModern }: Client): Promise<Reply> => {
    const entries = await served.catalog.all(caller)
    let listing = listings.get(entries)
    if (!listing) {
      listing = toListing(entries)
      listings.set(entries, listing)
    }
    const start = findStart(listing, params.cursor)
    if (start === undefined) {
      const message = 'This cursor is not, or no longer, one of this list. List from the start, without a cursor.'
      return toErrorReply(id, { code: errorCodes.params, message })
    }
    const page = toPage(listing, start)
    return toTextReply(id, isModern ? `{${page},${modernRest}` : `{${page}}`)
  }
}

interface Listing {
  readonly offered: Entries
  readonly places: ReadonlyMap<string, number>
  /** The members `tools` and `nextCursor` as JSON text, by the place of their first tool. */
  readonly pages: Map<number, string>
}

function toListing(entries: Entries): Listing {
  // Tools that are only planned cannot be called.
  const offered = entries.filter(({ tool }) => tool.contract.status !== 'planned')
  return { offered, places: new Map(offered.map(({ name }, place) => [name, place])), pages: new Map() }
}

function findStart({ places }: Listing, cursor: unknown): number | undefined {
  if (cursor === undefined) return 0
  if (typeof cursor !== 'string') return undefined
  const place = places.get(Buffer.from(cursor, 'base64url').toString())
  return place === undefined ? undefined : place + 1
}

function toPage({ offered, pages }: Listing, start: number): string {
  let page = pages.get(start)
  if (page === undefined) {
    const shown = offered.slice(start, start + toolsPerPage)
    page = `"tools":${JSON.stringify(shown.map(({ name, tool }) => toMcpTool(name, tool.contract)))}`
    if (start + shown.length < offered.length) page += `,"nextCursor":"${toCursor(shown.at(-1)!.name)}"`
    // Only starts of whole pages are kept: a cursor of an earlier list may begin anywhere.
    if (start % toolsPerPage === 0) pages.set(start, page)
  }
  return page
}

function toCursor(name: string): string {
  return Buffer.from(name).toString('base64url')
}
