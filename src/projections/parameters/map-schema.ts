import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { keywords } from '../../contract/schema/keywords.ts'

/**
 * Copies an admitted schema, with each of its schemas as `change` leaves it, parts before wholes. What stands under `not`
 * and `if` is copied as it is: a weaker condition there would demand more.
 */
export function mapSchema(
  schema: JsonValue,
  pointer: string,
  change: (schema: JsonObject, pointer: string) => JsonObject,
): JsonValue {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, toPart(keyword, value)] as const)
  return change(Object.fromEntries(parts), pointer)

  function toPart(keyword: string, value: JsonValue): JsonValue {
    const at = pointerTo(pointer, keyword)
    const step = (part: JsonValue, segment: string | number) => mapSchema(part, pointerTo(at, segment), change)
    if (keyword === 'not' || keyword === 'if') return structuredClone(value)
    switch (keywords.get(keyword)?.shape) {
      case 'schema':
        return mapSchema(value, at, change)
      case 'schemas':
      case 'schema or schemas':
        return Array.isArray(value) ? value.map(step) : mapSchema(value, at, change)
      case 'schemas by key':
      case 'schemas by pattern':
        return mapEntries(value as JsonObject, step)
      case 'schemas or names by key':
        return mapEntries(value as JsonObject, (part, key) => (Array.isArray(part) ? [...part] : step(part, key)))
      default:
        return structuredClone(value)
    }
  }
}

function mapEntries(value: JsonObject, change: (part: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part, key)]))
}
