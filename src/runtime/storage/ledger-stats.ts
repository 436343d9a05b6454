/** The period that statistics cover. */
export interface StatsQuery {
  /** Rounded down to the start of a bucket. */
  readonly since: Date
  /** Exclusive. Rounded up to the end of a bucket. */
  readonly until: Date
  /**
   * Rounded to whole minutes. Buckets begin at its multiples since 1970. An engine may forget details of old calls: buckets that
   * are multiples of 15 minutes must cover at least 14 days, multiples of two hours 400 days, and others two days.
   */
  readonly bucketMs: number
}

/** Statistics of ended calls and agent runs. Arrays have one value per bucket. */
export interface LedgerStats {
  /** Start of each bucket, in milliseconds since 1970. */
  readonly times: readonly number[]
  readonly bucketMs: number
  /** Calls by how they ended. */
  readonly outcomes: {
    readonly succeeded: readonly number[]
    readonly failed: readonly number[]
    readonly refused: readonly number[]
  }
  /** The tools with most calls, busiest first. */
  readonly tools: readonly ToolStats[]
  /** Questions to people. */
  readonly questions: {
    readonly asked: readonly number[]
    /** Median time until the answer, in milliseconds, at the time of the answered call; null without an answer. */
    readonly waitMs: readonly (number | null)[]
  }
  /** Calls whose tool violated its contract, most frequent first. */
  readonly violations: readonly { readonly toolset: string; readonly count: number }[]
  /** Refused calls by error code, most frequent first. */
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}

/** Durations of calls that ran, without the time that people took to answer; null for a bucket without such calls. */
export interface ToolStats {
  readonly tool: string
  /** Ended calls in the whole period, including refused ones. */
  readonly calls: number
  /** Milliseconds, within 5 %. */
  readonly p50: readonly (number | null)[]
  readonly p95: readonly (number | null)[]
  readonly p99: readonly (number | null)[]
}

/** Number of tools in `LedgerStats`. */
export const maxToolStats = 12

/** Totals of a tool over the whole ledger. Calls of tools that do not exist are not counted. An engine may keep counting calls whose entries were archived. */
export interface ToolTotals {
  readonly tool: string
  /** Every call, including those that did not end. */
  readonly calls: number
  readonly failed: number
  readonly refused: number
  /** ISO time of the first call. */
  readonly since: string
  /** Most frequent first. */
  readonly callers: readonly { readonly caller: string; readonly calls: number }[]
}
