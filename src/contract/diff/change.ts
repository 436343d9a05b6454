/** One difference between two contracts. */
export interface Change {
  /** The tool's name, or its full id when sets of contracts are compared. */
  readonly tool: string
  /** JSON pointer into the new contract, or into the old one for removals. */
  readonly pointer: string
  /**
   * `wire`: the values that callers may send or get. `source`: the same values written differently, so generated types
   * may differ. `words`: texts for people and models. `policy`: risk, approval, limits and effects.
   */
  readonly category: 'wire' | 'source' | 'words' | 'policy'
  /** Callers may break. In `policy`: less is asked, limited or checked than before. */
  readonly breaking: boolean
  /** The change as a sentence. */
  readonly message: string
  /** The values as shortened JSON; absent if there is none. */
  readonly before?: string
  readonly after?: string
}

/** A change without its tool, which the caller adds. */
export type Finding = Omit<Change, 'tool'>
