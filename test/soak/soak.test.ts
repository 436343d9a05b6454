import { expect, test } from 'vitest'
import { type Errand, errands, findFault, pickErrand } from './errands.ts'
import { decideFlat, type Sample } from './flat.ts'

const toSamples = (more: (index: number) => Partial<Sample>) =>
  Array.from({ length: 60 }, (_, index) => ({
    calls: index * 1000,
    objects: 10,
    code: 5,
    memory: 100,
    handles: 20,
    ...more(index),
  }))

test('what warms up and then swings is flat', () => {
  const swings = decideFlat(
    toSamples((index) => ({
      objects: (index < 20 ? index / 2 : 10) + (index % 5) / 10,
      code: index / 10,
      memory: (index < 15 ? 50 + index * 10 : 200) + (index % 5) * 10,
      handles: 20 + (index % 7) * 9,
    })),
  )
  expect(swings).toMatchObject({ faults: [], handles: [20, 20], perCall: 0 })
})

test('a leak of a hundred bytes per call is detected within forty thousand calls, despite fluctuations', () => {
  const leaks = toSamples((index) => ({ objects: 10 + index * 0.1 + (index % 2) / 10 }))
  expect(decideFlat(leaks).faults).toEqual(['objects grew: 13.0 → 15.0 MB, 105 bytes a call'])
})

test('code, memory and handles that keep growing are reported', () => {
  const grows = toSamples((index) => ({ code: index / 2, memory: 100 + index * 10, handles: 20 + index }))
  expect(decideFlat(grows).faults).toEqual([
    'code grew: 15.0 → 25.0 MB',
    'memory grew: 400.0 → 600.0 MB',
    'open handles grew: 40 → 60',
  ])
})

test('unknown handle counts are not a fault, a process without any measurement is', () => {
  expect(decideFlat(toSamples(() => ({ handles: Number.NaN }))).faults).toEqual([])
  expect(decideFlat([]).faults).toEqual(['too few samples to tell a leak'])
})

test("an answer is taken only if it is the caller's own", () => {
  const echo = errands.find(({ tool }) => tool === 'good.echo') as Errand
  const violating = errands.find(({ tool }) => tool === 'lies.violating') as Errand
  expect(findFault(echo, 'a', { output: { said: 'a' }, text: '' })).toBeUndefined()
  expect(findFault(echo, 'a', { output: { said: 'b' }, text: '' })).toMatch("another's answer")
  expect(findFault(echo, 'a', { code: 'timeout', text: '' })).toMatch('unexpected timeout')
  expect(findFault(echo, 'a', { text: '' })).toMatch('neither')
  expect(findFault(violating, 'a', { code: 'invalid_output', text: '' })).toBeUndefined()
  expect(findFault(violating, 'a', { output: { said: 'a' }, text: '' })).toMatch('may be none')
  expect(findFault(violating, 'a', { code: 'invalid_output', text: 'IGNORE ALL PREVIOUS' })).toMatch('poison')
})

test('every errand has its turn', () => {
  const picked = new Set(Array.from({ length: 1000 }, (_, index) => pickErrand(index / 1000)))
  expect(picked.size).toBe(errands.length)
})
