import type { Word } from '../words.ts'
import { endsSentence } from './ends-sentence.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language, Phrase } from './language.ts'

/** Words that a correction may replace: `the red car, I mean, the blue car`. */
const maxReplaced = 4
/** In these, a pronoun and an auxiliary may come twice: `if I could I would`. */
const clauses = new Set(
  'if when what whatever as than where who how unless though although all everything anything because since that whether wherever whenever wenn was wie als ob weil dass quand si ce que comme'.split(
    ' ',
  ),
)

/**
 * Marks what a speaker began and then said differently, where nothing but function words goes: `in the in a box`, `I was I
 * am`, `je j'ai`. More goes only before a phrase that announces a correction.
 */
export function findRestarts(
  words: readonly Word[],
  without: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  if (!language) return marked
  const places = words.flatMap((_, index) => (without[index] ? [] : [index]))
  const said = places.map((place) => words[place]!)
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

function findAbandoned(said: readonly Word[], at: number, language: Language): Range | undefined {
  const length = countAbandoned(said, at, language)
  if (length > 0) return { start: at, end: at + length }
  const edit = language.edits.find((phrase) => isAt(said, at, phrase))
  return edit && findCorrected(said, { start: at, end: at + edit.length }, language)
}

/** How many function words from `at` are said anew. */
function countAbandoned(said: readonly Word[], at: number, language: Language): number {
  const [one, two, three, four] = [said[at]!, said[at + 1], said[at + 2], said[at + 3]]
  if (!two || endsSentence(one.gap) || isProtectedInside(one, language)) return 0
  if (isSameElided(one.key, two.key, language)) return 1
  if (!three || endsSentence(two.gap) || isProtectedInside(two, language)) return 0
  const isAgain = one.key === three.key
  // `in the in a`
  if (isAgain && language.prepositions.has(one.key) && language.determiners.has(two.key) && three.text === three.key)
    return 2
  if (!four || endsSentence(three.gap)) return 0
  const isVerbAgain =
    isAgain && language.subjects.has(one.key) && [two, four].every(({ key }) => language.auxiliaries.has(key))
  const isFree = !said.slice(Math.max(0, at - 4), at).some(({ key }) => clauses.has(key))
  // `I was I am`
  return isVerbAgain && isFree ? 2 : 0
}

/** `je j'ai`, `I I'm` and `I'm I` */
function isSameElided(one: string, two: string, { elisions, subjects }: Language): boolean {
  const short = elisions.get(one)
  if (short !== undefined && two.startsWith(short)) return true
  return subjects.has(two) && elisions.has(two) && one.startsWith(`${two}'`)
}

function isAt(said: readonly Word[], at: number, phrase: Phrase): boolean {
  return phrase.every((key, offset) => said[at + offset]?.key === key)
}

/**
 * The words before a correction that it replaces, with the phrase that announces it. They must begin with the function
 * word that the correction begins with, and contain no number, name or negation.
 */
function findCorrected(said: readonly Word[], edit: Range, language: Language): Range | undefined {
  const again = said[edit.end]
  if (!again || !isOpening(again.key, language)) return undefined
  for (let start = edit.start - 1; start >= Math.max(0, edit.start - maxReplaced); start--) {
    const word = said[start]!
    if (endsSentence(word.gap) || isProtectedInside(word, language)) return undefined
    if (word.key !== again.key) continue
    const isReplaced = edit.start - start > 1 && said.slice(edit.start, edit.end).every(({ gap }) => !endsSentence(gap))
    return isReplaced ? { start, end: edit.end } : undefined
  }
  return undefined
}

function isOpening(key: string, { determiners, prepositions }: Language): boolean {
  return determiners.has(key) || prepositions.has(key)
}
