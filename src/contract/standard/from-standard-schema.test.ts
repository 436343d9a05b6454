import { toStandardJsonSchema as toStandard } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { openToolpact } from '../../app/app.ts'
import { defineTool } from '../define-tool.ts'
import { defineToolset } from '../define-toolset.ts'
import { lintContract } from '../lint-contract.ts'
import { ToolpactError } from '../toolpact-error.ts'
import { fromStandardSchema } from './from-standard-schema.ts'
import type { StandardJsonSchema } from './standard-json-schema.ts'

const closed = { type: 'object', additionalProperties: false } as const

const trips = {
  zod: z.object({
    text: z.string().min(1).describe('What to measure'),
    unit: z.enum(['words', 'lines']).default('words').describe('What to count'),
    parts: z.array(z.object({ from: z.int().min(0) })).optional(),
  }),
  arktype: type({
    text: type('string >= 1').describe('What to measure'),
    unit: type("'words' | 'lines'").describe('What to count').default('words'),
    'parts?': type({ from: 'number.integer >= 0' }).array(),
  }),
  valibot: toStandard(
    v.object({
      text: v.pipe(v.string(), v.minLength(1), v.description('What to measure')),
      unit: v.pipe(v.optional(v.picklist(['words', 'lines']), 'words'), v.description('What to count')),
      parts: v.optional(v.array(v.object({ from: v.pipe(v.number(), v.integer(), v.minValue(0)) }))),
    }),
  ),
}

test.each(Object.entries(trips))(
  'a schema of %s becomes the JSON Schema that a person would write',
  (vendor, schema) => {
    const maximum = vendor === 'zod' ? { maximum: Number.MAX_SAFE_INTEGER } : {}
    const from = { type: 'integer', minimum: 0, ...maximum }
    expect(fromStandardSchema(schema, 'input', 'measure')).toEqual({
      ...closed,
      properties: {
        text: { type: 'string', minLength: 1, description: 'What to measure' },
        unit: expect.objectContaining({ default: 'words', description: 'What to count' }),
        parts: { type: 'array', items: { ...closed, properties: { from }, required: ['from'] } },
      },
      required: ['text'],
    })
  },
)

test.each(Object.entries(trips))('an output of %s has what it has defaults for', (_vendor, schema) => {
  const output = fromStandardSchema(schema, 'output', 'measure')
  expect(output.required).toEqual(['text', 'unit'])
  expect(output.properties!.unit).not.toHaveProperty('default')
})

const sound: [what: string, schema: StandardJsonSchema][] = [
  ['formats of Zod', z.object({ a: z.email(), b: z.url(), c: z.iso.datetime(), d: z.uuid(), e: z.iso.duration() })],
  [
    'patterns of Zod',
    z.object({ a: z.base64(), b: z.string().startsWith('a').includes('b'), c: z.hex(), d: z.e164() }),
  ],
  ['choices of Zod', z.object({ a: z.union([z.string(), z.null()]), b: z.literal(['a', 1]), c: z.tuple([z.int()]) })],
  ['maps of Zod', z.object({ a: z.record(z.string(), z.number()), b: z.looseObject({}), c: z.unknown() })],
  ['brands of Zod', z.object({ a: z.string().brand('a').readonly(), b: z.string().nullable().prefault('b') })],
  [
    'a union of Zod at the root',
    z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.int() })]),
  ],
  ['an intersection of Zod', z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() }))],
  ['a named schema of Zod', z.object({ a: z.object({ b: z.string() }).meta({ id: 'Part' }) }).meta({ id: 'Whole' })],
  [
    'a recursive schema of Zod',
    z.object({
      name: z.string(),
      get parts() {
        return z.array(tree)
      },
    }),
  ],
  [
    'formats of ArkType',
    type({ a: 'string.email', b: 'string.url', c: 'string.uuid', d: /^[a-z]+$/, e: '1 <= number < 5' }),
  ],
  [
    'choices of ArkType',
    type({ a: 'string | null', b: "'a' | 'b'", c: ['string', 'number'], d: 'Record<string, number>' }),
  ],
  ['a recursive schema of ArkType', type.module({ node: { name: 'string', 'parts?': 'node[]' } }).node],
  [
    'formats of Valibot',
    toStandard(v.object({ a: v.pipe(v.string(), v.email()), b: v.pipe(v.string(), v.isoTimestamp()) })),
  ],
  ['an intersection of Valibot', toStandard(v.intersect([v.object({ a: v.string() }), v.object({ b: v.string() })]))],
  [
    'a variant of Valibot',
    toStandard(v.variant('k', [v.object({ k: v.literal('a') }), v.object({ k: v.literal('b') })])),
  ],
  [
    'a brand of Valibot',
    toStandard(v.object({ a: v.pipe(v.string(), v.brand('a'), v.readonly()), b: v.nullish(v.string()) })),
  ],
]
const tree = z.object({ name: z.string() })

