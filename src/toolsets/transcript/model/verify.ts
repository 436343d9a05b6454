import { isFillerSound } from '../rules/find-fillers.ts'
import { isProtected, isProtectedInside } from '../rules/is-protected.ts'
import type { Language, Phrase } from '../rules/language.ts'
import { isNegation } from '../rules/languages.ts'
import { type Passage, toPassage, type Word } from '../words.ts'
import { type Fate, findRepeatFates } from './find-repeat-fates.ts'
import { mergePassages } from './merge-passages.ts'

export type Verdict =
  | { readonly ok: true; readonly passage: Passage; readonly counts: VerdictCounts }
  /** What is wrong with it, in words for the model. */
  | { readonly ok: false; readonly reason: string }

export interface VerdictCounts {
  readonly fillers: number
  readonly repeats: number
  /** Words that the model left out and that are there again. */
  readonly restored: number
}

/** A few words that should have stayed are put back; a text that lacks more is not to be trusted. */
const maxRestored = 0.1
const maxDropped = 0.4

/**
 * Lays a model's text beside what was said, word by word. It passes if nothing was added or moved and hardly anything
 * left out that may not be. What comes out is made of the words that were said: the model gives capitals and punctuation.
 */
export function verify(said: Passage, answer: string, language: Language | undefined): Verdict {
  const written = toPassage(answer)
  const places = align(said.words, written.words)
  if (!places) return fail('it holds a word that was not said there')
  const fates = judge(said.words, places, language)
  if (said.words.some((word, index) => fates[index] === 'restored' && isProtected(word)))
    return fail('it leaves out a number, a name or a negation')
  const count = (fate: Fate) => fates.filter((one) => one === fate).length
  const counts = { fillers: count('filler'), repeats: count('repeat'), restored: count('restored') }
  const { length } = said.words
  if (counts.restored > Math.max(2, length * maxRestored))
    return fail('it leaves out words that are neither fillers nor repeats')
  if (counts.fillers + counts.repeats > Math.max(3, length * maxDropped)) return fail('it leaves out too much')
  const passage = mergePassages(said, written, { places, fates })
  return passage ? { ok: true, passage, counts } : fail('it adds or leaves out signs that are more than punctuation')
}

function fail(reason: string): Verdict {
  return { ok: false, reason }
}

/** Where each word of the answer was said, each time the first place that fits; undefined if one was not said. */
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

function judge(words: readonly Word[], places: readonly number[], language: Language | undefined): Fate[] {
  const fates: Fate[] = words.map(() => 'restored')
  for (const place of places) fates[place] = 'kept'
  for (let index = 0; index < words.length; ) {
    let end = index
    while (end < words.length && fates[end] !== 'kept') end++
    while (index < end) {
      const length = countMarker(words, index, end, language)
      for (let offset = 0; offset < length; offset++) fates[index + offset] = 'filler'
      index += length || 1
    }
    index = end + 1
  }
  return findRepeatFates(words, fates)
}

/** How many words from a place on, up to `end`, a model may leave out because they say nothing there. */
function countMarker(words: readonly Word[], at: number, end: number, language: Language | undefined): number {
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
