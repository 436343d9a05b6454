import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guardSchema } from './guard-schema.ts'
import { keywords } from './keywords.ts'

/** The published metaschemas, which the table of keywords replaces. */
const options = { strict: false, validateFormats: false, logger: false } as const
const for2020 = new Ajv2020(options).getSchema('https://json-schema.org/draft/2020-12/schema')!
const for07 = toPublished07()

/** ajv's copy of draft-07 asks more of `enum` than the published one does. */
function toPublished07() {
  const copy = structuredClone(new Ajv(options).getSchema('http://json-schema.org/draft-07/schema')!.schema) as {
    $id: string
    properties: { enum: unknown }
  }
  copy.$id = 'draft-07-as-published'
  copy.properties.enum = { type: 'array', items: true }
  return new Ajv({ ...options, meta: false, validateSchema: false }).compile(copy)
}

const bases: object[] = [
  {
    type: ['object', 'null'],
    required: ['a'],
    properties: {
      a: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', format: 'date' },
      b: { enum: [1, 'x'] },
    },
    patternProperties: { '^x': { type: 'number', minimum: 1, exclusiveMaximum: 9.5, multipleOf: 0.5 } },
    additionalProperties: false,
    propertyNames: { maxLength: 5 },
    minProperties: 1,
  },
  {
    type: 'array',
    items: { anyOf: [{ const: null }, { not: { type: 'boolean' } }], description: 'x', examples: [1] },
    contains: true,
    uniqueItems: true,
    maxItems: 5,
  },
  {
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { allOf: [{}] },
    else: { oneOf: [true, false] },
    definitions: { a: { title: 'x' } },
  },
  { dependencies: { a: ['b'], c: { type: 'object' } }, $comment: 'x', default: {}, readOnly: true },
  { prefixItems: [{}], $defs: { a: {} }, dependentRequired: { a: ['b'] }, dependentSchemas: { a: {} }, minContains: 0 },
  {
    unevaluatedItems: false,
    unevaluatedProperties: {},
    deprecated: true,
    contentSchema: {},
    $id: 'https://example.org/',
  },
]

const values = fc.constantFrom<unknown>(
  ...[-1, 0, 1, 1.5, 1e300, '', 'x', 'string', 'integer', '#', '^a', true, false, null, [], {}, [1], ['a'], ['a', 'a']],
  ...[
    [{}],
    [true],
    [null],
    [[]],
    ['string', 'null'],
    ['string', 'x'],
    { a: 1 },
    { a: [] },
    { a: ['x', 'x'] },
    { a: {} },
  ],
  ...[{ a: { type: 'x' } }, { a: { type: 'string' } }, [{ minLength: -1 }], { a: [1] }, { a: null }, { '[': {} }],
)
const names = fc.constantFrom(...keywords.keys(), 'additionalItems', 'unknown')
const edits = fc.array(fc.tuple(fc.nat(), names, values), { minLength: 1, maxLength: 2 })

test.each([undefined, 'http://json-schema.org/draft-07/schema#'])(
  'damaged schemas are refused exactly where the metaschema refuses them, $schema %s',
  async ($schema) => {
    const isValid = $schema === undefined ? for2020 : for07
    const counts = { admitted: 0, refused: 0, invalid: 0 }
    const mutants = fc
      .tuple(fc.constantFrom(...bases), edits)
      .map(([base, changes]) => damage({ $schema, ...base }, changes))
    const check = fc.asyncProperty(mutants, async (schema) => {
      const verdict = await guardSchema(schema)
      const isSound = isValid(JSON.parse(JSON.stringify(schema))) === true
      if (!isSound) counts.invalid++
      if (verdict.admitted) {
        counts.admitted++
        expect({ schema, isSound }).toEqual({ schema, isSound: true })
      } else {
        counts.refused++
        const isShape = verdict.problems.some(({ rule }) => rule === 'invalid_keyword' || rule === 'not_a_schema')
        if (isShape) expect({ schema, isSound }).toEqual({ schema, isSound: false })
      }
    })
    await fc.assert(check, { seed: 5, numRuns: 2000 })
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(250)
  },
)

/** Sets keywords of some schemas in a document to something else. */
function damage(base: object, changes: [number, string, unknown][]): object {
  const schema = structuredClone(base) as Record<string, unknown>
  for (const [place, name, value] of changes) {
    const parts = objectsIn(schema)
    parts[place % parts.length]![name] = structuredClone(value)
  }
  return schema
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner]
}
