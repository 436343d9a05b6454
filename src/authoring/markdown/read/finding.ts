import { shorten } from '../../../contract/text/shorten.ts'
/** A finding about a document. */
export interface Finding {
  /** 1-based. */
  readonly line: number
  /**
   * `taken`: read into the contract. `assumed`: required, but not in the document. `left`: has no place in a contract.
   * `wrong`: must be fixed in the document.
   */
  readonly kind: 'taken' | 'assumed' | 'left' | 'wrong'
  /** Machine-readable code. */
  readonly code: string
  /** For `wrong`: an error makes the contract invalid, a warning may be intended. */
  readonly severity?: 'error' | 'warning'
  readonly tool?: string
  /** JSON pointer into the contract. */
  readonly pointer?: string
  readonly message: string
  readonly fix?: string
  /** The text at that line, shortened. */
  readonly text?: string
}

/** Adds a finding to the report. */
export type Note = (finding: Finding) => void

const maxText = 120

/** A line of the document, shortened for display. */
export function toExcerpt(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), maxText)
}
