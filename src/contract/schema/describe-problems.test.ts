// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword
import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { compileSchema } from './compile-schema.ts'

const target: JsonSchema = {
  anyOf: [
    {
      type: 'object',
      properties: { kind: { const: 'file' }, path: { type: 'string' } },
      required: ['kind', 'path'],
      additionalProperties: false,
    },
    { type: 'object', properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind', 'url'] },
    { type: 'null' },
  ],
}
const named: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string', description: 'Name to greet' }, path: {}, encoding: {} },
  required: ['name'],
  additionalProperties: false,
}

/** Schema, value, and the whole of what is said. */
const said: [JsonSchema, unknown, string[]][] = [
  [{ properties: { age: { type: 'integer' } } }, { age: '12' }, ['"/age" must be an integer, but is "12" (string). Send a number without quotes.']],
  [{ type: 'integer' }, 1.5, ['The value must be an integer, but is 1.5 (number). Send a whole number.']],
  [{ type: 'boolean' }, 'true', ['The value must be true or false, but is "true" (string). Send true or false without quotes.']],
  [{ type: ['string', 'null'] }, 5, ['The value must be a string or null, but is 5 (number). Put it in quotes.']],
  [{ type: 'string' }, null, ['The value must be a string, but is null. Leave it out if there is no value.']],
  [{ type: 'object' }, '{"a":1}', ['The value must be an object, but is "{\\"a\\":1}" (string). Send the object itself, not JSON text in a string.']],
  [{ type: 'array' }, '["a"]', ['The value must be an array, but is "[\\"a\\"]" (string). Send the array itself, not JSON text in a string.']],
  [{ type: 'array' }, 'a', ['The value must be an array, but is "a" (string). Put it in an array: [ … ].']],
  [named, {}, ['Missing required "name" (string: Name to greet). Add it.']],
  [{ properties: { user: named } }, { user: {} }, ['Missing required "name" (string: Name to greet) in "/user". Add it.']],
  [{ required: ['constructor'] }, {}, ['Missing required "constructor". Add it.']],
  [{ dependentRequired: { card: ['address'] } }, { card: 1 }, ['Missing required "address", as "card" is present. Add it.']],
  [named, { name: 'x', pth: 1 }, ['Unknown key "pth". Did you mean "path"? Allowed keys: "name", "path", "encoding".']],
  [named, { name: 'x', colour: 1 }, ['Unknown key "colour". Allowed keys: "name", "path", "encoding".']],
  [{ additionalProperties: false }, { a: 1 }, ['Unknown key "a". Leave it out.']],
  [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1, b: 2 }, ['Unknown key "b". Leave it out.']],
  [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], ['"/1" is an item that is not allowed there. Leave it out.']],
  [{ enum: ['fast', 'slow', 3] }, 'fsat', ['The value must be one of "fast", "slow", 3, but is "fsat" (string). Did you mean "fast"?']],
  [{ enum: ['1', '2'] }, 1, ['The value must be one of "1", "2", but is 1 (number). Put it in quotes.']],
  [{ const: { a: 1 } }, [], ['The value must be {"a":1}, but is [] (array).']],
  [{ maxLength: 5 }, 'abcdé😀', ['The value must have at most 5 characters, but has 6.']],
  [{ minItems: 1 }, [], ['The value must have at least 1 item, but has 0.']],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, ['The value must have at most 1 key, but has 2.']],
  [{ minimum: 1 }, 0, ['The value must be at least 1, but is 0 (number).']],
  [{ exclusiveMaximum: 1 }, 1, ['The value must be less than 1, but is 1 (number).']],
  [{ multipleOf: 0.01 }, 1.005, ['The value must be a multiple of 0.01, but is 1.005 (number).']],
  [{ pattern: '^[a-z]+$' }, 'A', ['The value must match the pattern ^[a-z]+$, but is "A" (string).']],
  [{ format: 'date-time' }, 'now', ['The value must be a valid date-time, but is "now" (string). Example: "2026-01-31T13:45:00Z".']],
  [{ uniqueItems: true }, [{ a: 1 }, 2, { a: 1 }], ['The value must have no item twice, but items 0 and 2 are both {"a":1}. Leave one out.']],
  [{ contains: { type: 'string' } }, [1], ['The value must contain at least 1 of: a string, but is [1] (array).']],
  [{ propertyNames: { pattern: '^[a-z]+$' } }, { A1: 1 }, ['The key "A1" must be a name that matches ^[a-z]+$. Rename it.']],
  [{ propertyNames: { enum: ['a', 'b'] } }, { c: 1 }, ['The key "c" must be one of "a", "b". Rename it.']],
  [{ not: { const: 3 } }, 3, ['The value must not be 3, but is 3 (number).']],
  [{ properties: { a: false } }, { a: 1 }, ['"/a" must not be there, but is 1 (number). Leave it out.']],
  [{ oneOf: [{ type: 'integer' }, { minimum: 2 }] }, 3, ['The value must match exactly one of its forms, but matches forms 1 and 2 at once. Make it fit only one.']],
  [{ if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, ['Missing required "b". Add it.']],
  [{ anyOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }] }, '', ['The value must have at least 1 character, but has 0.']],
  [{ anyOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] }, true, ['The value must be a string (date) or an integer, but is true (boolean).']],
  [target, { kind: 'file', pth: 'x' }, ['Missing required "path" (string). Add it.', 'Unknown key "pth". Did you mean "path"? Allowed keys: "kind", "path".']],
  [target, 'a.txt', ['The value must be an object with "kind": "file", an object with "kind": "url" or null, but is "a.txt" (string).']],
  [{ $defs: { target }, items: { $ref: '#/$defs/target' } }, [{ kind: 'url' }, null], ['Missing required "url" (string) in "/0". Add it.']],
  [{ anyOf: Array.from({ length: 15 }, (_, index) => ({ const: index })) }, 'x', ['The value must be 0, 1, 2, 3, 4, 5, 6, 7 or 7 other forms, but is "x" (string).']],
] // biome-ignore format: a table

