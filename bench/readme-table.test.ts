import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replaceSection, toSection } from './page.ts'
import { toReadme } from './publish.ts'
import { replaceTable } from './readme-table.ts'
import type { Table } from './table.ts'

const circumstances = { date: '2026-01-31', toolpact: '1.2.3', node: 'v24.0.0', machine: 'm', load: [0, 0] } as const
const startup: Table = {
  title: 'Start-up',
  heading: ['', 'p50', 'ratio'],
  rows: [['node -e 0', '40 ms', '1.00×']],
  noise: 1.1,
  notes: [
    'Aim met: toolpact --version at most 1.3×, found 1.2×.',
    'Aim missed: toolpact call learning.hello at most 2.5×, found 2.961×.',
  ],
}
const matrix =
  '| | pass | fail | does not apply |\n|---|--:|--:|--:|\n| Toolpact | 37 | 1 | 0 |\n| other | 9 | 26 | 3 |\n'

test('the table in the README is what the published pages give', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme, 'Run npm run bench or npm run matrix, which write it.').toBe(toReadme())
})

test('missed targets are listed beside met ones, with the command to repeat the measurement', () => {
  expect(toTable({ startup: [startup] })).toContain(
    '| 1.20×, 2.96× | `node -e 0` | at most 1.3×: met; at most 2.5×: **missed** | `npm run bench -- startup` |',
  )
})

test('what was found on a noisy machine is marked', () => {
  expect(toTable({ startup: [{ ...startup, noise: 3 }] })).toContain('| ~1.20×, ~2.96× |')
})

test('every aim of the page is counted, whether it is in the table or not', () => {
  const other = { ...startup, notes: ['Too noisy to tell: append at most 1.5×, found 1.2×.'] }
  expect(toTable({ startup: [startup, { ...startup, title: 'Again' }], append: [other] })).toMatch(
    /Of the 5 aims on docs\/benchmarks.md 2 are met,\n2 missed, and of 1 the noise/,
  )
})

test('of others the best one is shown, load by load', () => {
  const toLoad = (load: string, [hub, proxy]: readonly [string, string]): Table => ({
    title: `tools/call of a stdio server, ${load}`,
    heading: ['', 'ratio', 'p50 ratio'],
    rows: [
      ['official SDK over HTTP, direct', '1.00×', '1.00×'],
      ['the upstream itself, over stdio', '9.00×', '0.10×'],
      ['toolpact, 2025-11-25', '1.10×', '1.00×'],
      ['mcp-hub 4.2.1, HTTP+SSE', hub, '1.00×'],
      ['mcp-proxy 6.7.19', proxy, '1.00×'],
    ],
    notes: ['Aim met: toolpact, 2025-11-25, throughput at least 1×, found 1.1×.'],
  })
  const host = [
    toLoad('one call after the other', ['0.84×', '0.50×']),
    toLoad('16 at once', ['0.99×', '0.60×']),
    toLoad('64 at once', ['0.70×', '1.30×']),
  ]
  expect(toTable({ host })).toContain(
    '| 1.10×, 1.10×, 1.10× | best other gateway: mcp-hub 0.84×, 0.99×, mcp-proxy 1.30× | at least 1×: met |',
  )
})

test('a failure that is not withstood is a miss', () => {
  expect(toTable({})).toContain('| 37 of 38 | other 9 | all: **missed** | `npm run matrix` |')
})

test('what was never measured is left out, and what is not where it was says so', () => {
  expect(toTable({ startup: [startup] }).match(/^\| .*bench/gm)).toHaveLength(1)
  expect(() => toTable({ startup: [{ ...startup, notes: [] }] })).toThrow(
    'no aim “toolpact --version” under “Start-up”',
  )
  expect(() => toTable({ startup: [{ ...startup, title: 'Other' }] })).toThrow('no table “Start-up”')
})

test('the rest of the README stays as it is, and without the marks nothing is written', () => {
  const pages = { benchmarks: '', matrix }
  const readme = replaceTable('# A\n<!-- results -->\nold\n<!-- /results -->\n\n## More\n', pages)
  expect(readme).toMatch(/^# A\n<!-- results -->\n\| what \|.*<!-- \/results -->\n\n## More\n$/s)
  expect(replaceTable(readme, pages)).toBe(readme)
  expect(() => replaceTable('# A\n', pages)).toThrow('README.md has no <!-- results -->')
})

function toTable(sections: { readonly [name: string]: readonly Table[] }): string {
  let benchmarks = ''
  for (const [name, tables] of Object.entries(sections)) {
    const section = toSection({ compares: 'It.' }, tables, circumstances)
    benchmarks = replaceSection(benchmarks, { name, section }, Object.keys(sections))
  }
  return replaceTable('<!-- results -->\n<!-- /results -->', { benchmarks, matrix })
}
