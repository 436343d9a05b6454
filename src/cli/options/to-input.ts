import { canonicalJson } from '../../contract/canonical-json.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { JsonObject, JsonSchema, JsonTypeName, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { printable } from '../../contract/text/printable.ts'
import { toShellWord } from '../../contract/text/shell-word.ts'
import type { ReadInput } from './read-input.ts'

/**
 * Builds an input from `key=value` words. Values are strings if the schema wants a string, otherwise JSON. Invalid JSON stays
 * a string, so that the pipeline reports the error with its location.
 */
export function toInput(pairs: readonly string[], schema: JsonSchema | undefined): ReadInput {
  const entries = new Map<string, JsonValue>()
  for (const pair of pairs) {
    const end = pair.indexOf('=')
    if (end < 1) return refuse(`'${pair}' is not of the form key=value.`, suggestPair(pair, schema))
    const key = pair.slice(0, end)
    if (entries.has(key))
      return refuse(`The key '${key}' is given twice.`, `Give it once. A list is written as JSON: '${key}=["a","b"]'.`)
    const value = toValue(pair.slice(end + 1), typesOf(propertyOf(schema, key), schema))
    if (!value.ok) return refuse(`The value of '${key}' is not valid. ${value.error.message}`)
    entries.set(key, value.input)
  }
  return { ok: true, input: Object.fromEntries(entries) }
}

function refuse(message: string, suggestion?: string): ReadInput & { ok: false } {
  return { ok: false, error: toPipelineError('invalid_input', message, suggestion ? { suggestion } : {}) }
}

/** Suggests the main parameter if its name was left out. */
function suggestPair(word: string, schema: JsonSchema | undefined): string {
  const [key] = [...(schema?.required ?? []), ...Object.keys(schema?.properties ?? {})]
  return key === undefined || /[={["]/.test(word)
    ? 'Write key=value, or give the whole input as JSON after --input.'
    : `Did you mean ${key}=${word}?`
}

function toValue(text: string, types: ReadonlySet<JsonTypeName>): ReadInput {
  if (types.size === 1 && types.has('string')) return { ok: true, input: text }
  const value = tryJson(text)
  if (value === undefined || !allows(types, value)) return { ok: true, input: text }
  // JSON.parse accepts duplicate keys.
  const strict = parseJson(text, { maxBytes: 67_108_864, maxDepth: 64 })
  return strict.ok ? { ok: true, input: strict.value } : refuse(strict.message)
}

function tryJson(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text)
    // 12345678901234567890 would silently lose precision.
    return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? undefined : value
  } catch {
    return undefined
  }
}

function allows(types: ReadonlySet<JsonTypeName>, value: JsonValue): boolean {
  const type = typeOf(value)
  // If strings and numbers are both allowed, quotes mark a string that looks like a number.
  return types.size === 0 || types.has(type) || (type === 'integer' && types.has('number'))
}

function typeOf(value: unknown): JsonTypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (Number.isInteger(value)) return 'integer'
  return typeof value as JsonTypeName
}

function propertyOf(schema: JsonSchema | undefined, key: string): unknown {
  const { properties } = schema ?? {}
  return properties && Object.hasOwn(properties, key) ? properties[key] : undefined
}

/** Types that the schema allows, as far as they can be derived; empty if any type is allowed. */
function typesOf(schema: unknown, root: JsonSchema | undefined, depth = 0): ReadonlySet<JsonTypeName> {
  if (typeof schema !== 'object' || schema === null || depth > 8) return new Set()
  const { type, enum: choices, const: only, anyOf, oneOf, $ref } = schema as JsonSchema
  if (type !== undefined) return new Set([type].flat() as JsonTypeName[])
  if (Array.isArray(choices)) return new Set(choices.map(typeOf))
  if (only !== undefined) return new Set([typeOf(only)])
  const branches = [anyOf, oneOf].flat().filter((branch) => branch !== undefined)
  if (branches.length > 0) return unite(branches.map((branch) => typesOf(branch, root, depth + 1)))
  return typeof $ref === 'string' ? typesOf(follow($ref, root), root, depth + 1) : new Set()
}

/** A branch without types allows everything. */
function unite(sets: readonly ReadonlySet<JsonTypeName>[]): ReadonlySet<JsonTypeName> {
  return sets.some((set) => set.size === 0) ? new Set() : new Set(sets.flatMap((set) => [...set]))
}

function follow(reference: string, root: JsonSchema | undefined): unknown {
  if (!reference.startsWith('#/') || !root) return undefined
  return reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, key) => (isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined), root)
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** The command line for this call, quoted for a POSIX shell. */
export function toCommand(tool: string, input: JsonObject, schema: JsonSchema): string {
  const pairs = Object.entries(input).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const read = toInput(pairs, schema)
  // Strings that look like numbers or contain unprintable characters need JSON.
  const same = read.ok && canonicalJson(read.input) === canonicalJson(input)
  const words = same && pairs.every((pair) => printable(pair) === pair) ? pairs : ['--input', JSON.stringify(input)]
  return ['toolpact', 'call', tool, ...words].map(toShellWord).join(' ')
}
