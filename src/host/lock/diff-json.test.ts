import { expect, test } from 'vitest'
import type { JsonValue } from '../../contract/json.ts'
import { diffJson } from './diff-json.ts'

const values: readonly JsonValue[] = [null, false, 0, '', 'a', [], [0], {}, { a: 0 }]

test('values of every two kinds differ, also where one is empty', () => {
  for (const before of values)
    for (const after of values) {
      const isSame = JSON.stringify(before) === JSON.stringify(after)
      expect(diffJson(before, after).length === 0, JSON.stringify([before, after])).toBe(isSame)
    }
})

test.each<[JsonValue | undefined, JsonValue | undefined, object[]]>([
  [undefined, undefined, []],
  [undefined, 1, [{ pointer: '', after: 1 }]],
  [1, undefined, [{ pointer: '', before: 1 }]],
  [{}, 'x', [{ pointer: '', before: {}, after: 'x' }]],
  [[], {}, [{ pointer: '', before: [], after: {} }]],
  [
    [1, 2],
    [1, 3, 4],
    [
      { pointer: '/1', before: 2, after: 3 },
      { pointer: '/2', after: 4 },
    ],
  ],
  [{ a: 1, b: { c: 2 } }, { b: { c: 3 }, a: 1 }, [{ pointer: '/b/c', before: 2, after: 3 }]],
  [{ toString: 1 }, {}, [{ pointer: '/toString', before: 1 }]],
])('from %j to %j', (before, after, spots) => {
  expect(diffJson(before, after)).toEqual(spots)
})