test.each(sound)('%s passes the lint and the guard', async (_what, schema) => {
  const { contract } = defineTool(
    { name: 'measure', description: 'Measures a text.', risk: 'read_only', input: schema, output: schema },
    () => ({}),
  )
  const problems = await lintContract(contract)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(JSON.stringify(contract)).not.toContain('x-toolpact')
})

const at = (schema: z.ZodType) => z.object({ list: z.array(z.object({ at: schema })) })
const arkAt = (schema: unknown) => type({ list: type({ at: schema as 'string' }).array() }) as StandardJsonSchema
const valiAt = (schema: v.GenericSchema) => toStandard(v.object({ list: v.array(v.object({ at: schema })) }))

const lost: [what: string, schema: StandardJsonSchema, says: string][] = [
  ['zod: refine', at(z.string().refine(() => true)), 'a check by a function'],
  ['zod: superRefine', at(z.string().superRefine(() => {})), 'a check by a function'],
  ['zod: check', at(z.number().check(() => {})), 'a check by a function'],
  ['zod: custom', at(z.custom<string>(() => true)), 'a check by a function'],
  ['zod: instanceof', at(z.instanceof(Uint8Array)), 'a check by a function'],
  ['zod: a format that is a function', at(z.stringFormat('even', () => true)), 'a check by a function'],
  ['zod: a URL of one host', at(z.url({ hostname: /^example\.com$/ })), 'a check by a function'],
  ['zod: transform', at(z.string().transform(Number)), 'a transform'],
  ['zod: a transform to the same type', at(z.string().transform((text) => text)), 'a transform'],
  ['zod: trim', at(z.string().trim()), 'a transform'],
  ['zod: codec', at(z.stringbool()), 'a transform'],
  ['zod: preprocess', at(z.preprocess(Number, z.number())), 'a transform'],
  ['zod: pipe', at(z.string().pipe(z.email())), 'a transform'],
  ['zod: coerce', at(z.coerce.number()), 'a coercion'],
  ['zod: date', at(z.date()), 'Use z.iso.datetime(), and parse it in run.'],
  ['zod: an optional date', at(z.date().optional()), 'a Date'],
  ['zod: bigint', at(z.bigint()), 'a bigint'],
  ['zod: map', at(z.map(z.string(), z.string())), 'a value that JSON does not have'],
  ['zod: undefined', at(z.undefined()), 'Make the property optional'],
  ['zod: catch', at(z.string().catch('')), 'a replacement for invalid values'],
  ['zod: flags', at(z.string().regex(/^a$/i)), 'a pattern with flags'],
  ['zod: a format without a pattern', at(z.jwt()), "the format 'jwt'"],
  ['arktype: narrow', arkAt(type('string').narrow(() => true)), 'a check by a function'],
  ['arktype: narrow on a format', arkAt(type('string.url').narrow(() => true)), 'a check by a function'],
  ['arktype: morph', arkAt('string.numeric.parse'), 'a transform'],
  ['arktype: trim', arkAt('string.trim'), 'a transform'],
  ['arktype: Date', arkAt('Date'), 'a Date'],
  ['arktype: bigint', arkAt('bigint'), 'a bigint'],
  ['arktype: Map', arkAt('Map'), 'a value that JSON does not have'],
  ['arktype: undefined', arkAt('undefined'), 'Make the property optional'],
  ['arktype: flags', arkAt(/^a$/i), 'a pattern with flags'],
  [
    'valibot: check',
    valiAt(
      v.pipe(
        v.string(),
        v.check(() => true),
      ),
    ),
    'a check by a function',
  ],
  ['valibot: transform', valiAt(v.pipe(v.string(), v.transform(Number))), 'a transform'],
  [
    'valibot: a transform between schemas',
    valiAt(
      v.pipe(
        v.string(),
        v.transform((a) => a),
        v.string(),
      ),
    ),
    'a transform',
  ],
  ['valibot: trim', valiAt(v.pipe(v.string(), v.trim())), 'a transform'],
  ['valibot: date', valiAt(v.date()), 'Use v.pipe(v.string(), v.isoTimestamp())'],
  ['valibot: bigint', valiAt(v.bigint()), 'a bigint'],
  ['valibot: fallback', valiAt(v.fallback(v.string(), '')), 'a replacement for invalid values'],
  ['valibot: flags', valiAt(v.pipe(v.string(), v.regex(/^a$/i))), 'a pattern with flags'],
]

