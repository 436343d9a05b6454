import type { Double, Language } from './language.ts'
import { isCommonWord, isDoubledAnywhere, isFunctionWord } from './languages.ts'

/** Words said twice in a row. */
export interface Pair {
  /** The words that are said twice. */
  readonly unit: readonly string[]
  /** A filler or a cut-off word comes between the two. */
  readonly isPaused: boolean
  /** The text between the two. */
  readonly gap: string
  /** How often the last word is said in a row. */
  readonly run: number
  /** How many of these follow. */
  readonly ahead: number
  /** The words before, nearest first; `^` is the start of a sentence. */
  readonly before: readonly string[]
  /** The next words. */
  readonly after: readonly (string | undefined)[]
  /** Whether the text has punctuation. */
  readonly isPunctuated: boolean
}

/** Whether it may be meant that words are said twice in a row: `very very`, `had had`, `again and again and again`. */
export function isDeliberate(pair: Pair, language: Language | undefined): boolean {
  const { unit } = pair
  return unit.length === 1 ? isDeliberateWord(unit[0]!, pair, language) : isDeliberatePhrase(pair, language)
}

function isDeliberateWord(key: string, pair: Pair, language: Language | undefined): boolean {
  const { gap, isPaused, run, ahead, before, after } = pair
  // Spelled out: `h e l l o`.
  const isLetter = (other = '') => /^\p{L}$/u.test(other)
  const isSpelled = [before[0], after[0]].some(
    (other = '') => other !== key && isLetter(other) && !isStuttered(other, language),
  )
  if (isLetter(key) && (isSpelled || !isStuttered(key, language))) return true
  // `bye-bye`, but `I-I` and `the-the` are stutters.
  if (/^[-‐‑'’]$/.test(gap)) return !isStuttered(key, language) || isDoubledAnywhere(key)
  if (!language) return !isFunctionWord(key) || isDoubledAnywhere(key)
  if (isPaused) return !language.doublesAreSlips && !language.stuttered.has(key)
  const isDrawn = /[…—–]|\.{2,}/.test(gap)
  if (language.slips.some((slip) => fits(slip, key, pair))) return false
  // A third copy is a slip even of words that grammar doubles.
  if (language.doubles.some((double) => fits(double, key, pair))) return ahead === 0 && !isDrawn
  if (language.emphatic.has(key) || language.emphaticEnding.test(key)) return true
  if (language.stuttered.has(key)) return false
  // The language may be another one.
  if (isDoubledAnywhere(key) && !language.common.has(key)) return true
  return !isDrawn && (!language.doublesAreSlips || (run > 2 && gap.includes(',') && !language.common.has(key)))
}

function isStuttered(key: string, language: Language | undefined): boolean {
  return language ? language.stuttered.has(key) : isFunctionWord(key)
}

function fits({ words, ...wanted }: Double, key: string, { gap, before, after, isPunctuated }: Pair): boolean {
  if (wanted.unbroken && gap.includes(',')) return false
  if (!words.has(key) || (wanted.clauses && isPunctuated && !gap.includes(','))) return false
  const next = after[0] ?? ''
  return (
    (wanted.after?.has(before[0]!) ?? true) &&
    (wanted.before?.has(next) ?? true) &&
    (wanted.beforeEnding?.test(next) ?? true) &&
    !before.some((word) => wanted.notSince?.has(word)) &&
    (wanted.since === undefined || before.some((word) => wanted.since!.has(word)))
  )
}

const links = new Set(
  'and or by to after und oder nach für um et ou à sur y o a e su en na om por per in im'.split(' '),
)

function isDeliberatePhrase({ unit, before, after, isPaused }: Pair, language: Language | undefined): boolean {
  // `again and again and again` is deliberate.
  // `from region to region to …`, `and more and more`
  if (unit.length === 2 && links.has(unit[1]!) && !isCommonWord(unit[0]!)) return true
  if (unit.length === 2 && unit.some((key) => links.has(key)) && unit.some((key) => language?.emphatic.has(key)))
    return true
  const isChain = after[0] === unit[0] || before[0] === unit[1]
  if (unit.length === 2 && unit.some((key) => links.has(key)) && isChain) return true
  if (isPaused || !language) return false
  return language.refrains.some(
    (refrain) => refrain.length === unit.length && refrain.every((key, at) => key === unit[at]),
  )
}
