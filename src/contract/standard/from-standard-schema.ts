import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../json.ts'
import { fromPointer, pointerTo } from '../schema/json-pointer.ts'
import { keywords } from '../schema/keywords.ts'
import { assertedFormats } from '../schema/load-formats.ts'
import { mapParts } from '../schema/map-parts.ts'
import { ToolpactError } from '../toolpact-error.ts'
import { convertByVendor, lossKeyword } from './convert-by-vendor.ts'
import { findDifference } from './find-difference.ts'
import type { StandardJsonSchema } from './standard-json-schema.ts'

const checkInRun =
  'Use a pattern, an enum or bounds, or check it in validate or run and return an error that the contract declares.'

const losses: readonly [names: readonly string[], what: string, instead: string][] = [
  [['custom', 'predicate', 'narrow', 'check', 'raw_check', 'partial_check'], 'a check by a function', checkInRun],
  [
    ['transform', 'pipe', 'overwrite', 'morph'],
    'a transform',
    'Describe the value as callers send it, and change it in run.',
  ],
  [['coerce'], 'a coercion', 'Describe the value as callers send it, and convert it in run.'],
  [['date'], 'a Date', 'Use a string with the format date-time, and parse it in run.'],
  [['bigint', 'domain'], 'a bigint or symbol', 'Use an integer, or a string of digits.'],
  [
    ['map', 'set', 'proto', 'instance', 'file', 'blob', 'function', 'promise', 'symbol', 'arrayObject'],
    'a value that JSON does not have',
    'Use an object, an array or a string.',
  ],
  [['undefined', 'void', 'unit', 'nan'], 'a value that JSON does not have', 'Make the property optional instead.'],
  [['catch', 'fallback'], 'a replacement for invalid values', 'Use a default: invalid values are refused.'],
  [
    ['flags', 'regex'],
    'a pattern with flags, or beside another one',
    'Write one pattern without flags: [Aa] matches both cases.',
  ],
  [
    ['default', 'defaultValue'],
    'a default that its JSON Schema does not have',
    'Use a constant that is JSON, or make the property optional and set it in run.',
  ],
]

const dates: Record<string, string> = {
  zod: 'Use z.iso.datetime(), and parse it in run.',
  valibot: 'Use v.pipe(v.string(), v.isoTimestamp()), and parse it in run.',
}

export type Side = 'input' | 'output'

/**
 * Converts a schema of another library to the JSON Schema of a contract. The result is all that is enforced, so
 * anything that JSON Schema cannot express is refused here. Objects refuse undeclared properties, as in every contract.
 */
export function fromStandardSchema(schema: Partial<StandardJsonSchema>, side: Side, tool: string): JsonSchema {
  const vendor = String(schema['~standard']?.vendor)
  const refuse = (loss: string, pointer: string): never => {
    const { what, instead } = describeLoss(loss, vendor)
    throw unsupported(
      `The ${side} of '${tool}' has ${what} ${toPlace(pointer)}, which JSON Schema cannot express. ${instead}`,
    )
  }
  if (!schema['~standard']?.jsonSchema) throw unsupported(toMissing(vendor, side, tool))
  const converted = convert(schema as StandardJsonSchema, side, tool)
  const contract = toContractSchema(converted.input, side, refuse)
  toContractSchema(converted.output, side, refuse)
  const difference = findDifference(converted.input, converted.output)
  if (difference) refuse(difference.loss, difference.pointer)
  const root = toRoot(contract)
  if (root.type !== 'object')
    throw unsupported(`The ${side} of '${tool}' is not an object. Put the value into a property of one.`)
  return root
}

function unsupported(message: string, options?: ErrorOptions): ToolpactError {
  return new ToolpactError('unsupported_schema', message, options)
}

function toMissing(vendor: string, side: Side, tool: string): string {
  const advice: Record<string, string> = {
    zod: 'Use Zod 4.2 or newer.',
    valibot: 'Wrap it: toStandardJsonSchema(schema), from @valibot/to-json-schema.',
  }
  const instead = advice[vendor] ?? 'Update the library, or write the JSON Schema.'
  return `The ${side} schema of '${tool}' is one of ${vendor} that does not convert itself to JSON Schema. ${instead}`
}

/** Both sides, copied: some libraries return their internal objects. */
function convert(schema: StandardJsonSchema, side: Side, tool: string): { input: JsonObject; output: JsonObject } {
  try {
    return JSON.parse(JSON.stringify(convertByVendor(schema)))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `The ${side} schema of '${tool}' cannot be converted to JSON Schema: ${reason.replace(/\.?$/, '.')}`
    throw unsupported(`${message} Leave out what JSON Schema cannot express, and do it in run.`, { cause })
  }
}

