import type { JsonObject, JsonValue } from '../json.ts'
import { pointerTo } from './json-pointer.ts'
import type { Shape } from './keywords.ts'

/** Applies `change` to each schema in a keyword's value. Values that are not schemas are kept. */
export function mapParts(
  shape: Shape | undefined,
  value: JsonValue,
  pointer: string,
  change: (schema: JsonValue, pointer: string) => JsonValue,
): JsonValue {
  const changePart = (part: JsonValue, key: string | number) => change(part, pointerTo(pointer, key))
  switch (shape) {
    case 'schema':
      return change(value, pointer)
    case 'schemas':
    case 'schema or schemas':
      return Array.isArray(value) ? value.map(changePart) : change(value, pointer)
    case 'schemas by key':
    case 'schemas by pattern':
    case 'schemas or names by key': {
      const entries = Object.entries(value as JsonObject)
      return Object.fromEntries(entries.map(([key, part]) => [key, Array.isArray(part) ? part : changePart(part, key)]))
    }
    default:
      return value
  }
}
