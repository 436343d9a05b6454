import { isSchemaObject, resolveReference, type SchemaObject } from '../../../contract/lint/walk-schema.ts'

export type Schema = SchemaObject | boolean

/** No value can be generated here; callers try another branch. */
export class Impossible extends Error {
  override readonly name = 'Impossible'
}

export const impossible = new Impossible('No value can be made.')

const maxSchemas = 1000

/** All schemas that apply to a value, with references resolved and one branch chosen per alternative. */
export function collect(
  schemas: readonly Schema[],
  root: SchemaObject,
  choose: <T>(branches: readonly T[]) => T,
): SchemaObject[] {
  const found = new Set<SchemaObject>()
  const waiting = schemas.toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === false || found.size > maxSchemas) throw impossible
    if (next === true || found.has(next)) continue
    found.add(next)
    const target = typeof next.$ref === 'string' && resolveReference(next.$ref, root)
    if (target) waiting.push(target)
    waiting.push(...schemasIn(next.allOf))
    for (const branches of [schemasIn(next.anyOf), schemasIn(next.oneOf)]) {
      if (branches.length > 0) waiting.push(choose(branches))
    }
    if (next.if !== undefined) waiting.push(...choose([holding(next), schemasIn([next.else ?? true])]))
  }
  return [...found]
}

function holding(schema: SchemaObject): Schema[] {
  return schemasIn([schema.if, schema.then ?? true])
}

export function schemasIn(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isSchemaObject(value)
}

/** The values of a keyword in all schemas that have it. */
export function valuesOf<T>(list: readonly SchemaObject[], keyword: string): T[] {
  return list.filter((schema) => Object.hasOwn(schema, keyword)).map((schema) => schema[keyword] as T)
}

/** The strictest lower bound, or `otherwise`. */
export function atLeast(list: readonly SchemaObject[], keyword: string, otherwise: number): number {
  return Math.max(otherwise, ...valuesOf<number>(list, keyword))
}

/** The strictest upper bound, or `otherwise`. */
export function atMost(list: readonly SchemaObject[], keyword: string, otherwise: number): number {
  return Math.min(otherwise, ...valuesOf<number>(list, keyword))
}

const kinds: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** Allowed types; if unspecified, inferred from other keywords. */
export function typesOf(list: readonly SchemaObject[]): string[] {
  let types: string[] | undefined
  for (const said of valuesOf<string | readonly string[]>(list, 'type')) {
    const wanted = [said].flat()
    types = types === undefined ? wanted : intersect(types, wanted)
  }
  if (types) return types
  const meant = kinds.filter(([, keywords]) => list.some((schema) => keywords.some((name) => name in schema)))
  return meant.length > 0 ? meant.map(([type]) => type) : ['string', 'boolean', 'null', 'number', 'object', 'array']
}

/** An integer is a number too. */
function intersect(types: readonly string[], wanted: readonly string[]): string[] {
  const both = types.filter((type) => wanted.includes(type))
  const whole =
    !both.includes('integer') &&
    ((types.includes('integer') && wanted.includes('number')) ||
      (types.includes('number') && wanted.includes('integer')))
  return whole && !both.includes('number') ? [...both, 'integer'] : both
}
