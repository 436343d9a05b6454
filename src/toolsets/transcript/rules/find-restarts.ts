import type { Word } from '../words.ts'
import { endsSentence } from './gaps.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language, Phrase } from './language.ts'

/** Words that a correction may replace: `the red car, I mean, the blue car`. */
const maxReplaced = 3
/** Words of a clause that is given up. */
const maxClause = 4
/** In these, a pronoun and an auxiliary may come twice: `if I could I would`. */
const clauses = new Set(
  'if when what whatever as than where who how unless though although all everything anything because since that whether wherever whenever wenn was wie als ob weil dass quand si ce que comme'.split(
    ' ',
  ),
)

/**
 * Marks what a speaker began and then said differently: function words (`in the in a box`, `I was I am`, `je j'ai`), a
 * beginning that cannot be whole (`I want to I need`), and what a phrase announces as corrected.
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

interface Said extends Word {
  /** A filler or a cut-off word comes before it. */
  readonly isPaused: boolean
}

interface Range {
  readonly start: number
  readonly end: number
}

function findAbandoned(said: readonly Said[], at: number, language: Language): Range | undefined {
  const length = countAbandoned(said, at, language)
  if (length > 0) return { start: at, end: at + length }
  const edit = language.edits.find((phrase) => isAt(said, at, phrase))
  return edit && findCorrected(said, { start: at, end: at + edit.length }, language)
}

/** How many words from `at` are said anew. */
function countAbandoned(said: readonly Said[], at: number, language: Language): number {
  const [one, two, three, four] = [said[at]!, said[at + 1], said[at + 2], said[at + 3]]
  if (!two || endsSentence(one.gap) || isProtectedInside(one, language)) return 0
  if (isSameElided(one.key, two.key, language)) return 1
  if (!three || endsSentence(two.gap) || isProtectedInside(two, language)) return 0
  const isAgain = one.key === three.key
  // `in the in a`
  const isPhrase = language.prepositions.has(one.key) && language.determiners.has(two.key)
  if (isAgain && isPhrase && three.text === three.key && three.gap.startsWith(' ')) return 2
  const isSubject = language.subjects.has(one.key) || language.pronouns.has(one.key)
  if (!isSubject || said.slice(Math.max(0, at - 4), at).some(({ key }) => clauses.has(key))) return 0
  // `I was I am`, `I was, uh, I went`
  const isBroken = three.isPaused || /[…—–]|\.{2,}/.test(two.gap)
  const isVerbAgain = isBroken || (four !== undefined && language.auxiliaries.has(four.key))
  if (isAgain && language.auxiliaries.has(two.key) && isVerbAgain) return 2
  return countDangling(said, at, language)
}

/** `I want to I need`: a clause that ends with a word that cannot end one, before the same subject. */
function countDangling(said: readonly Said[], at: number, language: Language): number {
  const { key, first } = said[at]!
  const isStart = first || at === 0 || language.stuttered.has(said[at - 1]!.key)
  if (!isStart || !language.subjects.has(key)) return 0
  for (let end = at + 2; end <= at + maxClause && end < said.length; end++) {
    const last = said[end - 1]!
    if (endsSentence(last.gap) || isProtectedInside(last, language)) return 0
    if (said[end]!.key === key) return language.dangling.has(last.key) ? end - at : 0
  }
  return 0
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
    if (isOpening(word.key, language) || isProtectedInside(word, language)) return undefined
  }
  return undefined
}

function isOpening(key: string, { determiners, prepositions }: Language): boolean {
  return determiners.has(key) || prepositions.has(key)
}
