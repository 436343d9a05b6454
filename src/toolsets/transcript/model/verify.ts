import { countAside } from '../rules/find-asides.ts'
import { isFillerSound } from '../rules/find-fillers.ts'
import { isProtected, isProtectedInside } from '../rules/is-protected.ts'
import type { Language, Phrase } from '../rules/language.ts'
import { isNegation } from '../rules/languages.ts'
import { type Passage, toPassage, type Word } from '../words.ts'
import { markRepeats, type WordStatus } from './mark-repeats.ts'
import { countMarks, mergePassages } from './merge-passages.ts'

export type Verdict =
  | { readonly ok: true; readonly passage: Passage; readonly counts: VerdictCounts }
  /** `reason` is sent to the model with the retry. */
  | { readonly ok: false; readonly reason: string }

export interface VerdictCounts {
  readonly fillers: number
  readonly repeats: number
  /** Words that the model left out and that were put back. */
  readonly restored: number
}

/** Shares of all words. A few missing words are put back; an answer that lacks more is rejected. */
const maxRestored = 0.1
const maxDropped = 0.4
/** Words that get punctuation. In prose it is one in seven. */
const maxMarked = 0.4

/**
 * Checks a model's answer against the original, word by word. Invariant: the result consists of the original words in
 * their order; the model contributes only capitals, punctuation and the removal of fillers and repeats. An answer that
 * adds or moves a word, or drops a number, name or negation, is rejected, because the transcript is untrusted input to
 * the model.
 */
export function verify(said: Passage, answer: string, language: Language | undefined): Verdict {
  const written = toPassage(answer)
  const places = align(said.words, written.words)
  if (!places) return fail('it contains a word that is not in the original')
  const statuses = judge(said.words, places, language)
  if (said.words.some((word, index) => statuses[index] === 'restored' && isProtected(word, language)))
    return fail('it leaves out a number, a name or a negation')
  const count = (status: WordStatus) => statuses.filter((one) => one === status).length
  const counts = { fillers: count('filler'), repeats: count('repeat'), restored: count('restored') }
  const { length } = said.words
  if (counts.restored > Math.max(2, length * maxRestored))
    return fail('it leaves out words that are neither fillers nor repeats')
  if (counts.fillers + counts.repeats > Math.max(3, length * maxDropped)) return fail('it leaves out too much')
  const passage = mergePassages(said, written, { places, statuses, language })
  if (!passage) return fail('it adds or leaves out characters that are not punctuation')
  if (countMarks(passage) - countMarks(said) > Math.max(4, length * maxMarked))
    return fail('it sets punctuation after too many words')
  return { ok: true, passage, counts }
}

function fail(reason: string): Verdict {
  return { ok: false, reason }
}

/** Greedy match: the index in the original of each word of the answer; undefined if a word is not in the original. */
function align(said: readonly Word[], written: readonly Word[]): number[] | undefined {
  const places: number[] = []
  let at = 0
  for (const { key } of written) {
    while (at < said.length && said[at]!.key !== key) at++
    if (at === said.length) return undefined
    places.push(at++)
  }
  return places
}

function judge(words: readonly Word[], places: readonly number[], language: Language | undefined): WordStatus[] {
  const statuses: WordStatus[] = words.map(() => 'restored')
  for (const place of places) statuses[place] = 'kept'
  for (let index = 0; index < words.length; ) {
    let end = index
    while (end < words.length && statuses[end] !== 'kept') end++
    while (index < end) {
      const length = countMarker(words, index, end, language)
      for (let offset = 0; offset < length; offset++) statuses[index + offset] = 'filler'
      index += length || 1
    }
    index = end + 1
  }
  return markRepeats(words, statuses, language)
}

/** How many words from `at`, up to `end`, form a filler phrase that a model may leave out. */
function countMarker(words: readonly Word[], at: number, end: number, language: Language | undefined): number {
  if (isFillerSound(words[at]!.key)) return 1
  if (!language) return 0
  const before = words[at - 1]?.key ?? ''
  // `not really` without `really` would be a stronger statement.
  if (isNegation(before, language)) return 0
  const isAt = (phrase: Phrase) =>
    at + phrase.length <= end &&
    phrase.every((key, offset) => words[at + offset]!.key === key && !isProtectedInside(words[at + offset]!, language))
  const hedge = language.hedges.find(isAt)
  const after = hedge && (words[at + hedge.length]?.key ?? '')
  if (hedge && !language.binding.has(before) && !language.binding.has(after!)) return hedge.length
  const phrases = [...language.asides, ...language.markers]
  const length = countAside(words, at, { phrases, language, isBreak: () => false })
  return at + length <= end ? length : 0
}
