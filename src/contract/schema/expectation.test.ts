import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { compileSchema } from './compile-schema.ts'

/** What follows the sentence that says what is wrong. */
async function hintOf(schema: JsonSchema, value: unknown): Promise<string> {
  const [problem] = (await compileSchema(schema)).validate(value)
  return problem!.message.replace(/^.*?(?:\((?:string|number|boolean|object|array)\)|null)\. ?/, '')
}

test.each([
  ['number', '1.5', 'Send a number without quotes.'],
  ['integer', '7', 'Send a number without quotes.'],
  ['number', ' ', ''],
  ['number', 'seven', ''],
  ['number', 'Infinity', ''],
  ['boolean', 'False', 'Send true or false without quotes.'],
  ['boolean', 'yes', ''],
  ['boolean', '1', ''],
  ['null', 'null', 'Send null without quotes.'],
  ['null', 'none', ''],
  ['boolean', 'null', ''],
  ['object', ' {', 'Send the object itself, not JSON text in a string.'],
  ['object', '[]', ''],
  ['number', '{}', ''],
  ['array', ' [', 'Send the array itself, not JSON text in a string.'],
  ['array', '{}', 'Put it in an array: [ … ].'],
  ['array', 5, 'Put it in an array: [ … ].'],
  ['array', null, 'Leave it out if there is no value.'],
  ['object', [], ''],
  ['integer', 1.5, 'Send a whole number.'],
  ['integer', true, ''],
  ['boolean', 1.5, ''],
  ['string', 5, 'Put it in quotes.'],
  ['string', true, 'Put it in quotes.'],
  ['string', [], ''],
  ['null', 5, ''],
  ['object', null, 'Leave it out if there is no value.'],
] as const)('the hint for a value of type %s that is %j: %s', async (type, value, hint) => {
  expect(await hintOf({ type }, value)).toBe(hint)
})

test.each([
  [true, 'Put it in quotes.'],
  [1, 'Put it in quotes.'],
  [2, ''],
  [null, ''],
  ['tru', 'Did you mean "true"?'],
  ['other', ''],
])('the hint for a choice that is %j: %s', async (value, hint) => {
  expect(await hintOf({ enum: ['true', '1', 77] }, value)).toBe(hint)
})

const forms = (count: number) => Array.from({ length: count }, (_, index) => ({ const: index }))
test.each<[JsonSchema, string]>([
  [{ anyOf: forms(8) }, 'be 0, 1, 2, 3, 4, 5, 6 or 7,'],
  [{ anyOf: forms(9) }, 'be 0, 1, 2, 3, 4, 5, 6, 7 or 1 other forms,'],
  [{ anyOf: forms(1) }, 'be 0,'],
  [{ enum: forms(20).map(({ const: value }) => value) }, '18, 19, but'],
  [{ enum: forms(21).map(({ const: value }) => value) }, '19 and 1 more, but'],
  [{ not: true }, 'not be anything,'],
  [{ anyOf: [{ properties: { a: true } }, { type: 'null' }], type: 'null' }, 'be null,'],
  [{ anyOf: [{ required: ['a'], type: 'object' }, { type: 'null' }] }, 'be an object with "a" or null,'],
  [
    { anyOf: [{ type: 'object', properties: { a: { const: 1 }, b: {} } }, { type: 'null' }] },
    'an object with "a": 1 or',
  ],
  [{ minLength: 3 }, 'have at least 3 characters, but has 1'],
  [{ contains: { const: 1 }, type: 'array' }, 'be an array,'],
])('%j says: must %s', async (schema, words) => {
  const [problem] = (await compileSchema(schema)).validate('x')
  expect(problem!.message).toContain(words)
})

test.each<[JsonSchema, string]>([
  [{ contains: { const: 1 } }, 'contain at least 1 of: 1,'],
  [{ contains: { const: 1 }, minContains: 2, maxContains: 3 }, 'contain at least 2 and at most 3 of: 1,'],
])('%j says of a list: must %s', async (schema, words) => {
  const [problem] = (await compileSchema(schema)).validate([2])
  expect(problem!.message).toContain(words)
})