test.each(lost)('%s is refused when the tool is defined, with its place', (_what, schema, says) => {
  const define = () =>
    defineTool({ name: 'go', description: 'Goes.', risk: 'read_only', input: schema, output: closed }, () => ({}))
  expect(define).toThrow(ToolpactError)
  expect(define).toThrow(/^The input of 'go' has .* at 'list\[\]\.at', which JSON Schema cannot express\. [A-Z].*\.$/)
  expect(define).toThrow(says)
})

test('checks and transforms of a whole input are at its root', () => {
  const refined = z.object({ a: z.string() }).refine(() => true)
  const checked = toStandard(
    v.pipe(
      v.object({ a: v.string() }),
      v.check(() => true),
    ),
  )
  const narrowed = type({ a: 'string' }).narrow(() => true)
  for (const schema of [refined, checked, narrowed] as StandardJsonSchema[])
    expect(() => fromStandardSchema(schema, 'output', 'go')).toThrow(/^The output of 'go' has a check .* at its root/)
})

test('an unknown library: a transform is found by its two sides, and what it throws is passed on', () => {
  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
  const toSchema = (input: () => object, output = input) =>
    ({ '~standard': { version: 1, vendor: 'other', jsonSchema: { input, output } } }) as StandardJsonSchema
  const convert = (input: object, output = input) =>
    fromStandardSchema(
      toSchema(
        () => input,
        () => output,
      ),
      'input',
      'go',
    )
  const text = { type: 'string' }
  expect(convert(object({ a: text }))).toEqual({ ...closed, properties: { a: text } })
  expect(() => convert(object({ description: text }), object({ description: { type: 'number' } }))).toThrow(
    "a transform at 'description'",
  )
  expect(() => convert(object({ a: { anyOf: [text] } }), object({ a: { anyOf: [text, { type: 'null' }] } }))).toThrow(
    "a transform at 'a'",
  )
  expect(() => convert(object({ a: text }), object({ a: text }, { required: ['a'] }))).toThrow(
    "a default that its JSON Schema does not have at 'a'",
  )
  const silent = toSchema(() => {
    throw new Error('Symbols are not supported')
  })
  expect(() => fromStandardSchema(silent, 'input', 'go')).toThrow('Symbols are not supported. Leave out')
})

test('a schema that does not convert itself, or is no object, is refused with what to do', () => {
  const define = (input: unknown) =>
    defineTool(
      { name: 'go', description: 'Goes.', risk: 'read_only', input: input as StandardJsonSchema, output: closed },
      () => ({}),
    )
  expect(() => define(v.object({ a: v.string() }))).toThrow(
    'Wrap it: toStandardJsonSchema(schema), from @valibot/to-json-schema.',
  )
  expect(() => define({ '~standard': { version: 1, vendor: 'zod' } })).toThrow('Use Zod 4.2 or newer.')
  expect(() => define(z.string())).toThrow("The input of 'go' is not an object. Put the value into a property of one.")
  expect(() => define(z.union([z.object({}), z.string()]))).toThrow('is not an object')
})

test.each(Object.entries(trips))(
  'a call of a tool with schemas of %s is checked like any other',
  async (_vendor, input) => {
    const output = z.object({ count: z.int().min(0).describe('How many there are') })
    const measure = defineTool(
      { name: 'measure', description: 'Counts the words of a text.', risk: 'read_only', input, output },
      (given) => ({ count: (given as { unit: string }).unit === 'words' ? 2 : -1 }),
    )
    const toolpact = await openToolpact({ storage: 'memory', toolsets: [defineToolset('texts', [measure])] })
    onTestFinished(() => toolpact.close())
    expect(await toolpact.call('measure', { text: 'one two' })).toMatchObject({ success: true, output: { count: 2 } })
    expect(await toolpact.call('measure', { text: 'one two', more: 1 })).toMatchObject({
      error: { code: 'invalid_input', problems: [{ pointer: '/more', keyword: 'additionalProperties' }] },
    })
    expect(await toolpact.call('measure', { text: '' })).toMatchObject({ error: { problems: [{ pointer: '/text' }] } })
    expect(await toolpact.call('measure', { text: 'a', unit: 'lines' })).toMatchObject({
      error: { code: 'invalid_output' },
    })
  },
)
