import { expect, test } from 'vitest'
import { boxSize, type GraphStep, layOut } from './lay-out.ts'

const toSteps = (edges: { readonly [key: string]: readonly string[] }): GraphStep[] =>
  Object.entries(edges).map(([key, after]) => ({ key, after }))

test('a step stands below all that end before it, and steps of a layer side by side', () => {
  const { boxes, width, height } = layOut(toSteps({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'] }))
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => boxes.get(key)!)
  expect([a!.y < b!.y, b!.y === c!.y, c!.y < d!.y]).toEqual([true, true, true])
  expect(c!.x - b!.x).toBeGreaterThan(boxSize.width)
  expect(a!.x).toBe((b!.x + c!.x) / 2)
  for (const { x, y } of boxes.values()) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + boxSize.width).toBeLessThanOrEqual(width)
    expect(y + boxSize.height).toBeLessThanOrEqual(height)
  }
})

test('a line that others imply, and one to an unknown step, is left out', () => {
  const { lines } = layOut(toSteps({ a: [], b: ['a', 'gone', 'later'], c: ['a', 'b', 'b'], later: [] }))
  expect(lines.map(({ from, to }) => `${from}→${to}`)).toEqual(['a→b', 'b→c'])
})

test('a long line passes beside the steps between', () => {
  const { boxes, lines } = layOut(toSteps({ a: [], b: ['a'], c: ['b'], x: ['a'], d: ['c'], e: ['x', 'd'] }))
  const { path } = lines.find(({ from, to }) => from === 'x' && to === 'e')!
  const xs = [...path.matchAll(/ (\S+) (\S+)(?= V)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
  expect(xs).toHaveLength(2)
  for (const { x, y } of xs)
    for (const box of boxes.values())
      if (box.y === y) expect(x < box.x || x > box.x + boxSize.width, `${x} in ${box.x}`).toBe(true)
})

test('two hundred steps in a line or all at once are laid out', () => {
  const names = Array.from({ length: 200 }, (_, n) => `s${n}`)
  const line = layOut(names.map((key, n) => ({ key, after: names.slice(0, n) })))
  expect(line.lines).toHaveLength(199)
  expect(line.width).toBe(boxSize.width + 8)
  expect(layOut(names.map((key) => ({ key, after: [] }))).boxes.size).toBe(200)
  expect(layOut([]).boxes.size).toBe(0)
})
