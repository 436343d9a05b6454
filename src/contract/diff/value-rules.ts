import type { JsonValue } from '../json.ts'
import { isMultiple } from '../schema/exact-keywords.ts'
import { pointerTo } from '../schema/json-pointer.ts'
import type { Question, Rule } from './compare.ts'
import { type Given, requiredOf } from './given.ts'
import type { Kind } from './kind.ts'
import type { Lack } from './lack.ts'

/** Requirements on the value itself: type, allowed values, bounds, lengths and formats. */
export const valueRules: readonly Rule[] = [
  ({ given, part, ...rest }) =>
    demand('type', { given, part, ...rest }, () => [...given.kinds].every((kind) => part.kinds.has(kind))),
  (question) => demand('enum', question, () => isListed(question)),
  (question) => demand('const', question, () => isListed(question)),
  (question) => demand('minimum', question, (least) => isAbove(question.given, least as number, false)),
  (question) => demand('exclusiveMinimum', question, (least) => isAbove(question.given, least as number, true)),
  (question) => demand('maximum', question, (max) => isBelow(question.given, max as number, false)),
  (question) => demand('exclusiveMaximum', question, (max) => isBelow(question.given, max as number, true)),
  (question) => demand('multipleOf', question, (divisor) => isDivided(question.given, divisor as number)),
  (question) => demandLeast('minLength', question),
  (question) => demandMost('maxLength', question),
  (question) => demandLeast('minItems', question),
  (question) => demandMost('maxItems', question),
  (question) => demandLeast('minProperties', question, new Set(requiredOf(question.given.parts)).size),
  (question) => demandMost('maxProperties', question),
  (question) => demand('pattern', question, (pattern) => isSaid(question.given, 'pattern', pattern)),
  (question) => demand('format', question, (format) => isSaid(question.given, 'format', format)),
]

const numbers: readonly Kind[] = ['integer', 'fraction']

/** The kinds of values that a keyword applies to; every kind if not listed. */
const looksAt: { readonly [keyword: string]: readonly Kind[] } = {
  minimum: numbers,
  exclusiveMinimum: numbers,
  maximum: numbers,
  exclusiveMaximum: numbers,
  multipleOf: numbers,
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string'],
  minItems: ['array'],
  maxItems: ['array'],
  minProperties: ['object'],
  maxProperties: ['object'],
}

/** Reports a keyword that is present, applies to such a value, and is not satisfied. */
export function demand(keyword: string, question: Question, isMet: (wanted: JsonValue) => boolean): Lack[] {
  const { given, part } = question
  const wanted = part.own[keyword]
  if (wanted === undefined || looksAt[keyword]?.every((kind) => !given.kinds.has(kind))) return []
  return isMet(wanted) ? [] : [toLack(keyword, question)]
}

export function toLack(keyword: string, { given, part, path }: Question): Lack {
  const found = given.parts.find(({ own }) => own[keyword] !== undefined)?.own[keyword]
  return {
    path,
    pointer: pointerTo(part.place.pointer, keyword),
    keyword,
    wanted: part.own[keyword]!,
    ...(found !== undefined && { found }),
  }
}

function isListed({ given, part }: Question): boolean {
  return given.values !== undefined && [...given.values.keys()].every((text) => part.values!.has(text))
}

function isSaid({ parts }: Given, keyword: string, wanted: JsonValue): boolean {
  return parts.some(({ own }) => own[keyword] === wanted)
}

function demandLeast(keyword: string, question: Question, known = 0): Lack[] {
  const least = Math.max(known, ...countsOf(question.given, keyword))
  return demand(keyword, question, (wanted) => least >= (wanted as number))
}

function demandMost(keyword: string, question: Question): Lack[] {
  const max = Math.min(...countsOf(question.given, keyword))
  return demand(keyword, question, (wanted) => max <= (wanted as number))
}

/** The numbers that the parts specify for a keyword. */
export function countsOf({ parts }: Given, keyword: string): number[] {
  return parts.flatMap(({ own }) => (own[keyword] === undefined ? [] : [own[keyword] as number]))
}

function isAbove(given: Given, wanted: number, isExclusive: boolean): boolean {
  const least = Math.max(...countsOf(given, 'minimum'))
  const above = Math.max(...countsOf(given, 'exclusiveMinimum'))
  if (isExclusive ? least > wanted || above >= wanted : least >= wanted || above >= wanted) return true
  if (given.kinds.has('fraction') || !Number.isSafeInteger(Math.ceil(wanted))) return false
  // The smallest integer that may occur, and the smallest that is accepted.
  const first = Math.max(Math.ceil(least), Math.floor(above) + 1)
  return first >= (isExclusive ? Math.floor(wanted) + 1 : Math.ceil(wanted))
}

function isBelow(given: Given, wanted: number, isExclusive: boolean): boolean {
  const max = Math.min(...countsOf(given, 'maximum'))
  const below = Math.min(...countsOf(given, 'exclusiveMaximum'))
  if (isExclusive ? max < wanted || below <= wanted : max <= wanted || below <= wanted) return true
  if (given.kinds.has('fraction') || !Number.isSafeInteger(Math.ceil(wanted))) return false
  const last = Math.min(Math.floor(max), Math.ceil(below) - 1)
  return last <= (isExclusive ? Math.ceil(wanted) - 1 : Math.floor(wanted))
}

function isDivided(given: Given, wanted: number): boolean {
  const known = [...countsOf(given, 'multipleOf'), ...(given.kinds.has('fraction') ? [] : [1])]
  return known.some((divisor) => isMultiple(divisor, wanted))
}
