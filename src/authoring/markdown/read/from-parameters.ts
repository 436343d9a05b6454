import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'

interface Normal {
  readonly schema: JsonObject
  /** Whether it was a table of parameters without the enclosing object. */
  readonly isTable: boolean
  /** Pointer to the first part that is not valid JSON Schema. */
  readonly at: string
}

/**
 * Converts a table of parameters such as `{ "path": { "type": "string", "required": true } }` to JSON Schema. Undefined if the
 * value already is a schema.
 */
export function fromParameters(value: JsonObject): Normal | undefined {
  const isTable = looksLikeTable(value)
  const properties = isTable ? value : value.properties
  if (!isObject(properties)) return undefined
  const entries = Object.entries(properties)
  const marked = entries.find(([, part]) => isObject(part) && typeof part.required === 'boolean')
  if (!isTable && !marked) return undefined
  const needed = entries.filter(([, part]) => isObject(part) && part.required === true).map(([name]) => name)
  const plain = Object.fromEntries(entries.map(([name, part]) => [name, withoutMark(part)]))
  if (isTable) {
    const schema = { type: 'object', properties: plain, ...(needed.length > 0 && { required: needed }), additionalProperties: false } // biome-ignore format: one line
    return { schema, isTable, at: '' }
  }
  const listed = Array.isArray(value.required) ? value.required : []
  const required = [...listed, ...needed.filter((name) => !listed.includes(name))]
  const schema = { ...value, properties: plain, ...(required.length > 0 && { required }) }
  return { schema, isTable, at: pointerTo('/properties', marked![0]) }
}

/** Every member is an object with a type, and the whole has none. */
function looksLikeTable(value: JsonObject): boolean {
  const parts = Object.values(value)
  return parts.length > 0 && parts.every((part) => isObject(part) && (isType(part.type) || Array.isArray(part.enum)))
}

function isType(type: JsonValue | undefined): boolean {
  return typeof type === 'string' || Array.isArray(type)
}

function withoutMark(part: JsonValue): JsonValue {
  if (!isObject(part) || typeof part.required !== 'boolean') return part
  const { required: _, ...rest } = part
  return rest
}
