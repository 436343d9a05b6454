import { expect, test } from 'vitest'
import { decideAim, isNoisy, toNoise } from './noise.ts'

test('a base that takes about as long in each round is quiet', () => {
  const noise = toNoise([10, 11, 10, 12, 10, 11, 10, 10, 11, 10])
  expect(noise).toBeCloseTo(1.2)
  expect(isNoisy(noise)).toBe(false)
})

test('a base whose slow rounds take twice as long is noisy', () => {
  expect(isNoisy(toNoise([10, 20, 11, 21, 10, 19, 10, 20, 11, 10]))).toBe(true)
})

test('one slow round of many says nothing', () => {
  expect(isNoisy(toNoise([...Array(19).fill(10), 500]))).toBe(false)
})

test('what is not measured in rounds is not noisy', () => {
  expect(isNoisy(undefined)).toBe(false)
})

test('an aim is met or missed by the median', () => {
  const aim = { what: 'append', most: 1.5 }
  expect(decideAim(aim, [1.2, 1.3, 9])).toBe('Aim met: append at most 1.5×, found 1.3×.')
  expect(decideAim(aim, [1.2, 1.6, 9])).toBe('Aim missed: append at most 1.5×, found 1.6×.')
  expect(decideAim({ what: 'F1', least: 0.9, unit: '' }, [0.8999])).toBe('Aim missed: F1 at least 0.9, found 0.8999.')
})

test('on a noisy machine nothing is concluded unless the rounds agree', () => {
  const aim = { what: 'append', most: 1.5 }
  expect(decideAim(aim, [1.2, 1.3, 9], 2)).toBe('Too noisy to tell: append at most 1.5×, found 1.3×.')
  expect(decideAim(aim, [1.2, 1.3, 1.4], 2)).toMatch(/^Aim met/)
  expect(decideAim(aim, [2, 3, 9], 2)).toMatch(/^Aim missed/)
})
