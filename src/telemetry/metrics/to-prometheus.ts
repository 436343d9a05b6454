import { type Instrument, instruments, toPrometheusLabel, toPrometheusName } from './instruments.ts'
import type { Family, Point } from './metrics.ts'

/** The Prometheus text format 0.0.4. */
export function toPrometheus(families: readonly Family[]): string {
  const lines: string[] = []
  for (const { name, points } of families) {
    const { kind, about, labels, bounds = [] }: Instrument = instruments[name]
    const named = toPrometheusName(name)
    const names = labels.map(toPrometheusLabel)
    lines.push(`# HELP ${named} ${about}`, `# TYPE ${named} ${kind}`)
    for (const point of points) lines.push(...(point.buckets ? toBuckets(named, names, { ...point, bounds }) : [`${named}${toLabels(names, point.labels)} ${point.value}`])) // biome-ignore format: one line
  }
  return `${lines.join('\n')}\n`
}

function toBuckets(named: string, names: readonly string[], point: Point & { readonly bounds: readonly number[] }) {
  const { labels, buckets = [], bounds, value } = point
  let count = 0
  const lines = buckets.map((inBucket, index) => {
    count += inBucket
    return `${named}_bucket${toLabels([...names, 'le'], [...labels, String(bounds[index] ?? '+Inf')])} ${count}`
  })
  const all = toLabels(names, labels)
  return [...lines, `${named}_sum${all} ${value}`, `${named}_count${all} ${count}`]
}

function toLabels(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return ''
  return `{${names.map((name, index) => `${name}="${escapeValue(values[index]!)}"`).join(',')}}`
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
