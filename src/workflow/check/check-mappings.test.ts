import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { readWorkflow } from '../document/read-workflow.ts'
import { checkWorkflow } from './check-workflow.ts'

const v = { $from: '/input/v' }
const text = { type: 'string' }
const whole = { type: 'integer' }
const closed = { type: 'object', additionalProperties: false }
/**
 * A value of the workflow's input (`/input/v`) that is given to a tool, which accepts something else: a wrong mapping, a right one, where the
 * wrong one is reported below the tool's property, and in which words.
 */
// biome-ignore format: a table
const table: readonly [what: string, produced: object, accepted: object, wrong: unknown, right: unknown, at: string, message: string][] = [
  ['an integer for a string', whole, text, v, { $join: [v] }, '', '/input/v is an integer; t.take takes only a string. Make it a string: {"$join": [{"$from":"/input/v"}]}.'],
  ['a string for an integer', text, whole, v, 1, '', '/input/v is a string; t.take takes only an integer. Give another value.'],
  ['a number for an integer', { type: 'number' }, whole, v, { $check: [v, whole] }, '', '/input/v may be a number; t.take takes only an integer. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"type":"integer"}]}.'],
  ['null for a string', { type: ['string', 'null'] }, text, v, { $if: [{ $eq: [v, null] }, '', v] }, '', '/input/v may be a string or null; t.take takes only a string. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"type":"string"}]}.'],
  ['a list for its item', { type: 'array', items: text, minItems: 1 }, text, v, { $from: '/input/v/0' }, '', '/input/v is a list; t.take takes only a string. Refer to one of its items, or call the tool for each with forEach.'],
  ['an item for a list', text, { type: 'array', items: text }, v, [v], '', '/input/v is a string; t.take takes only a list. Put it into a list: [{"$from":"/input/v"}].'],
  ['an object for its property', { ...closed, properties: { a: text }, required: ['a'] }, text, v, { $from: '/input/v/a' }, '', '/input/v is an object; t.take takes only a string. Refer to one of its properties.'],
  ['anything for a string', {}, text, v, { $check: [v, text] }, '', '/input/v may be anything; t.take takes only a string. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"type":"string"}]}.'],
  ['true or false for a string', { type: 'boolean' }, text, v, { $if: [v, 'yes', 'no'] }, '', '/input/v is true or false; t.take takes only a string. Give another value.'],
  ['any string for some', text, { enum: ['a', 'b'] }, v, { $check: [v, { enum: ['a', 'b'] }] }, '', '/input/v may be any string; t.take takes only one of "a", "b". Check it when it is known: {"$check": [{"$from":"/input/v"}, {"enum":["a","b"]}]}.'],
  ['more choices than are taken', { enum: ['a', 'b', 'c'] }, { enum: ['a', 'b'] }, v, { $if: [{ $eq: [v, 'c'] }, 'a', v] }, '', '/input/v may be one of "a", "b", "c"; t.take takes only one of "a", "b". Check it when it is known: {"$check": [{"$from":"/input/v"}, {"enum":["a","b"]}]}.'],
  ['a choice that is not taken', text, { enum: ['text', 'html'] }, 'htm', 'html', '', '"htm" does not fit; t.take takes only one of "text", "html". Write another value.'],
  ['another constant', { const: 1 }, { const: 2 }, v, 2, '', '/input/v is 1; t.take takes only 2. Give another value.'],
  ['a number that may be too small', { type: 'integer', minimum: 0 }, { type: 'integer', minimum: 1 }, v, { $if: [{ $ge: [v, 1] }, v, 1] }, '', '/input/v may be less than 1; t.take takes 1 or more. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"minimum":1}]}.'],
  ['a number that may be too large', { type: 'integer', maximum: 100 }, { type: 'integer', maximum: 20 }, v, { $if: [{ $le: [v, 20] }, v, 20] }, '', '/input/v may be more than 20; t.take takes at most 20. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"maximum":20}]}.'],
  ['a number that may be the bound', { type: 'number', minimum: 0 }, { type: 'number', exclusiveMinimum: 0 }, v, { $if: [{ $gt: [v, 0] }, v, 1] }, '', '/input/v may be 0 or less; t.take takes only more than 0. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"exclusiveMinimum":0}]}.'],
  ['a number without an upper bound', { type: 'number' }, { type: 'number', exclusiveMaximum: 1 }, v, { $if: [{ $lt: [v, 1] }, v, 0] }, '', '/input/v may be 1 or more; t.take takes only less than 1. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"exclusiveMaximum":1}]}.'],
  ['a number that may be odd', whole, { type: 'integer', multipleOf: 2 }, v, { $check: [v, { multipleOf: 2 }] }, '', '/input/v may be no multiple of 2; t.take takes only multiples of 2. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"multipleOf":2}]}.'],
  ['a string that may be empty', text, { ...text, minLength: 1 }, v, { $if: [{ $empty: v }, 'none', v] }, '', '/input/v may be empty; t.take takes at least 1 character. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"minLength":1}]}.'],
  ['a string that may be too long', text, { ...text, maxLength: 100 }, v, { $truncate: [v, 100] }, '', '/input/v may have more than 100 characters; t.take takes at most 100. Shorten it: {"$truncate": [{"$from":"/input/v"}, 100]}.'],
  ['a joined string that may be too long', { ...text, maxLength: 60 }, { ...text, maxLength: 100 }, { $join: [v, ' and ', v] }, { $join: ['On ', v] }, '', 'This $join may have more than 100 characters; t.take takes at most 100. Shorten it: {"$truncate": [{"$join":[{"$from":"/input/v"}," and ",{"$from":"/input/v"}]}, 100]}.'],
  ['a string that is no URI', text, { ...text, format: 'uri' }, v, { $check: [v, { format: 'uri' }] }, '', '/input/v may be any string; t.take takes only a URI. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"format":"uri"}]}.'],
  ['a date for a date-time', { ...text, format: 'date' }, { ...text, format: 'date-time' }, v, { $check: [{ $join: [v, 'T00:00:00Z'] }, { format: 'date-time' }] }, '', '/input/v may be a date; t.take takes only a date-time. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"format":"date-time"}]}.'],
  ['a constant that is no URI', text, { ...text, format: 'uri' }, 'example', 'https://example.com', '', '"example" does not fit; t.take takes only a URI. Write another value.'],
  ['a string of another pattern', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }, v, { $check: [v, { pattern: '^b' }] }, '', '/input/v may be a string that matches ^a; t.take takes only a string that matches ^b. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"pattern":"^b"}]}.'],
  ['a constant of another pattern', text, { ...text, pattern: '^[a-z]+$' }, 'Ab', 'ab', '', '"Ab" does not fit; t.take takes only a string that matches ^[a-z]+$. Write another value.'],
  ['a truncated URI', { ...text, format: 'uri' }, { ...text, format: 'uri' }, { $truncate: [v, 10] }, v, '', 'This $truncate may be any string; t.take takes only a URI. Check it when it is known: {"$check": [{"$truncate":[{"$from":"/input/v"},10]}, {"format":"uri"}]}.'],
  ['a list that may be too long', { type: 'array', items: text }, { type: 'array', maxItems: 3 }, v, { $truncate: [v, 3] }, '', '/input/v may have more than 3 items; t.take takes at most 3. Shorten it: {"$truncate": [{"$from":"/input/v"}, 3]}.'],
  ['a list that may be empty', { type: 'array', items: text }, { type: 'array', minItems: 1 }, v, { $concat: [['first'], v] }, '', '/input/v may be empty; t.take takes at least 1 item. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"minItems":1}]}.'],
  ['a list with items of another type', { type: 'array', items: whole }, { type: 'array', items: text }, v, [], '', '/* of /input/v is an integer; t.take takes only a string. Give another value.'],
  ['a list with items that may be null', { type: 'array', items: { type: ['string', 'null'] } }, { type: 'array', items: text }, v, { $check: [v, { type: 'array', items: text }] }, '', '/* of /input/v may be a string or null; t.take takes only a string. Check it when it is known: {"$check": [{"$from":"/input/v"}, SCHEMA]}.'],
  ['a list with an item twice', { type: 'array', items: text }, { type: 'array', items: text, uniqueItems: true }, v, { $check: [v, { uniqueItems: true }] }, '', '/input/v may have an item twice; t.take takes each item only once. Check it when it is known: {"$check": [{"$from":"/input/v"}, {"uniqueItems":true}]}.'],
  ['a list that is written too long', text, { type: 'array', items: text, maxItems: 1 }, [v, v], [v], '', '[{"$from":"/input/v"},{"$from":"/input/v"}] has 2 items; t.take takes at most 1. Write another value.'],
  ['one written item of another type', text, { type: 'array', items: text }, [v, 1], [v, '1'], '/1', '1 does not fit; t.take takes only a string. Put it in quotes.'],
  ['lists that are too long together', { type: 'array', items: text, maxItems: 2 }, { type: 'array', maxItems: 3 }, { $concat: [v, v] }, { $concat: [v, ['x']] }, '', 'This $concat may have more than 3 items; t.take takes at most 3. Shorten it: {"$truncate": [{"$concat":[{"$from":"/input/v"},{"$from":"/input/v"}]}, 3]}.'],
  ['an object without a required property', { ...closed, properties: { a: text } }, { ...closed, properties: { a: text }, required: ['a'] }, v, { a: { $from: '/input/v/a', default: '' } }, '', `/input/v may have no 'a', which t.take requires. Check it when it is known: {"$check": [{"$from":"/input/v"}, SCHEMA]}.`],
  ['an object with more properties', { ...closed, properties: { a: text, b: text } }, { ...closed, properties: { a: text } }, v, { a: { $from: '/input/v/a' } }, '', "/input/v may have 'b', which t.take does not take. Write an object with only the properties that it takes."],
  ['an open object', { type: 'object', properties: { a: text }, required: ['a'] }, { ...closed, properties: { a: text } }, v, { a: { $from: '/input/v/a' } }, '', '/input/v may have properties that t.take does not take. Write an object with only the properties that it takes.'],
  ['an object with a property of another type', { ...closed, properties: { a: whole } }, { ...closed, properties: { a: text } }, v, { a: 'x' }, '', '/a of /input/v is an integer; t.take takes only a string. Give another value.'],
  ['a property deep inside', { type: 'array', maxItems: 9, items: { ...closed, properties: { url: text } } }, { type: 'array', items: { ...closed, properties: { url: { ...text, format: 'uri' } } } }, v, { $check: [v, { type: 'array', items: { ...closed, properties: { url: { ...text, format: 'uri' } } } }] }, '', '/*/url of /input/v may be any string; t.take takes only a URI. Check it when it is known: {"$check": [{"$from":"/input/v"}, SCHEMA]}.'],
  ['a written property that is not taken', text, { ...closed, properties: { path: text } }, { pth: v }, { path: v }, '/pth', "t.take takes no 'pth'. Did you mean 'path'?"],
  ['a required property that is not written', text, { ...closed, properties: { a: text, b: text }, required: ['a', 'b'] }, { a: v }, { a: v, b: v }, '', "t.take requires 'b', which is not given. Add it."],
  ['a written property of another type', text, { ...closed, properties: { a: whole } }, { a: v }, { a: 1 }, '/a', '/input/v is a string; t.take takes only an integer. Give another value.'],
  ['a written property that is required and may be missing', { ...closed, properties: { a: text } }, { ...closed, properties: { a: text }, required: ['a'] }, { a: { $from: '/input/v/a' } }, { a: { $from: '/input/v/a', default: '' } }, '/a', `/input/v/a may be missing, but t.take requires 'a'. Add a "default", or do this only if it exists, with "when" or $if.`],
  ['a property that depends on another', text, { type: 'object', properties: { a: text, b: text }, dependentRequired: { a: ['b'] } }, { a: v }, { a: v, b: v }, '', `{"a":{"$from":"/input/v"}} may have 'a' without the properties that t.take requires with it. Write another value.`],
  ['too few properties', text, { type: 'object', minProperties: 2 }, { a: v }, { a: v, b: v }, '', '{"a":{"$from":"/input/v"}} may have fewer than 2 properties; t.take takes at least 2. Write another value.'],
  ['a form that is not taken', { ...closed, properties: { kind: { const: 'file' }, path: text }, required: ['kind', 'path'] }, { oneOf: [{ ...closed, properties: { kind: { const: 'url' }, url: text }, required: ['kind', 'url'] }, { ...closed, properties: { kind: { const: 'dir' }, path: text }, required: ['kind', 'path'] }] }, v, { kind: 'dir', path: { $from: '/input/v/path' } }, '', '/input/v is an object with "kind": "file"; t.take takes only an object with "kind": "url" or an object with "kind": "dir". Give another value.'],
  ['a string for a URI or null', text, { anyOf: [{ ...text, format: 'uri' }, { type: 'null' }] }, v, null, '', '/input/v may be any string; t.take takes only a URI or null. Check it when it is known: {"$check": [{"$from":"/input/v"}, SCHEMA]}.'],
  ['what a schema excludes', text, { not: { const: '' } }, v, { $if: [{ $eq: [v, ''] }, '-', v] }, '', '/input/v may be a value that t.take excludes ("not"). Check it when it is known: {"$check": [{"$from":"/input/v"}, SCHEMA]}.'],
  ['a branch of another type', { type: 'boolean' }, text, { $if: [v, 'yes', 0] }, { $if: [v, 'yes', 'no'] }, '/$if/2', '0 does not fit; t.take takes only a string. Put it in quotes.'],
  ['a default of another type', { ...closed, properties: { a: text } }, text, { $from: '/input/v/a', default: 0 }, { $from: '/input/v/a', default: '' }, '/default', '0 does not fit; t.take takes only a string. Put it in quotes.'],
  ['a length for a string', text, text, { $length: v }, { $join: [{ $length: v }] }, '', 'This $length is an integer; t.take takes only a string. Make it a string: {"$join": [{"$length":{"$from":"/input/v"}}]}.'],
  ['a length that may be too large', { ...text, maxLength: 50 }, { type: 'integer', maximum: 9 }, { $length: v }, { $length: { $truncate: [v, 9] } }, '', 'This $length may be more than 9; t.take takes at most 9. Check it when it is known: {"$check": [{"$length":{"$from":"/input/v"}}, {"maximum":9}]}.'],
  ['a condition for a string', text, text, { $exists: v }, { $if: [{ $exists: v }, 'yes', 'no'] }, '', 'This $exists is true; t.take takes only a string. Give another value.'],
  ['plucked values of another type', { type: 'array', items: { ...closed, properties: { id: whole }, required: ['id'] } }, { type: 'array', items: text }, { $pluck: [v, '/id'] }, [], '', '/* of this $pluck is an integer; t.take takes only a string. Give another value.'],
  ['plucked values that may be fewer', { type: 'array', minItems: 2, items: { ...closed, properties: { id: text } } }, { type: 'array', minItems: 2 }, { $pluck: [v, '/id'] }, v, '', 'This $pluck may have fewer than 2 items; t.take takes at least 2. Check it when it is known: {"$check": [{"$pluck":[{"$from":"/input/v"},"/id"]}, {"minItems":2}]}.'],
  ['merged objects with a property that is not taken', { ...closed, properties: { a: text } }, { ...closed, properties: { a: text } }, { $merge: [v, { b: 1 }] }, { $merge: [v, { a: '1' }] }, '', "This $merge may have 'b', which t.take does not take. Write an object with only the properties that it takes."],
  ['a literal of another type', text, text, { $literal: { $from: '/input/v' } }, { $literal: '$from' }, '', '{"$from":"/input/v"} does not fit; t.take takes only a string. Write another value.'],
  ['a part that is always too short', { ...text, maxLength: 3 }, { ...text, minLength: 5 }, v, 'hello', '', '/input/v has at most 3 characters; t.take takes at least 5. Give another value.'],
  // inside expressions
  ['a missing property', { ...closed, properties: { a: text } }, text, { $from: '/input/v/b' }, { $from: '/input/v/a', default: '' }, '/$from', "/input/v has no 'b'. It has 'a'."],
  ['a property of a string', text, text, { $from: '/input/v/a' }, v, '/$from', "/input/v is neither an object nor a list, so it has no 'a'. Correct the pointer."],
  ['a name in a list', { type: 'array', items: { ...closed, properties: { url: text }, required: ['url'] }, minItems: 1 }, text, { $from: '/input/v/url' }, { $from: '/input/v/0/url' }, '/$from', "/input/v is a list, so it has no 'url'. Name an item by its index, such as /input/v/0, or take the property of all of them with $pluck."],
  ['a mistyped name', { ...closed, properties: { title: text }, required: ['title'] }, text, { $from: '/input/v/titel' }, { $from: '/input/v/title' }, '/$from', "/input/v has no 'titel'. Did you mean 'title'?"],
  ['an item that may be missing in a joined string', { type: 'array', items: text }, text, { $join: [{ $from: '/input/v/0' }] }, { $join: [{ $from: '/input/v/0', default: '' }] }, '/$join/0', '/input/v/0 may be missing, but an item of a list cannot be missing. Add a "default", or do this only if it exists, with "when" or $if.'],
  ['an object in a joined string', { type: 'object' }, text, { $join: ['a', v] }, { $join: ['a', 'b'] }, '/$join/1', '$join takes a list of strings and numbers, but /input/v is an object. Give another value.'],
  ['a string to concatenate', text, { type: 'array' }, { $concat: [v] }, { $concat: [[v]] }, '/$concat/0', '$concat takes lists, but /input/v is a string. Give another value.'],
  ['a list to merge', { type: 'array' }, { type: 'object' }, { $merge: [v] }, { $merge: [{}] }, '/$merge/0', '$merge takes objects, but /input/v is a list. Give another value.'],
  ['a number to shorten', whole, text, { $truncate: [v, 3] }, { $truncate: [{ $join: [v] }, 3] }, '/$truncate/0', '$truncate takes a string or a list, but /input/v is an integer. Give another value.'],
  ['the length of a number', whole, whole, { $length: v }, { $length: { $join: [v] } }, '/$length', '$length takes a string or a list, but /input/v is an integer. Give another value.'],
  ['a string as a condition', text, text, { $if: [v, 'a', 'b'] }, { $if: [{ $empty: v }, 'a', 'b'] }, '/$if/0', 'A condition is true or false, but /input/v is a string. Give another value.'],
  ['a string compared with a number', text, { type: 'boolean' }, { $lt: [v, 3] }, { $lt: [{ $length: v }, 3] }, '', '$lt compares two numbers or two strings, but these may be a string and 3. Correct one of them.'],
  ['a property that no item has', { type: 'array', items: { ...closed, properties: { id: text } } }, { type: 'array' }, { $pluck: [v, '/no'] }, { $pluck: [v, '/id'] }, '/$pluck/1', 'No item of /input/v has this. Correct the pointer.'],
  ['a check that always fails', whole, text, { $check: [v, text] }, { $check: [{ $join: [v] }, text] }, '/$check', 'This $check always fails: /input/v is an integer, and the schema accepts only a string. Correct one of them.'],
  ['a check with a bad schema', text, text, { $check: [v, { type: 'strng' }] }, { $check: [v, text] }, '/$check/1/type', '"type" must be one of null, boolean, integer, number, string, array, object, or a list of different ones. Correct it.'],
  ['an unknown operator', text, text, { $form: '/input/v' }, v, '/$form', "There is no operator '$form'. Did you mean $from?"],
  ['a key beside an operator', text, text, { $from: '/input/v', or: 1 }, { $from: '/input/v' }, '', `An object with $from is an expression: only "default" may stand beside it, but there is 'or'. Move it out of the expression.`],
]

test.each(table)('%s', async (_, produced, accepted, wrong, right, at, message) => {
  expect(await check(produced, accepted, right)).toEqual([])
  expect(await check(produced, accepted, wrong)).toEqual([
    { pointer: `/steps/0/input/x${at}`, message, severity: 'error' },
  ])
})

test('the table has at least 60 wrong mappings', () => {
  expect(table.length).toBeGreaterThanOrEqual(60)
})

async function check(produced: object, accepted: object, x: unknown) {
  const document = {
    name: 'mapped',
    description: 'Maps one value.',
    risk: 'read_only',
    input: { ...closed, properties: { v: produced }, required: ['v'] },
    output: closed,
    steps: [{ id: 's', tool: 't.take', input: { x: x as JsonValue } }],
    result: {},
  } as unknown as JsonObject
  const read = await readWorkflow(JSON.stringify(document), 'json')
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const input = { ...closed, properties: { x: accepted }, required: ['x'] }
  return checkWorkflow(read.workflow, { findContract: () => ({ risk: 'read_only', input, output: closed }) as never })
}
