/** One difference between two contracts. */
export interface Change {
  /** The tool's name, or its full id where sets of contracts are compared. */
  readonly tool: string
  /** JSON pointer into the new contract, or into the old one for what is gone. */
  readonly pointer: string
  /**
   * `wire`: what callers may send or get. `source`: the same values, written in another way, so that generated types may
   * differ. `words`: what people and models read. `policy`: risk, approval, limits and effects.
   */
  readonly category: 'wire' | 'source' | 'words' | 'policy'
  /** A caller may fail by it; in `policy`: less is asked, limited or looked at than before. */
  readonly breaking: boolean
  /** What changed, as a sentence. */
  readonly message: string
  /** The values as JSON, shortened; absent where there is none. */
  readonly before?: string
  readonly after?: string
}

/** A change whose tool is known to whoever asked. */
export type Finding = Omit<Change, 'tool'>
