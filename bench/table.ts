/** What a benchmark found, to be printed and written to docs/benchmarks.md. */
export interface Table {
  readonly title: string
  /** Of the first column it may be empty. */
  readonly heading: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How much the base varied between rounds, by `toNoise`. Undefined: nothing here is measured in rounds. */
  readonly noise?: number
  /** Whether aims were met, and what else is to be known. */
  readonly notes?: readonly string[]
}

export interface About {
  /** What is measured, beside what: a sentence or two. */
  readonly compares: string
  /** What it is compared with, by name and version. */
  readonly peers?: readonly string[]
}
