import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { printableJson } from '../../contract/text/printable.ts'

/** The name of the type for a `$ref`. */
export type NameReference = (reference: string) => string

/**
 * An admitted schema as a TypeScript type. What types cannot express (patterns, bounds, `if`, `not`) is left to
 * validation; without information the type is `unknown`.
 */
export function toTypeText(schema: JsonValue | undefined, nameOf: NameReference, indent = ''): string {
  if (schema === false) return 'never'
  if (!isObject(schema)) return 'unknown'
  const inner = (part: JsonValue | undefined) => toTypeText(part, nameOf, indent)
  if ('const' in schema) return toLiteral(schema.const!)
  if (Array.isArray(schema.enum)) return toUnion(schema.enum.map(toLiteral))
  const parts = [
    toOwnType(schema, nameOf, indent),
    ...(typeof schema.$ref === 'string' ? [nameOf(schema.$ref)] : []),
    ...listOf(schema.allOf).map(inner),
    ...['anyOf', 'oneOf'].map((keyword) => (schema[keyword] ? toUnion(listOf(schema[keyword]).map(inner)) : 'unknown')),
  ]
  const known = [...new Set(parts.filter((part) => part !== 'unknown'))]
  if (known.length <= 1) return known[0] ?? 'unknown'
  return known.map((part) => `(${part})`).join(' & ')
}

/** The type from `type` and the keywords of objects and arrays. */
function toOwnType(schema: JsonObject, nameOf: NameReference, indent: string): string {
  const inferred = schema.properties ? 'object' : schema.items || schema.prefixItems ? 'array' : undefined
  const types = [schema.type ?? inferred ?? []].flat() as string[]
  return types.length === 0 ? 'unknown' : toUnion(types.map(toNamed))

  function toNamed(type: string): string {
    if (type === 'object') return toObjectType(schema, nameOf, indent)
    if (type === 'array') return toArrayType(schema, nameOf, indent)
    return type === 'integer' ? 'number' : type
  }
}

function toObjectType(schema: JsonObject, nameOf: NameReference, indent: string): string {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = listOf(schema.required).map(String)
  const undeclared = required.filter((name) => !Object.hasOwn(properties, name))
  const step = `${indent}  `
  const members = [...Object.entries(properties), ...undeclared.map((name): [string, JsonValue] => [name, true])].map(
    ([name, part]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
      const mark = required.includes(name) ? '' : '?'
      return `${toComment(isObject(part) ? part : {}, step)}${step}${key}${mark}: ${toTypeText(part, nameOf, step)}\n`
    },
  )
  const further = toFurther(schema, members.length > 0, (part) => toTypeText(part, nameOf, step))
  if (further !== undefined) members.push(`${step}[name: string]: ${further}\n`)
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`
}

/** The type of undeclared properties, or undefined if none are allowed. */
function toFurther(schema: JsonObject, isBesideOthers: boolean, toType: (part: JsonValue) => string) {
  const { additionalProperties = true, patternProperties, unevaluatedProperties } = schema
  const hasPatterns = isObject(patternProperties) && Object.keys(patternProperties).length > 0
  if (!hasPatterns && (additionalProperties === false || unevaluatedProperties === false)) return undefined
  // Every declared property must be assignable to an index signature next to it.
  return isBesideOthers || hasPatterns ? 'unknown' : toType(additionalProperties)
}

function toArrayType(schema: JsonObject, nameOf: NameReference, indent: string): string {
  const isTuple = schema.prefixItems !== undefined || Array.isArray(schema.items)
  if (!isTuple) return `Array<${toTypeText(schema.items, nameOf, indent)}>`
  const first = listOf(schema.prefixItems ?? schema.items)
  const rest = schema.prefixItems === undefined ? schema.additionalItems : schema.items
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0
  const items = first.map((item, index) => {
    const text = toTypeText(item, nameOf, indent)
    return index < least ? text : `(${text})?`
  })
  if (rest !== false) items.push(`...Array<${toTypeText(rest, nameOf, indent)}>`)
  return `[${items.join(', ')}]`
}

function toUnion(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== 'never')
  if (distinct.includes('unknown')) return 'unknown'
  return distinct.length === 0 ? 'never' : distinct.join(' | ')
}

function toLiteral(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${toLiteral(part)}`)
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** The title and description of a schema or contract, as a comment on separate lines; empty if there are none. */
export function toComment(words: JsonObject, indent = ''): string {
  const lines = [
    ...(typeof words.description === 'string' ? stripHidden(words.description, 'prose').trim().split(/\r?\n/) : []),
    ...(words.default === undefined ? [] : [`@default ${printableJson(words.default)}`]),
    ...(words.deprecated === true ? ['@deprecated'] : []),
  ].map((line) => line.replaceAll('*/', '*\\/').replaceAll('\t', ' ').trimEnd())
  const said = lines.filter((line, index) => line !== '' || index > 0)
  if (said.length === 0) return ''
  if (said.length === 1) return `${indent}/** ${said[0]} */\n`
  return `${indent}/**\n${said.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}
