import type { QuietRounds } from './quiet-rounds.ts'

/** The results of a benchmark, for printing and for docs/benchmarks.md. */
export interface Table {
  readonly title: string
  /** The heading of the first column may be empty. */
  readonly heading: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Variation of the baseline between rounds, by `toNoise`. Undefined: not measured in rounds. */
  readonly noise?: number
  /** What was left out because other programs used the machine, and what was not although they did. */
  readonly left?: Pick<QuietRounds<unknown>, 'dropped' | 'disturbed'>
  /** Verdicts on targets, and remarks. */
  readonly notes?: readonly string[]
}

export interface About {
  /** What is compared, in a sentence or two. */
  readonly compares: string
  /** Competitors by name and version. */
  readonly peers?: readonly string[]
}
