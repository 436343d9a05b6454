import { expect, test } from 'vitest'
import type { JsonObject, JsonSchema } from '../json.ts'
import { diffSchemas } from './diff-schemas.ts'

const accepts: { readonly [keyword: string]: (value: number, bound: number) => boolean } = {
  minimum: (value, bound) => value >= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMaximum: (value, bound) => value < bound,
}
const bounds = [0, 0.5, 1, 1.5, 2]
/** Closer together than the bounds, and on both sides of them. */
const values = { integer: range(-3, 5, 1), number: range(-3, 5, 0.25) }

test.each([
  ['integer', 'minimum', 'exclusiveMinimum'],
  ['integer', 'maximum', 'exclusiveMaximum'],
  ['number', 'minimum', 'exclusiveMinimum'],
  ['number', 'maximum', 'exclusiveMaximum'],
] as const)('of bounds of an %s, %s and %s, exactly those that take fewer values break', (type, ...keywords) => {
  for (const [old, next] of pairs(keywords.flatMap((keyword) => bounds.map((bound) => [keyword, bound] as const)))) {
    const isTaken = ([keyword, bound]: typeof old, value: number) => accepts[keyword]!(value, bound)
    const narrows = values[type].some((value) => isTaken(old, value) && !isTaken(next, value))
    const what = `${type} ${old.join(' ')} to ${next.join(' ')}`
    expect(isBreaking({ type, [old[0]]: old[1] }, { type, [next[0]]: next[1] }), what).toBe(narrows)
  }
})

test.each([
  ['string', 'minLength', 'maxLength'],
  ['array', 'minItems', 'maxItems'],
  ['object', 'minProperties', 'maxProperties'],
] as const)('of bounds of an %s, a higher %s and a lower %s break', (type, least, most) => {
  for (const [old, next] of pairs([1, 2, 3])) {
    expect(isBreaking({ type, [least]: old }, { type, [least]: next }), `${least} ${old} to ${next}`).toBe(next > old)
    expect(isBreaking({ type, [most]: old }, { type, [most]: next }), `${most} ${old} to ${next}`).toBe(next < old)
  }
})

test('a bound that cannot matter for the type does not break', () => {
  expect(isBreaking({ type: 'string' }, { type: 'string', minimum: 5, maxItems: 1 })).toBe(false)
  expect(isBreaking({ type: ['string', 'integer'] }, { type: ['string', 'integer'], minimum: 5 })).toBe(true)
})

test.each([
  ['integer', 1, false],
  ['integer', 2, true],
  ['number', 1, true],
])('for an %s, multipleOf %d breaks: %s', (type, multipleOf, breaks) => {
  expect(isBreaking({ type }, { type, multipleOf })).toBe(breaks)
})

function isBreaking(old: JsonObject, next: JsonObject): boolean {
  const [before, after] = [old, next].map((x) => ({ type: 'object', properties: { x } }) as JsonSchema)
  return diffSchemas(before!, after!, 'input').some(({ breaking }) => breaking)
}

function range(first: number, last: number, step: number): number[] {
  return Array.from({ length: (last - first) / step + 1 }, (_, index) => first + index * step)
}

function pairs<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one) => items.map((other): [Item, Item] => [one, other]))
}
