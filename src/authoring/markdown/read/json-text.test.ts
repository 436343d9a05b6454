import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthOfJson, rowsOf, withoutComments } from './json-text.ts'

test('every part of a JSON text has the row of its key', () => {
  const text = '{\n  "a": [\n    1,\n    { "b/c": "}\\"," }\n  ],\n  "d": "x"\n}'
  expect(Object.fromEntries(rowsOf(text))).toEqual({ '': 0, '/a': 1, '/a/0': 2, '/a/1': 3, '/a/1/b~1c': 3, '/d': 5 })
})

test('the rows of any value that was indented are those of its lines', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }), (texts) => {
      const rows = rowsOf(JSON.stringify(texts, null, 2))
      expect(texts.map((_, index) => rows.get(`/${index}`))).toEqual(texts.map((_, index) => index + 1))
    }),
    { numRuns: 50 },
  )
})

test('comments become spaces, and text that looks like one stays', () => {
  expect(withoutComments('{ "a": "// no" }')).toBeUndefined()
  expect(withoutComments('{\n// yes\n"a": 1 }')).toBe('{\n      \n"a": 1 }')
})

test('the end of a value is found, whatever is in its strings', () => {
  expect(lengthOfJson('{ "a": "}" } and more')).toBe(12)
  expect(lengthOfJson('[[1], {}]\n}')).toBe(9)
  expect(lengthOfJson('{ "a": 1')).toBeUndefined()
  expect(lengthOfJson('text { }')).toBeUndefined()
  expect(lengthOfJson('')).toBeUndefined()
})
