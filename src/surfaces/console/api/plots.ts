export type PlotRange = '1h' | '24h' | '7d' | '30d'

export interface PlotData {
  readonly range: PlotRange
  /** Start of each bucket, in seconds since 1970. */
  readonly times: readonly number[]
  readonly bucketMs: number
  /** Calls per bucket. */
  readonly outcomes: {
    readonly succeeded: readonly number[]
    readonly failed: readonly number[]
    readonly refused: readonly number[]
  }
  /** The tools with most calls: milliseconds per bucket, null where there was no call. */
  readonly tools: readonly {
    readonly tool: string
    readonly calls: number
    readonly p50: readonly (number | null)[]
    readonly p95: readonly (number | null)[]
    readonly p99: readonly (number | null)[]
  }[]
  readonly approvals: {
    /** Questions per 100 calls, per bucket. */
    readonly perHundred: readonly (number | null)[]
    /** Median time until an answer, in milliseconds, per bucket. */
    readonly waitMs: readonly (number | null)[]
  }
  readonly violations: readonly { readonly server: string; readonly count: number }[]
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}
