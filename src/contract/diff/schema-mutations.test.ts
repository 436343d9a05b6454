// biome-ignore-all lint/suspicious/noThenProperty: `then` is a keyword
import { expect, test } from 'vitest'
import type { JsonSchema } from '../json.ts'
import { diffSchemas } from './diff-schemas.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const closed = { type: 'object', additionalProperties: false }

/** From the first schema to the second: which values are lost or won, and where it says so (below the property `x`). */
const table: readonly [what: string, old: object | boolean, next: object | boolean, effect: Effect, pointer: string][] =
  [
    ['a type is added', {}, text, 'narrows', '/type'],
    ['a type is dropped from a list', { type: ['string', 'null'] }, text, 'narrows', '/type'],
    ['another type', text, whole, 'changes', '/type'],
    ['number becomes integer', { type: 'number' }, whole, 'narrows', '/type'],
    ['nothing is allowed any more', text, false, 'narrows', ''],
    ['an enum is added', text, { ...text, enum: ['a', 'b'] }, 'narrows', '/enum'],
    ['an enum loses a value', { enum: ['a', 'b'] }, { enum: ['a'] }, 'narrows', '/enum'],
    ['an enum swaps a value', { enum: ['a', 'b'] }, { enum: ['a', 'c'] }, 'changes', '/enum'],
    ['an enum becomes one of its values', { enum: ['a', 'b'] }, { const: 'a' }, 'narrows', '/const'],
    ['another const', { const: 1 }, { const: 2 }, 'changes', '/const'],
    ['minimum moves up by one', { ...whole, minimum: 1 }, { ...whole, minimum: 2 }, 'narrows', '/minimum'],
    ['maximum moves down by one', { ...whole, maximum: 9 }, { ...whole, maximum: 8 }, 'narrows', '/maximum'],
    [
      'a bound excludes its value',
      { type: 'number', minimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
      'narrows',
      '/exclusiveMinimum',
    ],
    [
      'exclusiveMaximum is added',
      { type: 'number' },
      { type: 'number', exclusiveMaximum: 5 },
      'narrows',
      '/exclusiveMaximum',
    ],
    ['a coarser multipleOf', { ...whole, multipleOf: 5 }, { ...whole, multipleOf: 10 }, 'narrows', '/multipleOf'],
    [
      'a multipleOf that does not fit',
      { ...whole, multipleOf: 4 },
      { ...whole, multipleOf: 6 },
      'changes',
      '/multipleOf',
    ],
    ['minLength moves up', { ...text, minLength: 1 }, { ...text, minLength: 2 }, 'narrows', '/minLength'],
    ['maxLength is added', text, { ...text, maxLength: 10 }, 'narrows', '/maxLength'],
    ['a pattern is added', text, { ...text, pattern: '^a' }, 'narrows', '/pattern'],
    ['another pattern', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }, 'changes', '/pattern'],
    ['a format is added', text, { ...text, format: 'uri' }, 'narrows', '/format'],
    [
      'a property is required',
      { ...closed, properties: { a: text } },
      { ...closed, properties: { a: text }, required: ['a'] },
      'narrows',
      '/required',
    ],
    [
      'a property is dropped from a closed object',
      { ...closed, properties: { a: text, b: text } },
      { ...closed, properties: { a: text } },
      'narrows',
      '/properties/b',
    ],
    [
      'a property is described in an open object',
      { type: 'object' },
      { type: 'object', properties: { a: text } },
      'narrows',
      '/properties/a',
    ],
    ['an object is closed', { type: 'object' }, closed, 'narrows', '/additionalProperties'],
    [
      'other properties get a schema',
      { type: 'object', additionalProperties: true },
      { type: 'object', additionalProperties: text },
      'narrows',
      '/additionalProperties',
    ],
    [
      'the schema of other properties is tightened',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { ...text, minLength: 1 } },
      'narrows',
      '/additionalProperties/minLength',
    ],
    [
      'a property inside is tightened',
      { ...closed, properties: { a: text } },
      { ...closed, properties: { a: { ...text, minLength: 3 } } },
      'narrows',
      '/properties/a/minLength',
    ],
    [
      'properties by pattern get a schema',
      { type: 'object' },
      { type: 'object', patternProperties: { '^x-': text } },
      'narrows',
      '/patternProperties/^x-',
    ],
    [
      'a schema by pattern is tightened',
      { patternProperties: { '^x-': text } },
      { patternProperties: { '^x-': { ...text, maxLength: 1 } } },
      'narrows',
      '/patternProperties/^x-/maxLength',
    ],
    [
      'properties by pattern are refused',
      { ...closed, patternProperties: { '^x-': text } },
      closed,
      'narrows',
      '/additionalProperties',
    ],
    [
      'a property that a pattern matches is named',
      { ...closed, patternProperties: { '^x-': text } },
      { ...closed, patternProperties: { '^x-': text }, properties: { 'x-a': whole } },
      'changes',
      '/properties/x-a',
    ],
    [
      'names of properties are restricted',
      { type: 'object' },
      { type: 'object', propertyNames: { maxLength: 5 } },
      'narrows',
      '/propertyNames',
    ],
    ['minProperties is added', { type: 'object' }, { type: 'object', minProperties: 1 }, 'narrows', '/minProperties'],
    [
      'maxProperties moves down',
      { type: 'object', maxProperties: 5 },
      { type: 'object', maxProperties: 4 },
      'narrows',
      '/maxProperties',
    ],
    [
      'one property demands another',
      { type: 'object' },
      { type: 'object', dependentRequired: { a: ['b'] } },
      'narrows',
      '',
    ],
    [
      'one property demands a schema',
      { type: 'object' },
      { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
      'narrows',
      '/dependentSchemas/a',
    ],
    ['items get a type', { type: 'array' }, { type: 'array', items: text }, 'narrows', '/items/type'],
    [
      'items are tightened',
      { type: 'array', items: text },
      { type: 'array', items: { ...text, maxLength: 2 } },
      'narrows',
      '/items/maxLength',
    ],
    [
      'the first item is tightened',
      { type: 'array', prefixItems: [text] },
      { type: 'array', prefixItems: [{ ...text, minLength: 1 }] },
      'narrows',
      '/prefixItems/0/minLength',
    ],
    [
      'a list becomes a tuple',
      { type: 'array', items: text },
      { type: 'array', prefixItems: [text], items: false },
      'narrows',
      '/items',
    ],
    ['minItems is added', { type: 'array' }, { type: 'array', minItems: 1 }, 'narrows', '/minItems'],
    ['maxItems moves down', { type: 'array', maxItems: 5 }, { type: 'array', maxItems: 3 }, 'narrows', '/maxItems'],
    [
      'items must differ',
      { type: 'array', maxItems: 5 },
      { type: 'array', maxItems: 5, uniqueItems: true },
      'narrows',
      '/uniqueItems',
    ],
    ['a list must contain something', { type: 'array' }, { type: 'array', contains: text }, 'narrows', '/contains'],
    [
      'a list must contain more of it',
      { type: 'array', contains: text },
      { type: 'array', contains: text, minContains: 2 },
      'narrows',
      '/contains',
    ],
    [
      'a list may contain less of it',
      { type: 'array', contains: text },
      { type: 'array', contains: text, maxContains: 2 },
      'narrows',
      '/maxContains',
    ],
    [
      'an alternative is dropped',
      { anyOf: [text, whole, { type: 'null' }] },
      { anyOf: [text, whole] },
      'narrows',
      '/anyOf',
    ],
    [
      'an alternative is tightened',
      { anyOf: [text, whole] },
      { anyOf: [text, { ...whole, minimum: 0 }] },
      'narrows',
      '/anyOf/1/minimum',
    ],
    ['alternatives that exclude each other lose one', { oneOf: [text, whole] }, { oneOf: [text] }, 'narrows', '/oneOf'],
    [
      'alternatives that overlap gain one',
      { oneOf: [{ minimum: 0 }, text] },
      { oneOf: [{ minimum: 0 }, text, { maximum: 9 }] },
      'changes',
      '/oneOf',
    ],
    [
      'something is added to allOf',
      { allOf: [text] },
      { allOf: [text, { minLength: 1 }] },
      'narrows',
      '/allOf/1/minLength',
    ],
    ['something is excluded', text, { ...text, not: { const: 'a' } }, 'narrows', '/not'],
    ['more is excluded', { not: { enum: ['a'] } }, { not: { enum: ['a', 'b'] } }, 'narrows', '/not'],
    [
      'a condition is added',
      { type: 'object' },
      { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } },
      'narrows',
      '/if',
    ],
    [
      'the consequence is tightened',
      { if: { required: ['a'] }, then: {} },
      { if: { required: ['a'] }, then: { required: ['b'] } },
      'narrows',
      '/then/required',
    ],
    [
      'an alternative to a condition is added',
      {},
      { if: { required: ['a'] }, else: { required: ['a'] } },
      'narrows',
      '/if',
    ],
    [
      'another condition',
      { if: { required: ['a'] }, then: { required: ['b'] } },
      { if: { required: ['c'] }, then: { required: ['b'] } },
      'changes',
      '/if',
    ],
    [
      'what nothing else looked at is refused',
      { allOf: [{ properties: { a: text } }] },
      { allOf: [{ properties: { a: text } }], unevaluatedProperties: false },
      'narrows',
      '/unevaluatedProperties',
    ],
    [
      'items that nothing else looked at are refused',
      { allOf: [{ prefixItems: [text] }] },
      { allOf: [{ prefixItems: [text] }], unevaluatedItems: false },
      'narrows',
      '/unevaluatedItems',
    ],
    [
      'items that contains matched are refused too',
      { contains: text, unevaluatedItems: false },
      { contains: text, items: false },
      'unknown',
      '/items',
    ],
    ['an unknown keyword is added', text, { ...text, 'x-unit': 'm' }, 'unknown', '/x-unit'],
    ['an unknown keyword changes its value', { 'x-unit': 'm' }, { 'x-unit': 'km' }, 'unknown', '/x-unit'],
    ['nullable, which means nothing here', text, { ...text, nullable: true }, 'unknown', '/nullable'],
  ]

type Effect = 'narrows' | 'changes' | 'unknown'

test.each(table)('%s', (_what, old, next, effect, pointer) => {
  const narrowsBack = effect !== 'narrows'
  for (const [from, to, breaksInput] of [
    [old, next, true],
    [next, old, narrowsBack],
  ] as const) {
    for (const side of ['input', 'output'] as const) {
      const breaking = side === 'input' ? breaksInput : effect !== 'narrows' || !breaksInput
      const found = diffSchemas(inProperty(from), inProperty(to), side)
      expect(found.map(({ category }) => category)).toEqual(found.map(() => 'wire'))
      expect({ side, from, to, breaking: found.some((change) => change.breaking) }).toEqual({
        side,
        from,
        to,
        breaking,
      })
      if (from === old) expect(found.map((change) => change.pointer)).toContain(`/${side}/properties/x${pointer}`)
    }
  }
})

function inProperty(schema: object | boolean): JsonSchema {
  return { type: 'object', properties: { x: schema as JsonSchema } }
}
