import type { JsonObject, JsonValue } from '../../contract/json.ts'

/** The servers in a client's file, by name, in whichever form it has them; undefined where it has none at all. */
export function findServers(value: JsonValue, workspace: string): { readonly [name: string]: JsonValue } | undefined {
  if (!isObject(value)) return undefined
  const found = [
    // Claude Code keeps those of a folder under its path.
    get(get(get(value, 'projects'), workspace), 'mcpServers'),
    get(value, 'mcpServers'),
    // VS Code, in a file of its own and in its settings.
    get(value, 'servers'),
    get(get(value, 'mcp'), 'servers'),
    get(value, 'mcp.servers'),
  ].filter(isObject)
  if (found.length > 0) return Object.assign({}, ...found.reverse())
  const entries = Object.values(value)
  const isBare =
    entries.length > 0 && entries.every((entry) => isObject(entry) && ('command' in entry || 'url' in entry))
  return isBare ? value : undefined
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function get(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
