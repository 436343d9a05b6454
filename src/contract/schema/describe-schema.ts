import type { JsonObject, JsonValue } from '../json.ts'
import { showText, showValue } from '../text/show-value.ts'
import { type AjvSchema, resolveReference } from './to-ajv-schema.ts'

const typeWords: Record<string, string> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
}

/** What a `type` requires: `a string or null`. */
export function describeTypes(types: JsonValue): string {
  return joinWords([types].flat().map((type) => typeWords[String(type)] ?? String(type)))
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** A list as text: the first items, and the number of the others. */
export function listValues(values: readonly unknown[], max = 20): string {
  const shown = values.slice(0, max).map((value) => showValue(value, 40))
  return shown.join(', ') + (values.length > max ? ` and ${values.length - max} more` : '')
}

/** A short phrase for the values that a schema accepts: `an object with "kind": "file"`. */
export function describeSchema(schema: AjvSchema, root: AjvSchema, depth = 0): string {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing'
  if (depth > 3) return 'another form'
  if (typeof schema.$ref === 'string') return describeSchema(resolveReference(root, schema.$ref), root, depth + 1)
  if ('const' in schema) return showValue(schema.const, 40)
  if (Array.isArray(schema.enum)) return `one of ${listValues(schema.enum, 8)}`
  const branches = (schema.anyOf ?? schema.oneOf) as AjvSchema[] | undefined
  if (branches && schema.type === undefined) return describeBranches(branches, root, depth + 1)
  const types = schema.type ?? (schema.properties || schema.required ? 'object' : undefined)
  if (types === undefined) return 'another form'
  const words = describeTypes(types)
  if (types === 'object') return words + describeKeys(schema)
  return typeof schema.format === 'string' ? `${words} (${showText(schema.format, 30)})` : words
}

/** The alternatives of a union, deduplicated. */
export function describeBranches(branches: readonly AjvSchema[], root: AjvSchema, depth = 0): string {
  const words = [...new Set(branches.slice(0, 8).map((branch) => describeSchema(branch, root, depth)))]
  if (branches.length > 8) words.push(`${branches.length - 8} other forms`)
  return joinWords(words)
}

/** The constant values that distinguish an object, otherwise its required keys. */
function describeKeys(schema: JsonObject): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, AjvSchema>)
  const fixed = properties.filter(([, part]) => typeof part === 'object' && 'const' in part)
  if (fixed.length > 0) {
    const pairs = fixed
      .slice(0, 3)
      .map(([key, part]) => `${showValue(key)}: ${showValue((part as JsonObject).const, 40)}`)
    return ` with ${pairs.join(', ')}`
  }
  const required = (schema.required ?? []) as string[]
  return required.length > 0 ? ` with ${listValues(required, 5)}` : ''
}

/** A short description of a property: `string: Name to greet`. */
export function describeProperty(schema: AjvSchema | undefined, root: AjvSchema): string {
  if (typeof schema !== 'object') return ''
  const target = typeof schema.$ref === 'string' ? resolveReference(root, schema.$ref) : schema
  const types = typeof target === 'object' && target.type ? [target.type].flat().join(' or ') : ''
  const description = schema.description ?? (typeof target === 'object' ? target.description : undefined)
  const words = typeof description === 'string' ? showText(description, 100) : ''
  return [types, words].filter(Boolean).join(': ')
}

/** Whether a value may be meant for this branch: its type and its constant values match. */
export function isMeantFor(schema: AjvSchema, value: unknown, root: AjvSchema, depth = 0): boolean {
  if (typeof schema === 'boolean' || depth > 10) return schema !== false
  if (typeof schema.$ref === 'string' && !isMeantFor(resolveReference(root, schema.$ref), value, root, depth + 1))
    return false
  if (schema.type !== undefined && ![schema.type].flat().some((type) => hasType(value, String(type)))) return false
  if (!allows(schema, value)) return false
  if (typeOf(value) !== 'object') return true
  return Object.entries((schema.properties ?? {}) as Record<string, AjvSchema>).every(
    ([key, part]) =>
      typeof part === 'boolean' || !Object.hasOwn(value as object, key) || allows(part, (value as JsonObject)[key]),
  )
}

/** Whether `const` and `enum` accept a primitive value. Objects and arrays are not compared. */
function allows(schema: JsonObject, value: unknown): boolean {
  const choices = 'const' in schema ? [schema.const] : schema.enum
  if (!Array.isArray(choices) || (typeof value === 'object' && value !== null)) return true
  return choices.includes(value as JsonValue)
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function hasType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type
}
