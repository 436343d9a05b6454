import { expect, test } from 'vitest'
import { maxHeight, toScrollTop, toVirtualRange } from './virtual-range.ts'

const view = { rowHeight: 32, viewHeight: 640 }

test('a short list is rendered whole', () => {
  expect(toVirtualRange({ ...view, count: 5, scrollTop: 0 })).toEqual({ first: 0, end: 5, height: 160, offset: 0 })
  expect(toVirtualRange({ ...view, count: 0, scrollTop: 0 })).toEqual({ first: 0, end: 0, height: 0, offset: 0 })
})

test('a long list renders only what is in view and a few rows around it', () => {
  const range = toVirtualRange({ ...view, count: 100_000, scrollTop: 32_000 })
  expect(range).toEqual({ first: 992, end: 1028, height: 3_200_000, offset: 992 * 32 })
})

test('a list taller than browsers allow reaches its first and its last row', () => {
  const count = 1_000_000
  const top = toVirtualRange({ ...view, count, scrollTop: 0 })
  expect([top.first, top.height, top.offset]).toEqual([0, maxHeight, 0])
  const scrollTop = maxHeight - view.viewHeight
  const bottom = toVirtualRange({ ...view, count, scrollTop })
  expect(bottom.end).toBe(count)
  // The last row ends where the list does.
  expect(bottom.offset + (bottom.end - bottom.first) * view.rowHeight).toBeCloseTo(maxHeight, 3)
})

test('wherever one scrolls, the rendered rows cover the view', () => {
  for (const count of [30, 5000, 250_001, 3_000_000]) {
    const height = Math.min(count * view.rowHeight, maxHeight)
    for (let step = 0; step <= 100; step++) {
      const scrollTop = (step / 100) * Math.max(0, height - view.viewHeight)
      const range = toVirtualRange({ ...view, count, scrollTop })
      expect(range.offset).toBeLessThanOrEqual(scrollTop + 1e-3)
      const end = range.offset + (range.end - range.first) * view.rowHeight
      expect(end).toBeGreaterThanOrEqual(scrollTop + view.viewHeight - 1e-3)
    }
  }
})

test('a position outside of the list, as bouncing scrolls give, is one of its ends', () => {
  expect(toVirtualRange({ ...view, count: 1000, scrollTop: -50 }).first).toBe(0)
  expect(toVirtualRange({ ...view, count: 1000, scrollTop: 1e9 }).end).toBe(1000)
})

test('a row in view needs no scrolling, others come to the nearer edge', () => {
  const at = { ...view, count: 1000, scrollTop: 3200 }
  expect(toScrollTop(at, 105)).toBe(3200)
  expect(toScrollTop(at, 99)).toBe(99 * 32)
  expect(toScrollTop(at, 120)).toBe(121 * 32 - 640)
  const huge = { ...view, count: 1_000_000, scrollTop: 0 }
  const range = toVirtualRange({ ...huge, scrollTop: toScrollTop(huge, 777_777) })
  expect(range.first).toBeLessThan(777_777)
  expect(range.end).toBeGreaterThan(777_777)
})
