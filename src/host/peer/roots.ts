import type { ClientRequest } from '../../contract/call-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { findHidden, stripHidden } from '../../contract/text/hidden-characters.ts'
import { shorten } from '../../contract/text/shorten.ts'

export const rootsRequest: ClientRequest = { method: 'roots/list', params: {} }

const maxRoots = 100
const maxUri = 4096
const maxName = 200

/** The roots of a client as its servers get them: folders with a name, and nothing else. */
export function toRoots({ roots }: JsonObject): JsonObject {
  const listed = Array.isArray(roots) ? roots.slice(0, maxRoots).filter(isObject) : []
  return {
    roots: listed.flatMap(({ uri, name }): JsonObject[] => {
      if (
        typeof uri !== 'string' ||
        !uri.startsWith('file://') ||
        uri.length > maxUri ||
        findHidden(uri, 'exact') !== undefined
      )
        return []
      return [{ uri, ...(typeof name === 'string' && { name: shorten(stripHidden(name, 'line'), maxName) }) }]
    }),
  }
}
