import type { Phrase } from './compile-phrase.ts'
import type { Language } from './word-lists.ts'

/** A pattern to look for in text that a server addresses to a model. */
export interface Signal {
  readonly id: string
  readonly looksFor: string
  readonly why: string
  /** How many of 1,638 tools of 78 real servers match. None of these is known to be malicious. */
  readonly tools: number
  /** Also matches if the text negates it: "do not use other tools". */
  readonly evenRefused?: true
  /** A sentence that involves the user does not match: "only after the user has approved". */
  readonly isGuardable?: true
  readonly phrases?: { readonly [Name in Language]?: readonly Phrase[] }
  /** Matches the raw text. Repetitions are bounded. */
  readonly pattern?: RegExp
}
