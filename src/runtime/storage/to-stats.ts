import { addHistogram, type Histogram, toQuantile } from './histogram.ts'
import { type LedgerStats, maxToolStats, type StatsQuery, type ToolTotals } from './ledger-stats.ts'
import { type Counted, type CountedTool, minuteMs, toStart } from './tally.ts'

/** The buckets of a query. */
export interface Buckets {
  readonly bucketMs: number
  /** Start of the first bucket. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export function toBuckets({ since, until, bucketMs }: StatsQuery): Buckets {
  const whole = Math.max(1, Math.round(bucketMs / minuteMs)) * minuteMs
  const to = Math.ceil(until.getTime() / whole) * whole
  return { bucketMs: whole, from: toStart(since.getTime(), whole), to }
}

/** Statistics of what was counted within the buckets. */
export function toStats(counted: readonly Counted[], { bucketMs, from, to }: Buckets): LedgerStats {
  const times = Array.from({ length: Math.max(0, (to - from) / bucketMs) }, (_, index) => from + index * bucketMs) // biome-ignore format: one line
  const zeros = () => times.map(() => 0)
  const counts = { succeeded: zeros(), failed: zeros(), refused: zeros(), asked: zeros() }
  const waits: Histogram[] = times.map(() => ({}))
  const tools = new Map<string, { calls: number; readonly durations: Histogram[] }>()
  const violations = new Map<string, number>()
  const refusals = new Map<string, number>()
  for (const { start, tool, state, code, count, violations: broken, durations } of counted) {
    const bucket = Math.floor((start - from) / bucketMs)
    if (start < from || start >= to) continue
    counts[state][bucket]! += count
    if (state === 'asked') {
      addHistogram(waits[bucket]!, durations)
      continue
    }
    if (broken > 0) addTo(violations, toToolset(tool), broken)
    if (state === 'refused') addTo(refusals, code, count)
    if (tool === '') continue
    const ofTool = tools.get(tool) ?? { calls: 0, durations: [] }
    tools.set(tool, ofTool)
    ofTool.calls += count
    ofTool.durations[bucket] ??= {}
    addHistogram(ofTool.durations[bucket], durations)
  }
  const { asked, ...outcomes } = counts
  return {
    times,
    bucketMs,
    outcomes,
    tools: [...tools]
      .map(([tool, { calls, durations }]) => ({ tool, calls, durations }))
      .sort((a, b) => b.calls - a.calls || compare(a.tool, b.tool))
      .slice(0, maxToolStats)
      .map(({ tool, calls, durations }) => {
        const at = (share: number) => times.map((_, bucket) => toQuantile(durations[bucket] ?? {}, share))
        return { tool, calls, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
      }),
    questions: { asked, waitMs: waits.map((wait) => toQuantile(wait, 0.5)) },
    violations: byCount(violations).map(([toolset, count]) => ({ toolset, count })),
    refusals: byCount(refusals).map(([code, count]) => ({ code, count })),
  }
}

/** Totals per tool, most calls first. */
export function toTotals(tools: ReadonlyMap<string, CountedTool>): ToolTotals[] {
  return [...tools]
    .map(([tool, { callers, ...total }]) => ({
      ...{ tool, ...total },
      callers: byCount(callers).map(([caller, calls]) => ({ caller, calls })),
    }))
    .sort((a, b) => b.calls - a.calls || compare(a.tool, b.tool))
}

function toToolset(tool: string): string {
  return tool.includes('.') ? tool.slice(0, tool.indexOf('.')) : tool
}

function addTo(counts: Map<string, number>, key: string, count: number) {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

function byCount(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || compare(a, b))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
