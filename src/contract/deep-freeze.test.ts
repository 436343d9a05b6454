import { expect, test } from 'vitest'
import { deepFreeze } from './deep-freeze.ts'

test('parts below a frozen one are frozen too', () => {
  const inner = { list: [{ a: 1 }] }
  const outer = deepFreeze(Object.freeze({ inner }))
  expect([outer, inner, inner.list, inner.list[0]].every(Object.isFrozen)).toBe(true)
})
