import { type Finding, pointTo } from './lint-problem.ts'
import {
  isSchemaObject,
  isUnder,
  namesOf,
  requiredOf,
  resolveReference,
  type SchemaNode,
  toOwner,
  typesOf,
  withBranches,
} from './walk-schema.ts'

/** The root of an input or output must be an object. */
export function checkRootObject({ schema, pointer, parent }: SchemaNode): Finding[] {
  if (parent || schema.type === 'object') return []
  const looksLikeProperties =
    !typesOf(schema) && Object.values(schema).some((part) => isSchemaObject(part) && 'type' in part)
  const fix = looksLikeProperties
    ? "Put these properties under properties: { type: 'object', properties: { … }, required: [ … ], additionalProperties: false }."
    : "Write type: 'object' and describe the values as its properties."
  return [{ pointer: pointTo(pointer, 'type'), message: 'The root of the schema is not an object.', fix }]
}

/** The root of an input or output must refuse undeclared properties. */
export function checkRootClosed({ schema, pointer, parent }: SchemaNode): Finding[] {
  if (parent || schema.additionalProperties === false || schema.unevaluatedProperties === false) return []
  return [
    {
      pointer: pointTo(pointer, 'additionalProperties'),
      message: 'The root of the schema accepts undeclared properties.',
      fix: 'Write additionalProperties: false (unevaluatedProperties: false if branches declare properties).',
    },
  ]
}

/** Every object must declare whether it accepts additional properties. */
export function checkObjectExplicit(node: SchemaNode): Finding[] {
  const { schema, pointer, parent } = node
  if (!parent || saysWhatElse(schema) || isUnder(node, ['if', 'not'])) return []
  const owner = toOwner(node)
  const isObject =
    typesOf(schema)?.includes('object') || (owner === node && namesOf(schema).length > 0 && !typesOf(schema))
  if (!isObject || (owner !== node && saysWhatElse(owner.schema))) return []
  return [
    {
      pointer: pointTo(pointer, 'additionalProperties'),
      message: 'This object does not declare whether it accepts undeclared properties.',
      fix: 'Write additionalProperties: false, a schema for the values, or true to accept anything.',
    },
  ]
}

function saysWhatElse(schema: SchemaNode['schema']): boolean {
  return 'additionalProperties' in schema || 'unevaluatedProperties' in schema
}

/** Required properties must be declared. */
export function checkRequiredDeclared(node: SchemaNode): Finding[] {
  const required = requiredOf(node.schema)
  if (required.length === 0) return []
  const parts = withBranches(toOwner(node).schema, node.root)
  if (parts.some((part) => 'patternProperties' in part)) return []
  const declared = new Set(parts.flatMap(namesOf))
  return required
    .filter((name) => !declared.has(name))
    .map((name) => ({
      pointer: pointTo(node.pointer, 'required', required.indexOf(name)),
      message: `The property '${name}' is required, but properties does not declare it.`,
      fix: `Declare '${name}' under properties, or remove it from required.`,
    }))
}

/** `required` is a list beside `properties`, not a flag inside a property. */
export function checkRequiredList({ schema, pointer, keyword, name }: SchemaNode): Finding[] {
  if (typeof schema.required !== 'boolean') return []
  const named = keyword === 'properties' ? `'${name}'` : 'the property'
  return [
    {
      pointer: pointTo(pointer, 'required'),
      message: `required: ${schema.required} inside a property has no meaning in JSON Schema.`,
      fix: schema.required
        ? `Take it out and add ${named} to the list required: [ … ] of the object that has the property.`
        : `Take it out: a property is optional unless its object lists it under required.`,
    },
  ]
}

/** A property with a default must not be required. */
export function checkDefaultNotRequired({ schema, pointer }: SchemaNode): Finding[] {
  const properties = isSchemaObject(schema.properties) ? schema.properties : {}
  return requiredOf(schema)
    .filter((name) => isSchemaObject(properties[name]) && Object.hasOwn(properties[name], 'default'))
    .map((name) => ({
      pointer: pointTo(pointer, 'properties', name, 'default'),
      message: `The property '${name}' is required, so its default is never used.`,
      fix: `Remove '${name}' from required, or remove its default.`,
    }))
}

/** Models and people choose values by the description of a property. */
export function checkPropertyDescribed(node: SchemaNode): Finding[] {
  const { schema, root, pointer, keyword, name, parent } = node
  if (keyword !== 'properties' || !parent || 'const' in schema || isUnder(node, ['if', 'not', 'then', 'else']))
    return []
  const owner = toOwner(parent)
  if (owner !== parent && namesOf(owner.schema).includes(name!)) return []
  const target = typeof schema.$ref === 'string' ? resolveReference(schema.$ref, root) : undefined
  if ([schema, target].some((place) => typeof place?.description === 'string' && place.description.trim() !== ''))
    return []
  return [
    {
      pointer: pointTo(pointer, 'description'),
      message: `The property '${name}' has no description.`,
      fix: 'Describe briefly what it means, its unit, and what happens if it is omitted.',
    },
  ]
}
