import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawCharts, replaceCharts, toDays } from './charts.ts'
import { replaceSection, toSection } from './page.ts'
import { toFiles } from './publish.ts'
import type { Table } from './table.ts'

const matrix =
  'Played on 2026-02-01: a.\n\n| | pass | fail | does not apply |\n|---|--:|--:|--:|\n| Toolpact | 37 | 1 | 0 |\n| a & b | 9 | 26 | 3 |\n'
const search: Table = {
  title: 'grep_search for a word',
  heading: ['', 'p50', 'ratio'],
  rows: [
    ['rg -n', '600 µs', '1.00×'],
    ['grep_search', '1.2 ms', '2.00×'],
    ['tinyglobby and readFile', '2.4 ms', '4.00×'],
  ],
  noise: 1.1,
} // biome-ignore format: tables

test('the charts and the pages that show them are what the published results give', () => {
  for (const [file, text] of toFiles())
    expect(readFileSync(file, 'utf8'), 'Run npm run bench -- --charts, which writes it.').toBe(text)
})

test('bars are as long as their values, also in other units, and ours stands out', () => {
  const chart = drawCharts(toPages(search)).get('chart-overview-light.svg')!
  const widths = [...chart.matchAll(/<rect [^>]*width="(\d+)"[^>]*fill="(#\w+)"/g)].map(([, width, fill]) => [Number(width), fill])
  const [own, rg, other] = widths.slice(-3)
  expect(own![0]).toBeCloseTo(2 * (rg![0] as number), -1)
  expect(other![0]).toBeCloseTo(4 * (rg![0] as number), -1)
  expect(own![1]).not.toBe(rg![1])
  expect(rg![1]).toBe(other![1])
}) // biome-ignore format: one line

test('both themes show the same numbers in other colours, and are well-formed', () => {
  const charts = drawCharts(toPages(search))
  const [light, dark] = ['light', 'dark'].map((theme) => charts.get(`chart-overview-${theme}.svg`)!)
  expect(light!.replaceAll(/#[0-9a-f]{6}/g, '')).toBe(dark!.replaceAll(/#[0-9a-f]{6}/g, ''))
  expect(light).not.toBe(dark)
  expect(light).toContain('a &amp; b')
})

test('what was found on a noisy machine is marked', () => {
  expect(drawCharts(toPages(search)).get('chart-overview-dark.svg')).not.toContain('~1.2 ms')
  expect(drawCharts(toPages({ ...search, noise: 3 })).get('chart-overview-dark.svg')).toContain('~1.2 ms')
})

test('what was never measured is left out, and what is not where it was says so', () => {
  expect([...drawCharts(toPages(search)).keys()]).toEqual(['chart-overview-light.svg', 'chart-overview-dark.svg'])
  expect(() => drawCharts(toPages({ ...search, title: 'Other' }))).toThrow('no table “grep_search”')
  expect(() => drawCharts(toPages({ ...search, rows: [['other', '1 ms', '1×']] }))).toThrow('no p50 of grep_search')
})

test('a picture has its numbers as text, and the rest of the page stays as it is', () => {
  const place = { names: ['chart-overview'], folder: 'docs/images' }
  const page = replaceCharts('# A\n<!-- charts -->\nold\n<!-- /charts -->\n\n## More\n', toPages(search), place)
  expect(page).toMatch(/^# A\n<!-- charts -->\n<picture>.*<\/picture>\n<!-- \/charts -->\n\n## More\n$/s)
  expect(page).toContain('of 38: Toolpact 37, a & b 9.')
  expect(replaceCharts(page, toPages(search), place)).toBe(page)
  expect(() => replaceCharts('# A\n', toPages(search), place)).toThrow('no <!-- charts -->')
})

test('the days of all measurements are given', () => {
  expect(toDays(toPages(search))).toBe('2026-01-31 to 2026-02-01')
  expect(toDays({ ...toPages(search), matrix: '' })).toBe('2026-01-31')
})

function toPages(table: Table) {
  const circumstances = { date: '2026-01-31', toolpact: '1.2.3', node: 'v24.0.0', machine: 'm', load: [0, 0] } as const
  const section = toSection({ compares: 'It.' }, [table], circumstances)
  return { benchmarks: replaceSection('', { name: 'search', section }, ['search']), matrix }
}
