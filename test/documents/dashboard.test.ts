import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Instrument, type InstrumentName, instruments, toPrometheusLabel, toPrometheusName } from '../../src/telemetry/metrics/instruments.ts' // biome-ignore format: one line

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const dashboard: Dashboard = JSON.parse(
  readFileSync(new URL('../../deploy/grafana/toolpact.json', import.meta.url), 'utf8'),
)
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** The names as they are scraped, with the labels that each has. */
const scraped = new Map(
  (Object.keys(instruments) as InstrumentName[]).map((name) => {
    const { kind, labels }: Instrument = instruments[name]
    const all = [...labels.map(toPrometheusLabel), 'job', 'instance', ...(kind === 'histogram' ? ['le'] : [])]
    return [`${toPrometheusName(name)}${kind === 'histogram' ? '_bucket' : ''}`, all]
  }),
)

test('every metric in the dashboard exists, and every metric is in the dashboard', () => {
  const shown = new Set(expressions.flatMap((expr) => [...expr.matchAll(/\b(\w+)\{/g)].map(([, name]) => name!)))
  expect([...shown].sort()).toEqual([...scraped.keys()].sort())
})

test.each(expressions)('the labels of %s exist', (expr) => {
  const [, metric] = /\b(\w+)\{/.exec(expr)!
  const grouped = [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, names]) => names!.split(', '))
  const selected = [...expr.matchAll(/[{,](\w+)=~?"/g)].map(([, name]) => name!)
  for (const label of [...grouped, ...selected]) expect(scraped.get(metric!)).toContain(label)
})

test('no two panels have the same title, and each shows something', () => {
  const titles = dashboard.panels.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  expect(dashboard.panels.every(({ targets }) => targets.length > 0)).toBe(true)
})
