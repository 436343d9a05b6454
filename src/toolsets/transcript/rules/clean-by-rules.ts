import type { Passage } from '../words.ts'
import { findCutOffs } from './find-cut-offs.ts'
import { findFillers } from './find-fillers.ts'
import { findRepeats } from './find-repeats.ts'
import type { Language } from './language.ts'
import { withoutWords } from './without-words.ts'

/** How many words were left out, and as what. */
export interface Dropped {
  readonly fillers: number
  readonly repeats: number
  readonly cutOffs: number
}

export interface Cleaned {
  readonly passage: Passage
  readonly dropped: Dropped
}

/** Leaves out what is certainly not meant: fillers, words cut off, and what is said again at once. */
export function cleanByRules(passage: Passage, language: Language | undefined): Cleaned {
  const { words } = passage
  const fillers = findFillers(words, language)
  const cutOffs = findCutOffs(words)
  const noise = words.map((_, index) => fillers[index]! || cutOffs[index]!)
  const repeats = findRepeats(words, noise, language)
  const cleaned = withoutWords(
    passage,
    (_, index) => noise[index]! || repeats[index]!,
    (_, index) => repeats[index]!,
  )
  return {
    passage: cleaned,
    dropped: { fillers: count(fillers), repeats: count(repeats), cutOffs: count(cutOffs) },
  }
}

function count(marks: readonly boolean[]): number {
  return marks.filter((mark) => mark).length
}
