import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkStrict } from '../../../test/helpers/check-strict.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { toStrictParameters } from './strict-parameters.ts'
import { withoutNulls } from './without-nulls.ts'

const text = { type: 'string' }
const closed = (properties: JsonObject, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

test('a null is taken out where the property is optional and takes none, and nowhere else', () => {
  const schema = closed({ a: text, b: text, c: { type: ['string', 'null'] }, d: true }, ['b'])
  expect(withoutNulls({ a: null, b: null, c: null, d: null, e: null }, schema)).toEqual({
    b: null,
    c: null,
    d: null,
    e: null,
  })
})

test('nulls are found below items, references, and the branch that the value fits', () => {
  const file = closed({ kind: { const: 'file' }, path: text, note: text }, ['kind', 'path'])
  const folder = closed({ kind: { const: 'folder' }, depth: { type: 'integer' }, note: { type: ['string', 'null'] } }, [
    'kind',
  ])
  const schema = {
    ...closed({ entries: { type: 'array', items: { $ref: '#/$defs/entry' } } }, ['entries']),
    $defs: { entry: { oneOf: [file, folder] } },
  }
  const sent: JsonObject[] = [
    { kind: 'file', path: 'a', note: null },
    { kind: 'folder', depth: null, note: null },
    { kind: 'other', note: null },
  ]
  expect(withoutNulls({ entries: sent }, schema)).toEqual({
    entries: [{ kind: 'file', path: 'a' }, { kind: 'folder', note: null }, sent[2]!],
  })
})

test('arguments that are no object, and a schema that turns in a circle, are left alone', () => {
  expect(withoutNulls(null, closed({}))).toBeNull()
  expect(withoutNulls('a', closed({}))).toBe('a')
  expect(withoutNulls({ a: null }, { $ref: '#' })).toEqual({ a: null })
})

test('branches inside branches end', () => {
  const node = (kind: string) => closed({ [kind]: text, child: { $ref: '#' } }, [kind])
  let value: JsonObject = { neither: null }
  for (let depth = 0; depth < 60; depth++) value = { one: 'a', two: 'b', child: value }
  expect(withoutNulls(value, { anyOf: [node('one'), node('two')] })).toEqual(value)
})

interface Sample {
  readonly value: JsonValue
  /** The same as a strict model sends it. */
  readonly sent: JsonValue
}

interface Kind {
  readonly schema: JsonObject
  readonly samples: fc.Arbitrary<Sample>
  readonly takesNull?: boolean
}

function scalar(schema: JsonObject, values: fc.Arbitrary<JsonValue>): Kind {
  return { schema, samples: values.map((value) => ({ value, sent: value })) }
}

const scalars = fc.constantFrom(
  scalar({ type: 'string', minLength: 1, maxLength: 20 }, fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' })),
  scalar({ type: 'integer', minimum: -5, default: 3 }, fc.integer({ min: -5, max: 50 })),
  scalar({ type: 'boolean' }, fc.boolean()),
  scalar({ enum: ['a', 'b', 7] }, fc.constantFrom('a', 'b', 7)),
  scalar({ const: 'fixed' }, fc.constant('fixed')),
  { ...scalar({ type: ['string', 'null'] }, fc.constantFrom('a', null)), takesNull: true },
)

function toList({ schema, samples }: Kind): Kind {
  return {
    schema: { type: 'array', items: schema, maxItems: 9 },
    samples: fc.array(samples, { maxLength: 3 }).map((items) => ({
      value: items.map(({ value }) => value),
      sent: items.map(({ sent }) => sent),
    })),
  }
}

/** A nullable property is required: omitted and null look alike to a strict model. */
function toObject(parts: readonly (readonly [string, Kind, boolean])[]): Kind {
  const needed = (kind: Kind, isRequired: boolean) => isRequired || kind.takesNull === true
  const properties = Object.fromEntries(parts.map(([name, { schema }]) => [name, schema]))
  const required = parts.filter(([, kind, isRequired]) => needed(kind, isRequired)).map(([name]) => name)
  const drawn = parts.map(([, kind, isRequired]) =>
    needed(kind, isRequired) ? kind.samples : fc.option(kind.samples, { nil: undefined }),
  )
  return {
    schema: { type: 'object', properties, required, additionalProperties: false },
    samples: fc.tuple(...drawn).map((samples) => ({
      value: Object.fromEntries(parts.flatMap(([name], at) => (samples[at] ? [[name, samples[at].value]] : []))),
      sent: Object.fromEntries(parts.map(([name], at) => [name, samples[at]?.sent ?? null])),
    })),
  }
}

function toUnion(branches: readonly Kind[]): Kind {
  const marked = branches.map((branch, index) => {
    const properties = { kind: { const: `k${index}` }, ...(branch.schema.properties as JsonObject) }
    const required = ['kind', ...(branch.schema.required as string[])]
    const mark = (value: JsonValue) => ({ ...(value as JsonObject), kind: `k${index}` })
    const samples = branch.samples.map(({ value, sent }) => ({ value: mark(value), sent: mark(sent) }))
    return { schema: { ...branch.schema, properties, required }, samples }
  })
  return { schema: { oneOf: marked.map(({ schema }) => schema) }, samples: fc.oneof(...marked.map((m) => m.samples)) }
}

const names = fc.constantFrom('a', 'b', 'c', 'toString', 'x-y')
const { object } = fc.letrec<{ object: Kind; kind: Kind }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(names, tie('kind'), fc.boolean()), { selector: ([name]) => name, minLength: 1, maxLength: 4 })
    .map(toObject),
  kind: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 2 },
    scalars,
    tie('object'),
    tie('kind').map(toList),
    fc.array(tie('object'), { minLength: 2, maxLength: 3 }).map(toUnion),
  ),
}))

test('values that are valid under the contract survive strict mode unchanged', async () => {
  const cases = object.chain(({ schema, samples }) => samples.map((sample) => ({ schema, ...sample })))
  await fc.assert(
    fc.asyncProperty(cases, async ({ schema, value, sent }) => {
      const rewritten = toStrictParameters(schema)
      if (!rewritten.strict) throw new Error(rewritten.obstacle.note)
      expect(checkStrict(rewritten.parameters)).toEqual([])
      expect((await compileSchema(rewritten.parameters)).validate(structuredClone(sent))).toEqual([])
      expect((await compileSchema(schema)).validate(structuredClone(value))).toEqual([])
      expect(withoutNulls(sent, schema)).toEqual(value)
    }),
    { numRuns: 60 },
  )
})
