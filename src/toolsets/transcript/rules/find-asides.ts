import type { Word } from '../words.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language, Phrase } from './language.ts'

/**
 * Marks phrases that only fill time, where both sides have a break: `It is, you know, late`. Without them they have a
 * meaning: `We dug the well, and it was deep`. A filler is a break.
 */
export function findAsides(
  words: readonly Word[],
  fillers: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  if (!language) return marked
  for (let at = 0; at < words.length; ) {
    const length = countAside(words, at, {
      phrases: language.asides,
      language,
      isBreak: (index) => fillers[index] ?? false,
    })
    for (let offset = 0; offset < length; offset++) marked[at + offset] = true
    at += length || 1
  }
  return marked
}

interface AsideOptions {
  readonly phrases: readonly Phrase[]
  readonly language: Language | undefined
  /** Whether this word counts as a break. */
  readonly isBreak: (index: number) => boolean
}

/** How many words from `at` form one of the phrases between two breaks. */
export function countAside(words: readonly Word[], at: number, { phrases, language, isBreak }: AsideOptions): number {
  const { first } = words[at]!
  const before = words[at - 1]?.gap ?? ''
  if (!(first || /[,;…–—"“„«]|-\s/.test(before) || isBreak(at - 1))) return 0
  const isClosed = (end: number) => {
    const { gap } = words[end - 1]!
    if (/^\s*[,;…–—]|^\s*\.{2,}|^-+\s/.test(gap) || (isBreak(end) && gap.trim() === '')) return true
    // `You know?` makes a question of what comes before it, and `Well.` is an answer.
    return /^\s*\.(?!\.)/.test(gap) && !first
  }
  return phrases.find((one) => isPhrase(words, at, one, language) && isClosed(at + one.length))?.length ?? 0
}

function isPhrase(words: readonly Word[], at: number, phrase: Phrase, language: Language | undefined): boolean {
  return phrase.every((key, offset) => {
    const word = words[at + offset]
    const isInside = offset === phrase.length - 1 || word?.gap.trim() === ''
    return word?.key === key && isInside && !isProtectedInside(word, language)
  })
}
