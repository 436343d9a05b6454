import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guardSchema } from './guard-schema.ts'
import { schemaBounds, schemaRules } from './schema-rules.ts'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index))
const nest = (depth: number, wrap: (inner: unknown) => unknown) => {
  let schema: unknown = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = wrap(schema)
  return schema
}

test.each([
  [undefined, '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['http://json-schema.org/draft-07/schema#', 'draft-07'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema#', 'draft-07'],
])('takes the dialect of %s', async ($schema, dialect) => {
  expect(await guardSchema({ $schema, type: 'object' })).toEqual({ admitted: true, dialect })
})

const admitted: [string, unknown][] = [
  ['true', true],
  ['an empty schema', {}],
  ['unknown keywords', { 'x-order': 1, nullable: true, constructor: { type: 5 }, example: [] }],
  ['properties with the names of methods', { properties: { constructor: {}, toString: {}, hasOwnProperty: false } }],
  ['words that are keywords elsewhere', { properties: { $ref: { type: 'string' }, $id: {} }, const: { $ref: 1, $id: [] } }],
  ['the root as a reference', { properties: { next: { $ref: '#' } } }],
  ['a reference into properties', { properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } }],
  ['an escaped reference', { $defs: { 'a/b~c%d "é': {} }, $ref: '#/$defs/a~1b~0c%25d%20%22%C3%A9' }],
  ['a reference to an item', { prefixItems: [{}, { $ref: '#/prefixItems/0' }] }],
  ['a reference into an unknown keyword', { 'x-parts': { a: { type: 'string' } }, $ref: '#/x-parts/a' }],
  ['a reference to a reference', { $defs: { a: { $ref: '#/$defs/b' }, b: false }, $ref: '#/$defs/a' }],
  ['recursion through a property', { $defs: { n: { properties: { next: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' }],
  ['a root id', { $id: 'https://example.org/schema', type: 'string' }],
  ['what draft-07 does not know', { $schema: draft07, prefixItems: 1, dependentRequired: 2, unevaluatedItems: 3 }],
  ['a list of items in draft-07', { $schema: draft07, items: [{}, true], additionalItems: false }],
  ['a loop beside a reference of draft-07', { $schema: draft07, definitions: { a: {} }, $ref: '#/definitions/a', not: { $ref: '#' } }],
  ['a property whose value is undefined', { type: 'string', description: undefined }],
] // biome-ignore format: a table

test.each(admitted)('admits %s', async (_, schema) => {
  expect(await guardSchema(schema)).toMatchObject({ admitted: true })
})

const refused: [keyof typeof schemaRules, string, string, unknown][] = [
  ['not_a_schema', 'a string', '', 'string'],
  ['not_a_schema', 'null', '', null],
  ['not_a_schema', 'a list', '', []],
  ['not_a_schema', 'a property that is a string', '/properties/a', { properties: { a: 'string' } }],
  ['not_a_schema', 'a property that is a list', '/properties/a', { properties: { a: [] } }],
  ['not_a_schema', 'a reference to what is no schema', '/title', { title: 'x', $ref: '#/title' }],
  ['not_json', 'a function', '/default', { default: () => 1 }],
  ['not_json', 'a date', '/const', { const: new Date() }],
  ['prototype_key', 'a property called __proto__', '/properties/__proto__', JSON.parse('{"properties":{"__proto__":{}}}')],
  ['prototype_key', 'a value with __proto__', '/const/__proto__', JSON.parse('{"const":{"__proto__":1}}')],
  ['prototype_key', '__proto__ as required', '/required', { required: ['a', '__proto__'] }],
  ['prototype_key', '__proto__ as dependent', '/dependentRequired/a', { dependentRequired: { a: ['__proto__'] } }],
  ['too_large', 'a long description', '/description', { description: 'x'.repeat(schemaBounds.bytes) }],
  ['too_deep', 'deep properties', '/properties/a'.repeat(32), nest(40, (inner) => ({ properties: { a: inner } }))],
  ['too_deep', 'a deep constant', `/const${'/0'.repeat(63)}`, { const: nest(70, (inner) => [inner]) }],
  ['too_many_parts', 'many subschemas', '', { allOf: times(200, () => ({ anyOf: times(20, () => ({})) })) }],
  ['too_many_parts', 'many branches', '/oneOf', { oneOf: times(201, () => true) }],
  ['too_many_parts', 'many properties', '/properties', { properties: Object.fromEntries(times(501, (index) => [`p${index}`, true])) }],
  ['too_many_parts', 'a huge enum', '/enum', { enum: times(2001, (index) => index) }],
  ['too_many_parts', 'many references', '', { $defs: Object.fromEntries(times(151, (index) => [`d${index}`, true])), anyOf: times(151, (index) => ({ $ref: `#/$defs/d${index}` })) }],
  ['too_many_parts', 'large patterns', '/patternProperties/(?:a?){1000}9', { patternProperties: Object.fromEntries(times(20, (index) => [`(?:a?){1000}${index}`, true])) }],
  ['unsupported_dialect', 'draft 4', '/$schema', { $schema: 'http://json-schema.org/draft-04/schema#' }],
  ['unsupported_dialect', 'draft 2019-09', '/$schema', { $schema: 'https://json-schema.org/draft/2019-09/schema' }],
  ['unsupported_dialect', 'a dialect that is no string', '/$schema', { $schema: 7 }],
  ['unsupported_dialect', 'another dialect inside', '/items/$schema', { items: { $schema: draft07 } }],
  ['reference_not_local', 'a reference to the web', '/$ref', { $ref: 'https://example.org/schema' }],
  ['reference_not_local', 'a reference to a file', '/items/$ref', { items: { $ref: 'other.json#/$defs/a' } }],
  ['reference_not_found', 'a missing target', '/$ref', { $ref: '#/$defs/a' }],
  ['reference_not_found', 'an inherited target', '/$ref', { $ref: '#/constructor' }],
  ['reference_not_found', 'an index with a zero before it', '/$ref', { prefixItems: [{}], $ref: '#/prefixItems/00' }],
  ['reference_not_found', 'a bad percent escape', '/$ref', { $ref: '#/%zz' }],
  ['reference_not_found', 'a bad tilde escape', '/$ref', { $ref: '#/a~2' }],
  ['identifier', 'a reference to an anchor', '/$ref', { $ref: '#here' }],
  ['identifier', 'a dynamic reference', '/$dynamicRef', { $dynamicRef: '#node' }],
  ['identifier', 'a dynamic anchor', '/$dynamicAnchor', { $dynamicAnchor: 'node' }],
  ['identifier', 'a recursive reference', '/$recursiveRef', { $recursiveRef: '#' }],
  ['identifier', 'an id inside', '/$defs/a/$id', { $defs: { a: { $id: 'a' } } }],
  ['identifier', 'a root id with a fragment', '/$id', { $schema: draft07, $id: '#here' }],
  ['reference_loop', 'a reference to itself', '', { $ref: '#' }],
  ['reference_loop', 'a loop of references', '/$defs/a', { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }],
  ['reference_loop', 'a loop through conditions', '', { if: { not: { $ref: '#' } } }],
  ['reference_loop', 'a loop through dependencies', '', { dependentSchemas: { a: { $ref: '#' } } }],
  ['reference_cost', 'a billion laughs', '/$defs/l18', laughs(30)],
  ['pattern', 'a look-behind', '/pattern', { pattern: '(?<=a)b' }],
  ['pattern', 'a back-reference in a name', '/patternProperties/(a)\\1', { patternProperties: { '(a)\\1': {} } }],
  ['pattern', 'an invalid pattern', '/properties/a/pattern', { properties: { a: { pattern: '[' } } }],
  ['invalid_keyword', 'a type that does not exist', '/type', { type: 'strng' }],
  ['invalid_keyword', 'no types', '/type', { type: [] }],
  ['invalid_keyword', 'a type twice', '/type', { type: ['string', 'string'] }],
  ['invalid_keyword', 'required as a flag', '/properties/a/required', { properties: { a: { required: true } } }],
  ['invalid_keyword', 'required twice', '/required', { required: ['a', 'a'] }],
  ['invalid_keyword', 'a negative length', '/minLength', { minLength: -1 }],
  ['invalid_keyword', 'half an item', '/maxItems', { maxItems: 1.5 }],
  ['invalid_keyword', 'a flag for exclusiveMinimum', '/exclusiveMinimum', { minimum: 1, exclusiveMinimum: true }],
  ['invalid_keyword', 'multiples of zero', '/multipleOf', { multipleOf: 0 }],
  ['invalid_keyword', 'no branches', '/anyOf', { anyOf: [] }],
  ['invalid_keyword', 'an enum that is a string', '/enum', { enum: 'a' }],
  ['invalid_keyword', 'a list of items in 2020-12', '/items', { items: [{}] }],
  ['invalid_keyword', 'properties that are a list', '/properties', { properties: [] }],
  ['invalid_keyword', 'a description that is not a string', '/description', { description: 5 }],
] // biome-ignore format: a table

test.each(refused)('refuses by the rule %s: %s', async (rule, _, pointer, schema) => {
  const verdict = await guardSchema(schema)
  expect(verdict).toMatchObject({ admitted: false, problems: [{ rule, pointer }] })
  for (const problem of verdict.admitted ? [] : verdict.problems) expect(problem.message).toMatch(/^[A-Z"].*\.$/)
})

/** Each level is twice the one below it. */
function laughs(levels: number): unknown {
  const half = (level: number) => ({ $ref: `#/$defs/l${level + 1}` })
  const $defs = Object.fromEntries(times(levels, (level) => [`l${level}`, { allOf: [half(level), half(level)] }]))
  return { $defs: { ...$defs, [`l${levels}`]: { type: 'string' } }, $ref: '#/$defs/l0' }
}

test('reports every problem, up to a limit', async () => {
  const two = await guardSchema({ type: 'strng', properties: { a: { minLength: -1 } } })
  expect(two).toMatchObject({ problems: [{ pointer: '/type' }, { pointer: '/properties/a/minLength' }] })
  const many = await guardSchema({ anyOf: times(100, () => ({ type: 'strng' })) })
  expect(many.admitted || many.problems.length).toBe(20)
})

test('reads the schema once, so a getter cannot return another one later', async () => {
  let looks = 0
  const twoFaced = Object.defineProperty({}, 'type', {
    enumerable: true,
    get: () => (looks++ === 0 ? 'string' : 'strng'),
  })
  expect(await guardSchema(twoFaced)).toMatchObject({ admitted: false, problems: [{ rule: 'not_json' }] })
  expect(looks).toBe(0)
})

test('the page about schemas names every rule and bound', () => {
  const page = readFileSync(new URL('../../../docs/contract.md', import.meta.url), 'utf8')
  for (const rule of Object.keys(schemaRules)) expect(page).toContain(`\`${rule}\``)
  for (const bound of Object.values(schemaBounds)) expect(page).toContain(bound.toLocaleString('en'))
})
