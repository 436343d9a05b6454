import type { Word } from '../words.ts'
import { isPause } from './gaps.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language } from './language.ts'
import { isCommonWord, isFunctionWord, isWord } from './languages.ts'

/** Words that may be said again between a cut-off word and the whole one: `the com- the computer`. */
const maxAgain = 3
/** A longer beginning of the next word may be a word of its own, unless it is marked as cut off. */
const maxUnmarked = 4
const maxLonger = 7
/** `start started`, `socket sockets` */
const endings = /^(?:e?s|e?d|e?r|e?rs|ing|ings|ly|e?n|em|es|e|y|t|te|ten|et|a|o|i|x|ed|able|ment|'.*)$/u
const vowels = /[aeiouyäöüáàâãéèêëíîïóôõúûùœæ]/u
/** Beginnings that make a word with a hyphen: `re-read`, `co-coordinate`. */
const prefixes = new Set(
  're co pre de un e x ex non sub bi mid post anti self semi pro in over so a i u t d'.split(' '),
)
/** `pre- and post-war`, `Ein- und Ausgang` */
const links = new Set('and or to und oder bis sowie et ou y o e of en'.split(' '))

/** Marks words that were cut off and said again in full: `th- the`, `com computer`, `w-we`. */
export function findCutOffs(
  words: readonly Word[],
  without: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  const places = words.flatMap((_, index) => (without[index] ? [] : [index]))
  for (const [at, place] of places.entries()) {
    const word = words[place]!
    if (!/^\p{L}+$/u.test(word.key) || isProtectedInside(word, language)) continue
    const view = { word, at, keyAt: (index: number) => words[places[index] ?? -1]?.key, language }
    // The gap up to the next word that is no filler.
    const isPaused = places[at + 1] !== undefined && places[at + 1]! > place + 1
    marked[place] = isCutOff(view, word.gap, isPaused)
  }
  return marked
}

interface View {
  readonly word: Word
  readonly at: number
  readonly keyAt: (at: number) => string | undefined
  readonly language: Language | undefined
}

function isCutOff(view: View, gap: string, isPaused: boolean): boolean {
  const { word, at, keyAt, language } = view
  const next = keyAt(at + 1)
  if (next === undefined) return false
  const isPrefix = isBeginning(word.key, next)
  if (/^[-‐‑]$/.test(gap)) return isPrefix && isStutter(word.key, next)
  const isKnown = isWord(word.key, language)
  // A hyphen at a word marks it as cut off; a dash or an ellipsis may also be a pause after a whole word.
  if (/^-+\s/.test(gap)) {
    if (isPrefix) return true
    if (links.has(next)) return false
    return isResumed(view) || (!isKnown && word.key.length < maxUnmarked && word.text === word.key)
  }
  const isDrawn = /[…—–]|\.{2,}/.test(gap)
  if (!isPause(gap)) return false
  // `St... step`: a short word that is rare.
  const isRare = isDrawn && isPrefix && !isCommonWord(word.key) && !endings.test(next.slice(word.key.length))
  if (isKnown && !isRare) return false
  // `Guo Guoping` is a name.
  if (word.text !== word.key && !(word.first && isDrawn && isCommonWord(next))) return false
  if (isResumed(view)) return true
  if (!isPrefix) return false
  if (isDrawn) return true
  if (word.key.length > maxLonger) return false
  if (isPaused && word.key.length <= maxUnmarked) return true
  if (word.key.length === 1) return isLetterCutOff(view, next)
  // `becau because`
  if (word.key.length > 2 && (language?.common.has(next) ?? false)) return true
  if (word.key.length <= maxUnmarked) return !vowels.test(word.key) || !isInflection(word.key, next)
  return !endings.test(next.slice(word.key.length))
}

function isBeginning(key: string, next: string): boolean {
  return next.length > key.length && next.startsWith(key) && next[key.length] !== "'"
}

/** `w-we`, `th-the`, `b-b-but` */
function isStutter(key: string, next: string): boolean {
  if (key.length > 3 || (prefixes.has(key) && !isFunctionWord(next))) return false
  return isFunctionWord(next) || isCommonWord(next) || !vowels.test(key)
}

/** The words before the cut-off are said again, then the whole word: `I wan I want`. */
function isResumed({ word, at, keyAt }: View): boolean {
  for (let length = 1; length <= maxAgain; length++) {
    const whole = keyAt(at + length + 1)
    if (whole === undefined || !isBeginning(word.key, whole)) continue
    let isAgain = true
    for (let offset = 1; offset <= length; offset++) isAgain &&= keyAt(at - offset) === keyAt(at + length + 1 - offset)
    if (isAgain && at >= length) return true
  }
  return false
}

/** `it is y your turn`, `the l last time`; but `vitamin c can help`, `written in c code` */
function isLetterCutOff({ at, keyAt, language }: View, next: string): boolean {
  const before = keyAt(at - 1)
  if (before === undefined) return isFunctionWord(next)
  if (!language || language.prepositions.has(before)) return false
  if (language.subjects.has(before)) return true
  if (language.determiners.has(before)) return language.common.has(next)
  return language.stuttered.has(before) || language.auxiliaries.has(before)
}

/** `car cars`: two words, the second with an ending. */
function isInflection(key: string, next: string): boolean {
  return key.length >= 4 && next.length - key.length <= 2
}
