import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { UpstreamFailure } from './client.ts'

/** What servers list. */
export type ListKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

/** A whole list, as received. */
export interface Listed {
  readonly entries: readonly JsonObject[]
  /** How long the list may be used, if the server says so (2026-07-28): the shortest of all pages. */
  readonly ttlMs?: number
}

export const listMethods: { readonly [kind in ListKind]: string } = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
}

/** Far above any known server; the largest known list has 353 tools. */
const listLimits = { pages: 1000, entries: 10_000, bytes: 64 * 1024 * 1024, cursor: 65_536 }

interface ListOptions {
  /** Requests one page. */
  readonly ask: (cursor: string | undefined) => Promise<JsonValue>
  readonly onNoise: (text: string) => void
}

/** All pages of a list. Rejects with an `UpstreamFailure`, also if the pages never end. */
export async function listPages(kind: ListKind, { ask, onNoise }: ListOptions): Promise<Listed> {
  const method = listMethods[kind]
  const entries: JsonObject[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let bytes = 0
  let ttlMs = Number.POSITIVE_INFINITY
  for (let page = 0; page < listLimits.pages; page++) {
    const result = await ask(cursor)
    const listed = isObject(result) ? result[kind] : undefined
    if (!isObject(result) || !Array.isArray(listed)) throw fail(`The result of ${method} has no list of ${kind}.`)
    const found = listed.filter(isObject)
    if (found.length < listed.length) {
      onNoise(`${listed.length - found.length} entries of ${method} are not objects and were skipped.`)
    }
    for (const entry of found) entries.push(entry)
    bytes += Buffer.byteLength(JSON.stringify(listed))
    if (typeof result.ttlMs === 'number' && result.ttlMs >= 0) ttlMs = Math.min(ttlMs, result.ttlMs)
    if (entries.length > listLimits.entries) throw fail(`The server lists more than ${listLimits.entries} ${kind}.`)
    if (bytes > listLimits.bytes) throw fail(`The list of ${kind} has more than ${listLimits.bytes} bytes.`)
    const next = result.nextCursor
    if (next === undefined || next === null) return { entries, ...(Number.isFinite(ttlMs) && { ttlMs }) }
    if (typeof next !== 'string' || next.length > listLimits.cursor)
      throw fail(`The cursor to the next page of ${method} is not a string of at most ${listLimits.cursor} characters.`)
    if (seen.has(next)) throw fail(`The list of ${kind} never ends: a cursor was repeated.`)
    seen.add(next)
    cursor = next
  }
  throw fail(`The list of ${kind} has more than ${listLimits.pages} pages.`)
}

function fail(message: string): UpstreamFailure {
  return new UpstreamFailure('protocol', `${message} Report it to the author of the server.`)
}
