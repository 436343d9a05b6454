import type { Word } from '../words.ts'
import { countAbandoned, isPhraseAt, type Said } from './count-abandoned.ts'
import { endsSentence } from './gaps.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language } from './language.ts'

/** Words that a correction may replace: `the red car, I mean, the blue car`. */
const maxReplaced = 3

/**
 * Marks what a speaker began and then said differently (`in the in a box`, `I want to I need`), and what a phrase
 * announces as corrected.
 */
export function findRestarts(
  words: readonly Word[],
  without: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  if (!language) return marked
  const places = words.flatMap((_, index) => (without[index] ? [] : [index]))
  const said = places.map((place, at) => ({ ...words[place]!, isPaused: at > 0 && place > places[at - 1]! + 1 }))
  for (let at = 0; at < said.length; ) {
    const range = findAbandoned(said, at, language)
    if (!range) {
      at++
      continue
    }
    for (let index = range.start; index < range.end; index++) marked[places[index]!] = true
    at = range.end
  }
  return marked
}

interface Range {
  readonly start: number
  readonly end: number
}

function findAbandoned(said: readonly Said[], at: number, language: Language): Range | undefined {
  const length = countAbandoned(said, at, language)
  if (length > 0) return { start: at, end: at + length }
  const edit = language.edits.find((phrase) => isPhraseAt(said, at, phrase))
  return edit && findCorrected(said, { start: at, end: at + edit.length }, language)
}

/**
 * The words before a correction that it replaces, with the phrase that announces it. They must begin with the function
 * word that the correction begins with, and contain no other, nor a number, name or negation.
 */
function findCorrected(said: readonly Word[], edit: Range, language: Language): Range | undefined {
  const again = said[edit.end]
  if (!again || !isOpening(again.key, language)) return undefined
  if (said.slice(edit.start, edit.end).some(({ gap }) => endsSentence(gap))) return undefined
  for (let start = edit.start - 1; start >= Math.max(0, edit.start - maxReplaced); start--) {
    const word = said[start]!
    if (endsSentence(word.gap)) return undefined
    if (word.key === again.key) return edit.start - start > 1 ? { start, end: edit.end } : undefined
    const isClause = language.openers.has(word.key) || language.subjects.has(word.key)
    if (isClause || isOpening(word.key, language) || isProtectedInside(word, language)) return undefined
  }
  return undefined
}

function isOpening(key: string, { determiners, prepositions }: Language): boolean {
  return determiners.has(key) || prepositions.has(key)
}
