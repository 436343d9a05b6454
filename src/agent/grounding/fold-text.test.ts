import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldText } from './fold-text.ts'

test.each([
  ['a \n\t b', 'a b'],
  ['  a  ', 'a'],
  ['e\u0301te\u0301', 'été'],
  ['ｆｕｌｌ ﬁne', 'full fine'],
  ['“it’s” – 5', '"it\'s" - 5'],
  ['zero\u200bwidth\u00ad', 'zerowidth'],
  ['10² ½ ① ™', '10² ½ ① ™'],
  ['한국', '한국'],
  ['Аcme', 'Аcme'],
  ['a\u00a0b', 'a b'],
  ['a \u200b b', 'a b'],
])('%j is folded to %j', (original, folded) => {
  expect(foldText(original).text).toBe(folded)
})

test('offsets map back to the original text', () => {
  const original = '  The\u00a0 e\u0301te\u0301 ﬁnally 😀 came'
  const { text, starts, ends } = foldText(original)
  const at = text.indexOf('été')
  expect(original.slice(starts[at], ends[at + 2])).toBe('e\u0301te\u0301')
  const smile = text.indexOf('😀')
  expect(original.slice(starts[smile], ends[smile + 1])).toBe('😀')
})

test('whatever the text: offsets ascend and stay inside', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (original) => {
      const { text, starts, ends } = foldText(original)
      const isSound = starts.every(
        (start, at) => start < ends[at]! && ends[at]! <= original.length && (at === 0 || start >= starts[at - 1]!),
      )
      return isSound && starts.length === text.length && ends.length === text.length
    }),
    { numRuns: 200 },
  )
})
