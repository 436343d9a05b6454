import type { JsonValue } from '../json.ts'

/** A requirement of one schema that the other does not have. */
export interface Lack {
  /** The path of the value, independent of references: a key, not a JSON pointer. */
  readonly path: string
  /** JSON pointer into the contract with the requirement. */
  readonly pointer: string
  /** The keyword, or one of the words below. */
  readonly keyword: string
  /** The property or name concerned. */
  readonly name?: string
  readonly wanted?: JsonValue
  readonly found?: JsonValue
  /** The keyword is unknown, so neither its presence nor its absence is safe. */
  readonly isUnknown?: true
}

/** Pseudo-keywords. */
export const property = 'property'
export const nothing = 'nothing'
export const tooComplex = 'too complex'
/** Reported elsewhere, under another path. */
export const reportedBefore = 'reported before'
