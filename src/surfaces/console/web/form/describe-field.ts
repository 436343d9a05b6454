import { isObject, type JsonObject, type JsonValue } from '../../../../contract/json.ts'
import { resolveSchema } from './resolve-schema.ts'
import { toHints } from './to-hints.ts'

/** What a form shows for a schema. Parts are schemas again and are described when they are shown, so recursion is no problem. */
export type Field = About & Control

interface About {
  readonly title?: string
  readonly description?: string
  readonly isNullable: boolean
  readonly default?: JsonValue
  /** Bounds and formats, in words. */
  readonly hints: readonly string[]
}

type Control =
  | { readonly kind: 'object'; readonly properties: readonly Property[]; readonly others: JsonValue }
  | {
      readonly kind: 'array'
      readonly itemAt: (index: number) => JsonValue
      readonly min: number
      readonly max: number
    }
  | { readonly kind: 'choice'; readonly branches: readonly Branch[] }
  /** Enums, constants, booleans and null. */
  | { readonly kind: 'options'; readonly options: readonly JsonValue[] }
  | { readonly kind: 'text'; readonly isLine: boolean }
  | { readonly kind: 'number' }
  /** Anything else is typed as JSON. */
  | { readonly kind: 'json' }

interface Property {
  readonly name: string
  readonly schema: JsonValue
  readonly isRequired: boolean
}

export interface Branch {
  readonly label: string
  readonly schema: JsonValue
}

export function describeField(schema: JsonValue, root: JsonValue): Field {
  const resolved = resolveSchema(schema, root)
  if (resolved === undefined) return { kind: 'json', isNullable: false, hints: [] }
  const { control, isNullable } = toControl(resolved, root)
  return {
    ...control,
    isNullable,
    hints: toHints(resolved),
    ...(typeof resolved.title === 'string' && { title: resolved.title }),
    ...(typeof resolved.description === 'string' && { description: resolved.description }),
    ...(resolved.default !== undefined && { default: resolved.default }),
  }
}

function toControl(schema: JsonObject, root: JsonValue): { control: Control; isNullable: boolean } {
  if (schema.const !== undefined) return always({ kind: 'options', options: [schema.const] })
  if (Array.isArray(schema.enum)) return always({ kind: 'options', options: schema.enum })
  const branches = findBranches(schema)
  if (branches) return toChoice(schema, branches, root)
  const types = toTypes(schema)
  const others = types.filter((type) => type !== 'null')
  if (others.length > 1) return toChoice(schema, others.map((type) => ({ type })), root, others.length < types.length) // biome-ignore format: one line
  return { control: toSingle(others[0] ?? types[0], schema), isNullable: others.length === 1 && types.length === 2 }
}

function always(control: Control) {
  return { control, isNullable: false }
}

function toSingle(type: JsonValue | undefined, schema: JsonObject): Control {
  switch (type) {
    case 'object': {
      const required = Array.isArray(schema.required) ? schema.required : []
      const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
      return {
        kind: 'object',
        properties: properties.map(([name, part]) => ({ name, schema: part, isRequired: required.includes(name) })),
        // Schemas that say nothing allow other names, but few mean to: the JSON view takes them.
        others: schema.additionalProperties ?? properties.length === 0,
      }
    }
    case 'array': {
      const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
      return {
        kind: 'array',
        itemAt: (index) => first[index] ?? schema.items ?? true,
        min: typeof schema.minItems === 'number' ? schema.minItems : 0,
        max: typeof schema.maxItems === 'number' ? schema.maxItems : Number.POSITIVE_INFINITY,
      }
    }
    case 'string':
      return { kind: 'text', isLine: schema.format !== undefined || schema.pattern !== undefined }
    case 'integer':
    case 'number':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'options', options: [true, false] }
    case 'null':
      return { kind: 'options', options: [null] }
    default:
      return { kind: 'json' }
  }
}

/** The alternatives of a schema. Branches that only name required properties are left to the server. */
function findBranches(schema: JsonObject): JsonValue[] | undefined {
  const branches = schema.oneOf ?? schema.anyOf
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  const isBare = (branch: JsonValue) => isObject(branch) && Object.keys(branch).every((key) => key === 'required')
  return branches.every(isBare) ? undefined : branches
}

/** Each branch together with what the schema says besides. A single branch beside null is that branch, nullable. */
function toChoice(schema: JsonObject, parts: readonly JsonValue[], root: JsonValue, hasNull = false) {
  const { oneOf, anyOf, type, title, description, default: _, ...rest } = schema
  const base = oneOf || anyOf ? { ...rest, ...(type !== undefined && { type }) } : rest
  const resolved = parts.map((part) =>
    resolveSchema(Object.keys(base).length > 0 ? { allOf: [base, part] } : part, root),
  )
  const full = resolved.map((part, index) => part ?? parts[index]!)
  const others = full.filter((part) => !(isObject(part) && part.type === 'null'))
  const isNullable = hasNull || others.length < full.length
  if (others.length === 1) return { control: toControl(others[0] as JsonObject, root).control, isNullable }
  const labels = others.map(toLabel)
  const isUnique = new Set(labels).size === labels.length
  const branches = others.map((part, index) => ({
    label: isUnique ? labels[index]! : `${index + 1}: ${labels[index]}`,
    schema: part,
  }))
  return { control: { kind: 'choice' as const, branches }, isNullable }
}

/** Its title, else the constants that distinguish it, else its type and required keys. */
function toLabel(schema: JsonValue): string {
  if (!isObject(schema)) return 'anything'
  if (typeof schema.title === 'string') return schema.title
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.length}`
  const properties = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const fixed = properties.flatMap(([name, part]) =>
    isObject(part) && part.const !== undefined ? [`${name}: ${String(part.const)}`] : [],
  )
  if (fixed.length > 0) return fixed.slice(0, 2).join(', ')
  const types = toTypes(schema)
  const keys = Array.isArray(schema.required) ? schema.required.slice(0, 3).join(', ') : ''
  if (types[0] === 'object') return keys === '' ? 'object' : `with ${keys}`
  return types.length === 0 ? 'JSON' : `${types.join(' or ')}${schema.format ? ` (${String(schema.format)})` : ''}`
}

export function toTypes(schema: JsonObject): readonly JsonValue[] {
  if (schema.type !== undefined) return [schema.type].flat()
  if (schema.properties !== undefined || isObject(schema.additionalProperties)) return ['object']
  if (schema.items !== undefined || schema.prefixItems !== undefined) return ['array']
  return []
}
