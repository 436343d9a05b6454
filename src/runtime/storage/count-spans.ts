import { minuteMs } from './tally.ts'
import type { Buckets } from './to-stats.ts'

const dayMs = 86_400_000

/** Spans of counts, longest first, and how long they are kept: a month of minutes would be as long as a ledger. */
export const countSpans = [
  { spanMs: 120 * minuteMs, keptMs: 400 * dayMs },
  { spanMs: 15 * minuteMs, keptMs: 14 * dayMs },
  { spanMs: minuteMs, keptMs: 2 * dayMs },
]

/** The longest span that the buckets consist of. */
export function findSpan({ bucketMs }: Buckets): number {
  return countSpans.find(({ spanMs }) => bucketMs % spanMs === 0)!.spanMs
}
