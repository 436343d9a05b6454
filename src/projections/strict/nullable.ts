import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { findTarget } from '../../contract/schema/local-reference.ts'

/** Whether null is valid under this schema, as far as types and fixed values show. */
export function acceptsNull(schema: JsonValue, root: JsonValue, turns = 0): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || turns > 50) return schema !== false
  const accepts = (part: JsonValue) => acceptsNull(part, root, turns + 1)
  const { type, enum: choices, anyOf, oneOf, allOf, $ref } = schema
  if (type !== undefined && ![type].flat().includes('null')) return false
  if ('const' in schema && schema.const !== null) return false
  if (Array.isArray(choices) && !choices.includes(null)) return false
  if (Array.isArray(allOf) && !allOf.every(accepts)) return false
  if (Array.isArray(anyOf) && !anyOf.some(accepts)) return false
  if (Array.isArray(oneOf) && !oneOf.some(accepts)) return false
  if (typeof $ref !== 'string') return true
  const target = findTarget(root, $ref)
  return target.found && accepts(target.schema)
}

/** A strict schema that also accepts null. */
export function toNullable(schema: JsonObject): JsonObject {
  const { type, enum: choices, anyOf, title, description, ...rest } = schema
  const notes = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  if (Array.isArray(anyOf)) {
    const isNull = (branch: JsonValue) => (branch as JsonObject).type === 'null'
    return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  }
  const types = type === undefined ? [] : ([type].flat() as string[])
  if (types.includes('null')) return schema
  const isPlain = types.length > 0 && !types.includes('object') && !types.includes('array') && !('const' in rest)
  if (!isPlain) {
    const { title: _title, description: _description, ...bare } = schema
    return { ...notes, anyOf: [bare, { type: 'null' }] }
  }
  return { ...schema, type: [...types, 'null'], ...(Array.isArray(choices) && { enum: [...choices, null] }) }
}
