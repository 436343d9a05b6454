import { expect, test } from 'vitest'
import { Metrics } from './metrics.ts'
import { toPrometheus } from './to-prometheus.ts'

test('a server with very many tools does not make very many series', () => {
  const metrics = new Metrics()
  for (let index = 0; index < 100_000; index++)
    metrics.add('toolpact.calls', { tool: `big.tool_${index}`, outcome: 'success' })
  const { points } = metrics.collect([])[0]!
  expect(points).toHaveLength(201)
  expect(points.at(-1)).toMatchObject({ labels: ['_other', 'success'], value: 100_000 - 200 })
  // A tool that was known before is still counted by its name.
  metrics.add('toolpact.calls', { tool: 'big.tool_0', outcome: 'success' })
  expect(points[0]).toMatchObject({ labels: ['big.tool_0', 'success'], value: 2 })
})

test('the buckets of a histogram add up, and a value on a bound is below it', () => {
  const metrics = new Metrics()
  for (const value of [0.0001, 0.001, 0.0011, 5000]) metrics.record('toolpact.call.duration', value, { tool: 'a.b' })
  const lines = toPrometheus(metrics.collect([])).split('\n')
  expect(lines).toContain('# TYPE toolpact_call_duration_seconds histogram')
  expect(lines).toContain('toolpact_call_duration_seconds_bucket{tool="a.b",le="0.001"} 2')
  expect(lines).toContain('toolpact_call_duration_seconds_bucket{tool="a.b",le="0.0025"} 3')
  expect(lines).toContain('toolpact_call_duration_seconds_bucket{tool="a.b",le="300"} 3')
  expect(lines).toContain('toolpact_call_duration_seconds_bucket{tool="a.b",le="+Inf"} 4')
  expect(lines).toContain('toolpact_call_duration_seconds_count{tool="a.b"} 4')
  expect(lines).toContain('toolpact_call_duration_seconds_sum{tool="a.b"} 5000.0022')
})

test('label values cannot leave their quotation marks', () => {
  const metrics = new Metrics()
  metrics.add('toolpact.refusals', { code: 'a"} 1\ntoolpact_fake 1\\' })
  expect(toPrometheus(metrics.collect([])).split('\n')[2]).toBe(
    'toolpact_refusals_total{code="a\\"} 1\\ntoolpact_fake 1\\\\"} 1',
  )
})

test('readings are values of the moment', () => {
  const text = toPrometheus(new Metrics().collect([{ name: 'toolpact.checkpoint.age', value: 12.5 }]))
  expect(text).toContain('# TYPE toolpact_checkpoint_age_seconds gauge\ntoolpact_checkpoint_age_seconds 12.5\n')
})
