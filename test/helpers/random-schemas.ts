import fc from 'fast-check'

type Plain = Record<string, unknown>

const names = fc.constantFrom('a', 'b', 'c')
const texts = fc.constantFrom('', 'x', 'ab', 'abc', 'b')
const counts = fc.constantFrom(0, 1, 2, 3)

/** Values that small schemas distinguish. */
export function jsonOf(depth: number): fc.Arbitrary<unknown> {
  const simple = fc.oneof(texts, fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2, 3), fc.constantFrom(null, true, false))
  if (depth === 0) return simple
  const inner = jsonOf(depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: simple },
    { weight: 4, arbitrary: fc.dictionary(names, inner, { maxKeys: 3, noNullPrototype: true }) },
    { weight: 2, arbitrary: fc.array(inner, { maxLength: 3 }) },
  )
}

/** Small schemas with every keyword; may reference `#/$defs/d`. */
export function schemaOf(depth: number): fc.Arbitrary<unknown> {
  const keyword = keywordOf(depth)
  return fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom<unknown>(true, false, {}) },
    { weight: 9, arbitrary: fc.array(keyword, { minLength: 1, maxLength: 4 }).map(Object.fromEntries) },
  )
}

/** A keyword with a value that fits it. */
function keywordOf(depth: number): fc.Arbitrary<readonly [string, unknown]> {
  const types = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'] as const
  const simple: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(fc.constantFrom<unknown>(...types), fc.subarray([...types], { minLength: 1 })),
    enum: fc.array(jsonOf(1), { minLength: 1, maxLength: 3 }),
    const: jsonOf(1),
    minimum: fc.constantFrom(0, 0.5, 1),
    exclusiveMinimum: fc.constantFrom(-1, 0, 0.5),
    maximum: fc.constantFrom(1, 1.5, 2),
    exclusiveMaximum: fc.constantFrom(1, 2, 2.5),
    multipleOf: fc.constantFrom(0.5, 1, 2),
    minLength: counts,
    maxLength: counts,
    pattern: fc.constantFrom('a', '^a', 'b$'),
    minItems: counts,
    maxItems: counts,
    uniqueItems: fc.boolean(),
    minProperties: counts,
    maxProperties: counts,
    required: fc.subarray(['a', 'b', 'c']),
    dependentRequired: fc.dictionary(names, fc.subarray(['a', 'b', 'c']), { maxKeys: 1, noNullPrototype: true }),
  }
  const made = (table: Record<string, fc.Arbitrary<unknown>>) =>
    Object.entries(table).map(([name, value]) => value.map((one) => [name, one] as const))
  if (depth === 0) return fc.oneof(...made(simple))
  const one = schemaOf(depth - 1)
  const some = fc.array(one, { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(names, one, { maxKeys: 3, noNullPrototype: true })
  return fc.oneof(
    ...made(simple),
    ...made({
      properties: map,
      patternProperties: fc.dictionary(fc.constantFrom('a', '^b', 'c$'), one, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: one,
      propertyNames: one,
      dependentSchemas: fc.dictionary(names, one, { maxKeys: 1, noNullPrototype: true }),
      items: one,
      prefixItems: some,
      contains: one,
      minContains: counts,
      maxContains: counts,
      unevaluatedProperties: one,
      unevaluatedItems: one,
      allOf: some,
      anyOf: some,
      oneOf: some,
      not: one,
      if: one,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: one,
      else: one,
      $ref: fc.constantFrom('#/$defs/d', '#/$defs/e'),
    }),
  )
}

/** A deterministic mutation of a schema. */
export interface Mutation {
  /** Path to the subschema, as indexes. */
  readonly way: readonly number[]
  readonly how: 'add' | 'remove' | 'replace'
  readonly which: number
  readonly keyword: readonly [string, unknown]
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    way: fc.array(fc.nat(20), { maxLength: 3 }),
    how: fc.constantFrom('add', 'remove', 'replace'),
    which: fc.nat(20),
    keyword: keywordOf(1),
  }),
  { minLength: 1, maxLength: 2 },
)

/** A copy of the schema with one keyword somewhere in it added, removed or replaced. */
export function mutate(schema: unknown, { way, how, which, keyword: [name, value] }: Mutation): unknown {
  const copy = structuredClone(schema)
  let target = copy as Plain
  for (const turn of way) {
    const inner = schemasIn(target)
    if (inner.length > 0) target = inner[turn % inner.length]!
  }
  if (typeof target !== 'object') return copy
  const present = Object.keys(target).filter((key) => key !== '$defs')
  const chosen = present[which % Math.max(1, present.length)]
  if (how !== 'add' && chosen !== undefined) delete target[chosen]
  if (how !== 'remove') target[name] = value
  return copy
}

function schemasIn(schema: Plain): Plain[] {
  const held = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']
  const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
  const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
  return [
    ...held.map((name) => schema[name]),
    ...lists.flatMap((name) => (schema[name] ?? []) as unknown[]),
    ...maps.flatMap((name) => Object.values((schema[name] ?? {}) as Plain)),
  ].filter((part): part is Plain => typeof part === 'object' && part !== null)
}
