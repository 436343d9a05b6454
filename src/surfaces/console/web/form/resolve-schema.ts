import { isObject, type JsonObject, type JsonValue } from '../../../../contract/json.ts'
import { findTarget } from '../../../../contract/schema/local-reference.ts'

const maxSteps = 32

/** Follows local references and joins `allOf`, at the top only. Undefined if a form cannot show the schema. */
export function resolveSchema(schema: JsonValue, root: JsonValue, steps = 0): JsonObject | undefined {
  if (!isObject(schema) || steps > maxSteps) return undefined
  const { $ref, allOf, ...own } = schema
  const parts: (JsonObject | undefined)[] = []
  if (typeof $ref === 'string') {
    const target = findTarget(root, $ref)
    parts.push(target.found ? resolveSchema(target.schema, root, steps + 1) : undefined)
  }
  if (Array.isArray(allOf)) for (const part of allOf) parts.push(resolveSchema(part, root, steps + 1))
  return [...parts, own].reduce<JsonObject | undefined>((all, part) => all && part && join(all, part), {})
}

/** A value must match both. Where the two cannot be joined simply, the second wins: the server checks all of it anyway. */
function join(first: JsonObject, second: JsonObject): JsonObject | undefined {
  const all: JsonObject = { ...first, ...second }
  if (first.type !== undefined && second.type !== undefined) {
    const types = [first.type].flat().flatMap((type) => narrow(type, [second.type!].flat()))
    if (types.length === 0) return undefined
    all.type = types.length === 1 ? types[0]! : types
  }
  if (isObject(first.properties) && isObject(second.properties)) {
    const properties: JsonObject = { ...first.properties }
    for (const [name, part] of Object.entries(second.properties)) {
      const other = properties[name]
      properties[name] = other === undefined ? part : { allOf: [other, part] }
    }
    all.properties = properties
  }
  if (Array.isArray(first.required) && Array.isArray(second.required))
    all.required = [...new Set([...first.required, ...second.required])]
  return all
}

function narrow(type: JsonValue, allowed: readonly JsonValue[]): JsonValue[] {
  if (allowed.includes(type)) return [type]
  if (type === 'number' && allowed.includes('integer')) return ['integer']
  return type === 'integer' && allowed.includes('number') ? ['integer'] : []
}
