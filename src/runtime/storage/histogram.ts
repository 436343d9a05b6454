/** Counts of durations in logarithmic buckets, by bucket number. Histograms of the same calls add up to the same result. */
export type Histogram = { [bucket: string]: number }

/** A bucket spans 9 %, so its middle is within 5 % of each of its values. */
const bucketsPerOctave = 8

export function addDuration(histogram: Histogram, ms: number): void {
  const bucket = Math.round(bucketsPerOctave * Math.log2(Math.max(ms, 0.001)))
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}

export function addHistogram(to: Histogram, from: Histogram): void {
  for (const bucket in from) to[bucket] = (to[bucket] ?? 0) + from[bucket]!
}

/** Null if the histogram is empty. */
export function toQuantile(histogram: Histogram, share: number): number | null {
  const buckets = Object.keys(histogram)
    .map(Number)
    .sort((a, b) => a - b)
  const total = buckets.reduce((sum, bucket) => sum + histogram[bucket]!, 0)
  let left = Math.ceil(share * total)
  for (const bucket of buckets) {
    left -= histogram[bucket]!
    if (left <= 0) return Number((2 ** (bucket / bucketsPerOctave)).toPrecision(3))
  }
  return null
}
