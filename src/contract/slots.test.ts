import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

test('holds what was added until its slot is removed', () => {
  const slots = new Slots<{ name: string }>()
  const [one, two, three] = ['one', 'two', 'three'].map((name) => slots.add({ name })) as [number, number, number]
  expect(slots.size).toBe(3)
  slots.remove(two)
  expect([...slots].map(({ name }) => name)).toEqual(['one', 'three'])
  slots.remove(one)
  slots.remove(three)
  expect([...slots]).toEqual([])
  expect(slots.size).toBe(0)
})

test('uses the slots of what has gone again', () => {
  const slots = new Slots<object>()
  const first = slots.add({})
  const second = slots.add({})
  slots.remove(first)
  expect(slots.add({})).toBe(first)
  expect(slots.add({})).toBeGreaterThan(second)
  expect(slots.size).toBe(3)
})
