import type { JsonValue } from '../json.ts'

/** Something that one schema demands of a value and another one does not. */
export interface Lack {
  /** The way to the value, the same whether parts of a schema are referred to or not: a key, not a JSON pointer. */
  readonly path: string
  /** JSON pointer into the contract that demands. */
  readonly pointer: string
  /** The keyword, or one of the words below. */
  readonly keyword: string
  /** Which property or name it is about. */
  readonly name?: string
  readonly wanted?: JsonValue
  readonly found?: JsonValue
  /** Nobody knows what this keyword means, so that neither its presence nor its absence is safe. */
  readonly isUnknown?: true
}

/** Words in the place of a keyword. */
export const property = 'property'
export const nothing = 'nothing'
export const tooComplex = 'too complex'
/** Told elsewhere, under another path. */
export const toldBefore = 'told before'
