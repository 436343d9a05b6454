import { expect, test } from 'vitest'
import { type Anchor, type EvidenceAnchor, findExchange, isMisplaced, isReversed } from './compare-order.ts'
import { findName } from './names.ts'
import { readTokens } from './read-tokens.ts'

const at = (kind: string, place: number, places: readonly number[]): Anchor => ({ kind, at: place, places })
const has = (kind: string, place: number, key = `${kind}${place}`): EvidenceAnchor => ({ kind, key, at: place })

/** "Ada, 2001, Bob, 2002, Cyd, 2003". */
const three = [0, 2, 4].flatMap((place) => [has('name', place), has('date', place + 1)])

test.each<[string | undefined, string, Anchor[], EvidenceAnchor[]]>([
  [undefined, 'the same order', [at('name', 0, [0]), at('name', 3, [2])], three],
  ['name', 'names exchanged', [at('name', 0, [2]), at('name', 3, [0])], three],
  ['name', 'names exchanged, given in any order', [at('name', 3, [0]), at('name', 0, [2])], three],
  [undefined, 'one name twice at the same place', [at('name', 0, [2]), at('name', 3, [2])], three],
  [undefined, 'a place that fits among several', [at('name', 0, [2]), at('name', 3, [0, 4])], three],
  [undefined, 'denials in any order', [at('negation', 0, [5]), at('negation', 3, [1])], three],
  [undefined, 'a name with its date', [at('name', 0, [0]), at('date', 1, [1])], three],
  ['date', 'a name with the date after the next', [at('name', 0, [0]), at('date', 1, [5])], three],
  ['date', 'a name with the date of the next', [at('name', 0, [0]), at('date', 1, [3])], three],
  [
    undefined,
    'two names, then the date of the last',
    [at('name', 0, [0]), at('name', 1, [2]), at('date', 2, [3])],
    three,
  ],
  [
    undefined,
    'dates and names where the evidence has one date',
    [at('date', 0, [3]), at('name', 1, [0])],
    [has('name', 0), has('name', 2), has('date', 3)],
  ],
  [
    undefined,
    'two names that share a date',
    [at('name', 0, [0]), at('date', 1, [3])],
    [has('name', 0), has('name', 2), has('date', 3), has('date', 5)],
  ],
  [
    undefined,
    'a denial of the name that is denied',
    [at('name', 0, [2]), at('negation', 1, [3])],
    [has('name', 0), has('name', 2), has('negation', 3)],
  ],
  [
    'negation',
    'a denial taken to another name',
    [at('name', 0, [0]), at('negation', 1, [3])],
    [has('name', 0), has('name', 2), has('negation', 3)],
  ],
  [
    undefined,
    'a denial where there is one name',
    [at('name', 0, [0]), at('negation', 1, [3])],
    [has('name', 0, 'ada'), has('name', 2, 'ada'), has('negation', 3)],
  ],
  [
    undefined,
    'a number and a date, which segments tell apart',
    [at('number:', 0, [5]), at('date', 1, [1])],
    [has('date', 1), has('number:', 2), has('date', 3), has('number:', 5)],
  ],
  [
    'number:%',
    'numbers of two units',
    [at('number:', 0, [5]), at('number:%', 1, [1])],
    [has('number:%', 1), has('number:', 2), has('number:%', 3), has('number:', 5)],
  ],
])('%s is exchanged by %s', (kind, _, claim, evidence) => {
  expect(findExchange(claim, evidence)).toBe(kind)
})

test.each([
  [true, 'Hunters chased wolves', 'Wolves chased hunters'],
  [false, 'Wolves chased hunters', 'Wolves chased hunters'],
  [false, 'Hunters were chased by wolves', 'Wolves chased hunters'],
  [false, 'Hunters chased wolves', 'Wolves chased hunters by night'],
  [false, 'Hunters wolves', 'Wolves chased hunters'],
  [false, 'Chased hunters wolves', 'Wolves chased hunters'],
])('it is %s that "%s" reverses "%s"', (reversed, claim, evidence) => {
  expect(isReversed(readTokens(claim), readTokens(evidence))).toBe(reversed)
})

test.each([
  [false, '5 pupils came', [1]],
  [true, '5 teachers came', [1]],
  [false, '5 parents came', [1]],
  [false, '5', [1]],
])('it is %s that the number is misplaced in "%s"', (misplaced, claim, places) => {
  const evidence = readTokens('Only 5 pupils came; however, 7 teachers came')
  expect(isMisplaced(readTokens(claim), 0, evidence, places)).toBe(misplaced)
})

test('a name begins at its first word, not at a sign before it', () => {
  const tokens = readTokens('pre-Rome and Jean-Luc')
  const place = (text: string) => tokens.findIndex((token) => token.text === text)
  expect(findName({ words: ['rome'], exact: false, at: 0, end: 1 }, tokens)).toBe(place('Rome'))
  expect(findName({ words: ['jean', 'luc'], exact: false, at: 0, end: 2 }, tokens)).toBe(place('Jean'))
  expect(findName({ words: ['jean', 'rome'], exact: false, at: 0, end: 2 }, tokens)).toBe(-1)
})
