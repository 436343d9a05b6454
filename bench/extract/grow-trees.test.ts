import { expect, test } from 'vitest'
import { askAll, type Binned, type Examples, type Growth, growTrees, maxBins, toBin, toCuts } from './grow-trees.ts'

const growth: Growth = {
  trees: 60,
  leaves: 6,
  rate: 0.2,
  shareOfRows: 0.7,
  shareOfFeatures: 0.8,
  caution: 1,
  minInLeaf: 0.5,
}
const rows = Array.from({ length: 400 }, (_, at) => [at % 20, Math.floor(at / 20)] as const)
const cuts = [0, 1].map((feature) => toCuts(Float32Array.from(rows, (row) => row[feature]!).sort()))
const binned: Binned = {
  features: 2,
  bins: Uint8Array.from(rows.flatMap((row) => row.map((value, feature) => toBin(cuts[feature]!, value)))),
  cuts,
}
const targets = rows.map(([size, links]) => Number(size >= 10 && links < 5))
const examples: Examples = {
  rows: Int32Array.from(rows, (_, at) => at),
  targets: Float32Array.from(targets),
  weights: new Float32Array(rows.length).fill(1),
}

test('what examples have in common is learned', () => {
  const forest = growTrees(binned, examples, growth)
  const wrong = targets.filter((target, at) => askAll(forest, binned, at) >= 0.5 !== (target === 1))
  expect(wrong).toEqual([])
})

test('a tree has at most the leaves that it may have, and asks at the cuts', () => {
  const { trees } = growTrees(binned, examples, growth)
  expect(trees).toHaveLength(60)
  for (const tree of trees) {
    expect(tree.filter(({ feature }) => feature < 0).length).toBeLessThanOrEqual(6)
    for (const { feature, value, upper } of tree)
      if (feature >= 0) expect([value, upper]).toEqual([expect.any(Number), expect.any(Number)])
  }
  const asked = trees.flatMap((tree) =>
    tree.filter(({ feature }) => feature === 1).map(({ value }) => cuts[1]![value - 1]),
  )
  expect(asked).toContain(5)
})

test('the same examples give the same trees', () => {
  expect(growTrees(binned, examples, growth)).toEqual(growTrees(binned, examples, growth))
})

test('shares are learned, and heavy examples count more', () => {
  const halves = { ...examples, targets: new Float32Array(rows.length).fill(0.25) }
  expect(askAll(growTrees(binned, halves, growth), binned, 0)).toBeCloseTo(0.25, 2)
  const weights = Float32Array.from(targets, (target) => (target === 1 ? 30 : 1))
  expect(growTrees(binned, { ...examples, weights }, growth).base).toBeGreaterThan(
    growTrees(binned, examples, growth).base,
  )
})

test('many values share bins', () => {
  const many = toCuts(Float32Array.from({ length: 1000 }, (_, at) => at))
  expect(many.length).toBeLessThan(maxBins)
  expect(toBin(many, -1)).toBe(0)
  expect(toBin(many, 999)).toBe(many.length)
  expect(toBin([3, 7], 3)).toBe(1)
  expect(toBin([3, 7], 6.9)).toBe(1)
})
