import { expect, test } from 'vitest'
import { type Errand, errands, findFault, pickErrand } from './errands.ts'
import { decideFlat } from './flat.ts'

const samples = (memory: (index: number) => number, handles: (index: number) => number) =>
  Array.from({ length: 60 }, (_, index) => ({
    heap: memory(index) / 4,
    memory: memory(index),
    handles: handles(index),
  }))

test('what warms up and then swings is flat, what grows is not', () => {
  const swings = samples(
    (index) => (index < 15 ? 50 + index * 10 : 200 + (index % 5) * 10),
    (index) => 20 + (index % 7),
  )
  expect(decideFlat(swings).faults).toEqual([])
  const grows = samples(
    (index) => 100 + index * 20,
    (index) => 20 + index,
  )
  expect(decideFlat(grows).faults).toEqual([
    'heap grew from 135 to 285 MB',
    'memory grew from 540 to 1140 MB',
    'open handles grew from 42 to 72',
  ])
})

test('handles that the system does not tell are no fault', () => {
  const untold = samples(
    () => 100,
    () => Number.NaN,
  )
  expect(decideFlat(untold).faults).toEqual([])
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
