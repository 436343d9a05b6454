import { expect, test } from 'vitest'
import { askAll, growTrees, toBinned, toLines } from './grow-trees.ts'

const names = ['size', 'links']
const rows = Array.from({ length: 400 }, (_, at) => Float64Array.of(at % 20, Math.floor(at / 20)))
const examples = rows.map((row, at) => ({ row: at, isText: row[0]! >= 10 && row[1]! < 5, weight: 1 }))

test('what examples have in common is learned', () => {
  const binned = toBinned(rows, rows, names)
  const forest = growTrees(binned, examples, 120)
  const wrong = examples.filter(({ row, isText }) => askAll(forest, binned, row) >= 0.5 !== isText)
  expect(wrong).toEqual([])
})

test('a tree is a line of questions and answers', () => {
  const binned = toBinned(rows, rows, names)
  const lines = toLines(growTrees(binned, examples, 20), binned)
  expect(lines).toHaveLength(20)
  for (const line of lines) expect(line).toMatch(/^-?[\d.e-]+$|^(?:size|links)>\d+ /)
  expect(lines.join()).toContain('links>5 ')
})

test('many values share bins', () => {
  const many = Array.from({ length: 1000 }, (_, at) => Float64Array.of(at))
  const { bins, cuts } = toBinned(many, many, ['size'])
  expect(cuts[0]!.length).toBeLessThan(40)
  expect(bins[0]![999]).toBe(cuts[0]!.length)
})
