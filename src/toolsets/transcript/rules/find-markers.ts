import type { Word } from '../words.ts'
import { isFillerSound } from './find-fillers.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language, Phrase } from './language.ts'
import { isNegation } from './languages.ts'

/** How many words from a place on, up to `end`, a model may leave out because they say nothing there. */
export function countMarker(words: readonly Word[], at: number, end: number, language: Language | undefined): number {
  if (isFillerSound(words[at]!.key)) return 1
  if (!language) return 0
  const before = words[at - 1]?.key ?? ''
  // `not really` without `really` says more than it did.
  if (isNegation(before)) return 0
  const isAt = (phrase: Phrase) =>
    at + phrase.length <= end &&
    phrase.every((key, offset) => words[at + offset]!.key === key && !isProtectedInside(words[at + offset]!))
  const hedge = language.hedges.find(isAt)
  const after = hedge && (words[at + hedge.length]?.key ?? '')
  if (hedge && !language.binding.has(before) && !language.binding.has(after!)) return hedge.length
  const marker = language.markers.find(isAt)
  return marker && /^\s*[,;.…–—]/.test(words[at + marker.length - 1]!.gap) ? marker.length : 0
}
