import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { UpstreamFailure } from './client.ts'

/** Far more than any known server has; the largest list that was seen has 353 tools. */
const listLimits = { pages: 1000, tools: 10_000, bytes: 64 * 1024 * 1024 }

export interface ListOptions {
  /** One page: `tools/list` with this cursor. */
  readonly ask: (cursor: string | undefined) => Promise<JsonValue>
  readonly onNoise: (text: string) => void
}

/** Every definition as it came over the wire, all pages. Rejects with an `UpstreamFailure`. */
export async function listTools({ ask, onNoise }: ListOptions): Promise<JsonObject[]> {
  const tools: JsonObject[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let bytes = 0
  for (let page = 0; page < listLimits.pages; page++) {
    const result = await ask(cursor)
    if (!isObject(result) || !Array.isArray(result.tools)) throw fail('The answer to tools/list has no list of tools.')
    const found = result.tools.filter(isObject)
    if (found.length < result.tools.length) {
      onNoise(`${result.tools.length - found.length} entries of tools/list are no objects and were left out.`)
    }
    tools.push(...found)
    bytes += Buffer.byteLength(JSON.stringify(result.tools))
    if (tools.length > listLimits.tools) throw fail(`The server lists more than ${listLimits.tools} tools.`)
    if (bytes > listLimits.bytes) throw fail(`The list of tools has more than ${listLimits.bytes} bytes.`)
    const next = result.nextCursor
    if (next === undefined || next === null) return tools
    if (typeof next !== 'string') throw fail('The cursor to the next page of tools/list is no text.')
    if (seen.has(next)) throw fail('The list of tools never ends: a page leads back to one that was read before.')
    seen.add(next)
    cursor = next
  }
  throw fail(`The list of tools has more than ${listLimits.pages} pages.`)
}

function fail(message: string): UpstreamFailure {
  return new UpstreamFailure('protocol', `${message} Report it to whoever makes the server.`)
}
