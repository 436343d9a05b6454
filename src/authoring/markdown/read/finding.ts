import { shorten } from '../../../contract/text/shorten.ts'
/** One thing to know about a document that contracts were read from. */
export interface Finding {
  /** From 1. */
  readonly line: number
  /**
   * `taken`: it is in the contract. `assumed`: the document does not say it, and the contract needs it. `left`: the contract
   * has no place for it. `wrong`: mend it in the document.
   */
  readonly kind: 'taken' | 'assumed' | 'left' | 'wrong'
  /** Which finding it is, for programs. */
  readonly code: string
  /** Of what is wrong: an error makes a contract unfit, a warning may have its reasons. */
  readonly severity?: 'error' | 'warning'
  readonly tool?: string
  /** JSON pointer into the contract. */
  readonly pointer?: string
  readonly message: string
  readonly fix?: string
  /** What stands there, shortened. */
  readonly text?: string
}

/** Puts a finding into the report. */
export type Note = (finding: Finding) => void

const maxText = 120

/** One line of the document to be shown. */
export function toExcerpt(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), maxText)
}
