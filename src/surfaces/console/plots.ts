import type { PlotData, PlotRange } from './api/plots.ts'
import { type Endpoint, Refusal } from './endpoint.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The ledger keeps narrow buckets for recent calls only. */
const ranges: { readonly [range in PlotRange]: { readonly ms: number; readonly bucketMs: number } } = {
  '1h': { ms: hourMs, bucketMs: minuteMs },
  '24h': { ms: 24 * hourMs, bucketMs: 15 * minuteMs },
  '7d': { ms: 7 * 24 * hourMs, bucketMs: 2 * hourMs },
  '30d': { ms: 30 * 24 * hourMs, bucketMs: 6 * hourMs },
}

export const plotEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'plots',
    right: 'view',
    async handle({ query }, { toolpact: { ledger } }): Promise<PlotData> {
      const range = readRange(query)
      const { ms, bucketMs } = ranges[range]
      const now = Date.now()
      const stats = await ledger.stats({ since: new Date(now - ms), until: new Date(now), bucketMs })
      const { times, outcomes, questions, tools, violations, refusals } = stats
      const { succeeded, failed, refused } = outcomes
      return {
        range,
        times: times.map((time) => time / 1000),
        bucketMs: stats.bucketMs,
        ...{ outcomes, tools, refusals },
        approvals: {
          perHundred: questions.asked.map((asked, index) => {
            const calls = succeeded[index]! + failed[index]! + refused[index]!
            return calls === 0 ? null : (asked * 100) / calls
          }),
          waitMs: questions.waitMs,
        },
        violations: violations.map(({ toolset, count }) => ({ server: toolset, count })),
      }
    },
  },
]

function readRange(query: URLSearchParams): PlotRange {
  const range = query.get('range') ?? '24h'
  if (Object.hasOwn(ranges, range)) return range as PlotRange
  throw new Refusal('invalid_request', `'range' must be one of ${Object.keys(ranges).join(', ')}.`)
}
