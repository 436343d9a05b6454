import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { incidentRows, matrixRows } from '../../test/data/failure-rows.ts'

const page = readFileSync(new URL('../../docs/failure-matrix.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\| .+ \| .+ \| (?:pass|\*\*fail\*\*|–): /.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

test('every case and every incident that has tests is on the page, and Toolpact passes', () => {
  for (const name of [...Object.keys(matrixRows), ...Object.keys(incidentRows)])
    expect(rows.find(([found]) => found === name)?.[2], name).toMatch(/^pass: ./)
})

test('Toolpact passes every row of the page, and every row has a cell for each gateway', () => {
  expect(rows.length).toBeGreaterThan(30)
  for (const [name, expects, ...cells] of rows) {
    expect(cells, name).toHaveLength(4)
    expect(expects).not.toBe('')
    expect(cells[0], name).toMatch(/^pass: /)
  }
})

test('the page says when it was made, of what, and how to repeat it', () => {
  expect(page).toMatch(/^Played on \d{4}-\d\d-\d\d: Toolpact \d+\.\d+\.\d+, .*Node v\d+/m)
  expect(page).toContain('`npm run matrix`')
  expect(existsSync(new URL('run.ts', import.meta.url))).toBe(true)
})
