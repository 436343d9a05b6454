import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Client } from './client.ts'

/** Text to paste into a client's config file: the entry with its parent keys. */
export function toSnippet({ format, isList }: Client, key: readonly string[], name: string, entry: JsonObject): string {
  if (format === 'toml') return toTomlTable([...key, name], entry).trimEnd()
  if (format === 'yaml') return toYaml(key[0]!, isList ? `- name: ${name}` : `${name}:`, entry)
  return JSON.stringify(
    [...key, name].reduceRight<JsonValue>((inner, part) => ({ [part]: inner }), entry),
    null,
    2,
  )
}

/** JSON values are valid YAML. */
function toYaml(key: string, head: string, entry: JsonObject): string {
  const lines = Object.entries(entry).map(([member, value]) => `    ${member}: ${JSON.stringify(value)}`)
  return [`${key}:`, `  ${head}`, ...lines].join('\n')
}

/** A TOML table with its header. Nested objects are inline tables. */
export function toTomlTable(path: readonly string[], entry: JsonObject): string {
  const lines = Object.entries(entry).map(([key, value]) => `${toKey(key)} = ${toValue(value)}\n`)
  return `[${path.map(toKey).join('.')}]\n${lines.join('')}`
}

function toKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

/** TOML basic strings use JSON escapes, but DEL must be escaped too. */
function toValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replaceAll('\x7f', '\\u007f')
  const members = Object.entries(value).map(([key, inner]) => `${toKey(key)} = ${toValue(inner as JsonValue)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
