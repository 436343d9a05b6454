import { expect, test } from 'vitest'
import { joinMetrics } from './join-metrics.ts'

test('families are joined, with the tenant of each sample; those of the process are listed once', () => {
  const of = (count: number) => `# HELP toolpact_calls_total Calls.
# TYPE toolpact_calls_total counter
toolpact_calls_total{tool="a",outcome="ok"} ${count}
# HELP toolpact_wait_seconds Waits.
# TYPE toolpact_wait_seconds histogram
toolpact_wait_seconds_bucket{le="+Inf"} ${count}
toolpact_wait_seconds_sum 0.5
toolpact_wait_seconds_count ${count}
# HELP process_cpu_seconds_total CPU.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 7
`
  expect(joinMetrics([['acme', of(1)], ['globex', of(2)]])).toBe(`# HELP toolpact_calls_total Calls.
# TYPE toolpact_calls_total counter
toolpact_calls_total{tenant="acme",tool="a",outcome="ok"} 1
toolpact_calls_total{tenant="globex",tool="a",outcome="ok"} 2

# HELP toolpact_wait_seconds Waits.
# TYPE toolpact_wait_seconds histogram
toolpact_wait_seconds_bucket{tenant="acme",le="+Inf"} 1
toolpact_wait_seconds_sum{tenant="acme"} 0.5
toolpact_wait_seconds_count{tenant="acme"} 1
toolpact_wait_seconds_bucket{tenant="globex",le="+Inf"} 2
toolpact_wait_seconds_sum{tenant="globex"} 0.5
toolpact_wait_seconds_count{tenant="globex"} 2

# HELP process_cpu_seconds_total CPU.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 7
`) // biome-ignore format: as it is served
  expect(joinMetrics([])).toBe('')
})
