import { expect, test } from 'vitest'
import { decideAim, isEnough, isNoisy, toInterval, toNoise } from './noise.ts'

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

test('the interval of a median is that of the ranks around it', () => {
  const rounds = Array.from({ length: 100 }, (_, index) => index + 1)
  expect(toInterval(rounds.toReversed())).toEqual([40, 61])
  expect(toInterval([3, 1, 2])).toEqual([1, 3])
  expect(toInterval([7])).toEqual([7, 7])
})

test('the interval holds the true median in 95 of 100 samples or more', () => {
  // A linear congruential generator, so that the test always sees the same samples.
  let seed = 1
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  for (const size of [6, 20, 75]) {
    const samples = Array.from({ length: 2000 }, () => toInterval(Array.from({ length: size }, () => random() ** 3)))
    const held = samples.filter(([low, high]) => low <= 0.125 && high >= 0.125).length
    expect(held / 2000, `${size} rounds`).toBeGreaterThan(0.94)
  }
})

test('a target is met or missed if the whole interval agrees', () => {
  const aim = { what: 'append', most: 1.5 }
  expect(decideAim(aim, [1.2, 1.3, 1.4])).toBe('Aim met: append at most 1.5×, found 1.3× (1.2 to 1.4).')
  expect(decideAim(aim, [1.6, 1.7, 9])).toBe('Aim missed: append at most 1.5×, found 1.7× (1.6 to 9).')
  expect(decideAim({ what: 'calls', least: 2 }, [2.1, 2.2])).toMatch(/^Aim met: calls at least 2×/)
})

test('a single result is counted, and has no interval', () => {
  expect(decideAim({ what: 'F1', least: 0.9, unit: '' }, [0.8999])).toBe('Aim missed: F1 at least 0.9, found 0.8999.')
})

test('otherwise it is undecided, with the number of rounds that would decide', () => {
  const rounds = [1.2, 1.3, 1.4, 1.4, 1.4, 1.4, 1.4, 1.5, 1.6, 1.7]
  expect(toInterval(rounds)).toEqual([1.3, 1.6])
  expect(decideAim({ what: 'append', most: 1.5 }, rounds)).toBe(
    'Undecided: append at most 1.5×, found 1.4× (1.3 to 1.6) over 10 rounds; about 40 would decide.',
  )
  expect(decideAim({ what: 'append', most: 1.5 }, [1.4, 1.5, 1.6])).toMatch(
    /over 3 rounds; too close to decide by more\.$/,
  )
})

test('narrow ratios on one side of their aims are enough, a few or wide ones are not', () => {
  const around = (middle: number, width: number, count = 20) =>
    Array.from({ length: count }, (_, index) => middle + width * (index / (count - 1) - 0.5))
  expect(isEnough([{ rounds: around(1, 0.05), aim: 1.1 }, { rounds: around(3, 0.1) }])).toBe(true)
  expect(isEnough([{ rounds: around(1.3, 0.05), aim: 1.1 }])).toBe(true)
  expect(isEnough([{ rounds: around(1.1, 0.05), aim: 1.1 }])).toBe(false)
  expect(isEnough([{ rounds: around(1, 0.05, 11), aim: 1.1 }])).toBe(false)
  expect(isEnough([{ rounds: around(1, 0.3), aim: 2 }])).toBe(false)
})