test.each(said)('%j', async (schema, value, messages) => {
  const problems = (await compileSchema(schema)).validate(value)
  expect(problems.map(({ message }) => message)).toEqual(messages)
})

test('points at the value itself, at the key that is missing, and at the key that is unknown', async () => {
  const schema: JsonSchema = {
    properties: {
      'a/b': { properties: { 'c~d': { type: 'string' } }, required: ['e/f'], additionalProperties: false },
    },
  }
  const problems = (await compileSchema(schema)).validate({ 'a/b': { 'c~d': 1, 'g~h': 2 } })
  expect(problems.map(({ pointer, keyword, found }) => ({ pointer, keyword, found }))).toEqual([
    { pointer: '/a~1b/e~1f', keyword: 'required', found: undefined },
    { pointer: '/a~1b/g~0h', keyword: 'additionalProperties', found: '2' },
    { pointer: '/a~1b/c~0d', keyword: 'type', found: '1' },
  ])
})

test('shows a value as JSON of at most 80 characters without hidden characters', async () => {
  const { validate } = await compileSchema({ items: { type: 'boolean' } })
  const values = [
    'x'.repeat(1e6),
    '\u0000\u001b[31m\u202e\u200b\u2028\ud800',
    '😀'.repeat(100),
    { a: [1, { b: null }] },
    Array(1e5).fill(0),
  ]
  const found = validate(values).map((problem) => problem.found)
  expect(found.every((text) => text!.length <= 80 && text!.isWellFormed())).toBe(true)
  expect(found[0]).toBe(`"${'x'.repeat(78)}…`)
  expect(found[1]).toBe('"\\u0000\\u001b[31m\\u202e\\u200b\\u2028\\ud800"')
  expect(found[3]).toBe('{"a":[1,{"b":null}]}')
})

test('text of the schema is shortened and cleaned too', async () => {
  const schema: JsonSchema = {
    properties: { a: { type: 'string', description: `Line one\nline two \u202e${'x'.repeat(1000)}` } },
    required: ['a'],
  }
  const [problem] = (await compileSchema(schema)).validate({})
  expect(problem!.message).toMatch(/^Missing required "a" \(string: Line one line two \\u202ex+…\)\. Add it\.$/)
  expect(problem!.message.length).toBeLessThan(200)
})

test('reports each problem once', async () => {
  const { validate } = await compileSchema({ allOf: [{ type: 'string' }, { type: 'string' }] })
  expect(validate(1)).toHaveLength(1)
})

test('a value that takes too many steps has a problem that says so', async () => {
  const { validate } = await compileSchema({ items: { $ref: '#' }, type: 'array' })
  let deep: unknown = []
  for (let level = 0; level < 100_000; level++) deep = [deep]
  expect(validate(deep)).toMatchObject([{ pointer: '', keyword: 'steps' }])
})
