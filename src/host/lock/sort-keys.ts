import type { JsonObject, JsonValue } from '../../contract/json.ts'

/** The same value with the keys of every object in canonical order. Expects bounded depth. */
export function sortKeys<Value extends JsonValue>(value: Value): Value {
  if (Array.isArray(value)) return value.map(sortKeys) as Value
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, sortKeys((value as JsonObject)[key]!)])) as Value
}
