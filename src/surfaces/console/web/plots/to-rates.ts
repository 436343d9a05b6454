/** Counts per bucket as calls per minute, so that ranges with buckets of other sizes compare. */
export function toRates(counts: readonly number[], bucketMs: number): readonly number[] {
  return counts.map((count) => (count * 60_000) / bucketMs)
}