/** Normalizes a converted schema: without losses, and with `additionalProperties` on each object. */
function toContractSchema(root: JsonObject, side: Side, refuse: (loss: string, pointer: string) => never): JsonObject {
  return change(root, '') as JsonObject

  function change(schema: JsonValue, pointer: string, isBranch = false): JsonValue {
    if (!isObject(schema)) return schema
    const { $schema: _, [lossKeyword]: loss, format, ...rest } = schema
    const isFormat = typeof format === 'string' && assertedFormats.has(format)
    // ArkType checks some formats with a function.
    if (typeof loss === 'string' && !(loss === 'predicate' && isFormat)) refuse(loss, pointer)
    const changed: JsonObject = isFormat ? { format: format as string } : {}
    // A library-specific format is a name for its pattern.
    if (format !== undefined && !isFormat && !('pattern' in rest) && !('allOf' in rest))
      refuse(`format ${format}`, pointer)
    for (const [keyword, value] of Object.entries(rest)) {
      changed[keyword] = mapParts(keywords.get(keyword)?.shape, value, pointerTo(pointer, keyword), (part, at) =>
        change(part, at, keyword === 'allOf'),
      )
    }
    return withClosing(withDefaults(changed, side), isBranch)
  }
}

/** Callers may omit properties with a default. The pipeline sets defaults in inputs only, so an output has them all. */
function withDefaults(schema: JsonObject, side: Side): JsonObject {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const defaulted = Object.keys(properties).filter(
    (name) => isObject(properties[name]) && 'default' in properties[name],
  )
  if (defaulted.length === 0) return schema
  const { required, ...rest } = schema
  const others = ((required ?? []) as string[]).filter((name) => !defaulted.includes(name))
  if (side === 'input') return others.length > 0 ? { ...rest, required: others } : rest
  const complete = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, defaulted.includes(name) ? withoutDefault(part) : part]),
  )
  return { ...rest, properties: complete, required: [...others, ...defaulted] }
}

function withoutDefault(schema: JsonValue): JsonValue {
  const { default: _, ...rest } = schema as JsonObject
  return rest
}

/** The parts of an `allOf` stay open for each other; the enclosing schema closes them all. */
function withClosing(schema: JsonObject, isBranch: boolean): JsonObject {
  if (isBranch || 'additionalProperties' in schema || 'unevaluatedProperties' in schema) return schema
  if (Array.isArray(schema.allOf) && schema.allOf.every(isObjectSchema)) {
    return { ...schema, type: 'object', unevaluatedProperties: false }
  }
  if (!isObjectSchema(schema)) return schema
  const declares = 'properties' in schema || 'patternProperties' in schema
  return { ...schema, additionalProperties: !declares }
}

/** The root must be an object itself: not a reference, not a bare union. */
function toRoot(schema: JsonObject): JsonObject {
  const { $ref, ...rest } = schema
  if (typeof $ref === 'string' && $ref !== '#') return { ...(find($ref) as JsonObject), ...rest }
  const choices = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(choices) || !choices.map(find).every(isObjectSchema)) return schema
  return { type: 'object', ...schema, unevaluatedProperties: false }

  function find(part: JsonValue): JsonValue | undefined {
    const reference = isObject(part) ? part.$ref : part
    if (typeof reference !== 'string') return part
    const steps = fromPointer(reference.slice(1)) ?? []
    return steps.reduce<JsonValue | undefined>((value, step) => (isObject(value) ? value[step] : undefined), schema)
  }
}

function isObjectSchema(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false
  const types = [schema.type].flat()
  return types.includes('object') || (schema.type === undefined && 'properties' in schema)
}

/** `/properties/stops/items/properties/at` is `at 'stops[].at'`. */
function toPlace(pointer: string): string {
  const steps = fromPointer(pointer)!
  let place = ''
  for (let index = 0; index < steps.length; index++) {
    const keyword = steps[index]!
    if (['properties', 'patternProperties', '$defs'].includes(keyword)) place += `.${steps[++index]}`
    else if (keyword === 'prefixItems') place += `[${steps[++index]}]`
    else if (keyword === 'items') place += '[]'
    else if (keyword === 'additionalProperties') place += '.*'
  }
  return place === '' ? 'at its root' : `at '${place.replace(/^\./, '')}'`
}

/** Describes what JSON Schema cannot express, and what to write instead. */
function describeLoss(loss: string, vendor: string): { readonly what: string; readonly instead: string } {
  if (loss.startsWith('format ')) return { what: `the ${loss.replace(' ', " '")}'`, instead: 'Use a pattern.' }
  const known = losses.find(([names]) => names.includes(loss))
  if (!known) return { what: `'${loss}'`, instead: checkInRun }
  const [, what, instead] = known
  return { what, instead: loss === 'date' ? (dates[vendor] ?? instead) : instead }
}
