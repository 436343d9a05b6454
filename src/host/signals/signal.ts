import type { Phrase } from './compile-phrase.ts'
import type { Language } from './word-lists.ts'

/** One thing to look for in what a server says to a model. */
export interface Signal {
  readonly id: string
  readonly looksFor: string
  readonly why: string
  /** How many of the 1,638 tools of 78 real servers show it, none of which is known to be malicious. */
  readonly tools: number
  /** Does it count too where the text says not to? Do not use other tools. */
  readonly evenRefused?: true
  /** Does a sentence that involves the user not count? Only after the user has approved. */
  readonly isGuardable?: true
  readonly phrases?: { readonly [Name in Language]?: readonly Phrase[] }
  /** Looks at the text as it is written. Repeats are bounded. */
  readonly pattern?: RegExp
}
