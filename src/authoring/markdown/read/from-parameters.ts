import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'

interface Normal {
  readonly schema: JsonObject
  /** Was it a table of parameters, without the object around them? */
  readonly isTable: boolean
  /** Where the first thing stands that JSON Schema writes in another way. */
  readonly at: string
}

/**
 * The JSON Schema that a table of parameters means: `{ "path": { "type": "string", "required": true } }`. Undefined where
 * the value is a schema as it is.
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

/** Every part is an object that says a type, and the whole says none of its own. */
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
