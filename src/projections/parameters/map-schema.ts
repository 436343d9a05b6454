import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import { keywords } from '../../contract/schema/keywords.ts'
import { mapParts } from '../../contract/schema/map-parts.ts'

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
    const shape = keywords.get(keyword)?.shape
    if (keyword === 'not' || keyword === 'if' || !shape?.startsWith('schema')) return structuredClone(value)
    return mapParts(shape, value, pointerTo(pointer, keyword), (part, at) => mapSchema(part, at, change))
  }
}
