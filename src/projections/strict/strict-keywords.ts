import type { JsonObject, JsonValue } from '../../contract/json.ts'

/** Keywords that define the shape of values: dropping one would describe a different tool. */
export const shaping = ['if', 'prefixItems', 'additionalItems', 'patternProperties', 'dependentSchemas', 'dependencies']

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

/** Keywords that apply to values of some types only; strict mode accepts those in `taken`. */
const byType: { readonly [type: string]: { readonly taken: readonly string[]; readonly unknown: readonly string[] } } =
  {
    string: { taken: ['pattern', 'format'], unknown: ['minLength', 'maxLength'] },
    number: { taken: numeric, unknown: [] },
    integer: { taken: numeric, unknown: [] },
    array: {
      taken: ['items', 'minItems', 'maxItems'],
      unknown: ['uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
    },
    object: {
      taken: ['properties', 'required', 'additionalProperties', 'unevaluatedProperties'],
      unknown: ['minProperties', 'maxProperties', 'propertyNames', 'dependentRequired'],
    },
  }

/** Formats that strict mode supports. */
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']

/** Whether strict mode accepts the keyword as used here. */
export function isTaken(keyword: string, schema: JsonObject): boolean {
  if (keyword === 'format') return formats.includes(String(schema.format))
  if (['type', 'enum', 'const'].includes(keyword)) return true
  return Object.values(byType).some(({ taken }) => taken.includes(keyword))
}

/** Whether the keyword may apply to values of these types; to every type if none is given. */
export function belongsTo(keyword: string, types: readonly string[]): boolean {
  const owners = Object.keys(byType).filter((type) =>
    [...byType[type]!.taken, ...byType[type]!.unknown].includes(keyword),
  )
  return types.length === 0 || owners.length === 0 || owners.some((type) => types.includes(type))
}

/** Annotations that strict mode accepts anywhere. */
export function isNote(keyword: string): boolean {
  return keyword === 'title' || keyword === 'description'
}

const silent = [
  ...['$schema', '$id', '$comment', '$defs', 'definitions', '$ref', 'then', 'else'],
  ...['readOnly', 'writeOnly', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]

/** Keywords without meaning for the author of a value. */
export function isSilent(keyword: string): boolean {
  return silent.includes(keyword)
}

/** The types that a schema names, or that its other keywords imply. */
export function toTypes(schema: JsonObject): string[] {
  if (schema.type !== undefined) return [schema.type].flat() as string[]
  const values = 'const' in schema ? [schema.const!] : (schema.enum as JsonValue[] | undefined)
  if (values !== undefined) return [...new Set(values.map(typeOf))]
  if (schema.properties !== undefined) return ['object']
  return schema.items === undefined ? [] : ['array']
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
