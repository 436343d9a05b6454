import type { JsonObject, JsonSchema, JsonValue } from '../../../contract/json.ts'
import { isSchemaObject, type SchemaObject, withBranches } from '../../../contract/lint/walk-schema.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'

export type Path = readonly (string | number)[]

/** A nested value and all schemas that may apply to it, including those of all branches. */
export interface Place {
  readonly path: Path
  readonly value: JsonValue
  readonly schemas: readonly SchemaObject[]
}

const maxPlaces = 400

/** The value and everything inside it, outermost first. */
export function findPlaces(value: JsonValue, schema: JsonSchema): Place[] {
  const root = schema as SchemaObject
  const places: Place[] = []
  const waiting: { path: Path; value: JsonValue; schemas: unknown[] }[] = [{ path: [], value, schemas: [root] }]
  for (const { path, value, schemas } of waiting) {
    const judging = [...new Set(schemas.filter(isSchemaObject).flatMap((one) => withBranches(one, root)))]
    if (judging.length === 0) continue
    places.push({ path, value, schemas: judging })
    if (places.length >= maxPlaces) break
    for (const [key, part] of partsOf(value)) {
      const inner = judging.flatMap((one) => (typeof key === 'number' ? itemSchemas(one, key) : namedSchemas(one, key)))
      if (waiting.length < maxPlaces) waiting.push({ path: [...path, key], value: part, schemas: inner })
    }
  }
  return places
}

function partsOf(value: JsonValue): [string | number, JsonValue][] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function itemSchemas({ prefixItems, items, additionalItems, contains }: SchemaObject, index: number): unknown[] {
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? additionalItems : items
  return [index < first.length ? first[index] : rest, contains]
}

function namedSchemas({ properties, patternProperties, additionalProperties }: SchemaObject, name: string): unknown[] {
  if (isSchemaObject(properties) && Object.hasOwn(properties, name)) return [properties[name]]
  // Does not match names against patterns; validation does.
  return [...(isSchemaObject(patternProperties) ? Object.values(patternProperties) : []), additionalProperties]
}

/** A copy of the value with the part at a path replaced or removed. */
export function replaceAt(value: JsonValue, path: Path, replacement: JsonValue | undefined): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) return replacement as JsonValue
  const copy = (Array.isArray(value) ? [...value] : { ...(value as JsonObject) }) as JsonObject
  if (rest.length === 0 && replacement === undefined) delete copy[key]
  else copy[key] = replaceAt(copy[key]!, rest, replacement)
  return copy
}

export function toPointer(path: Path): string {
  return path.reduce(pointerTo, '')
}
