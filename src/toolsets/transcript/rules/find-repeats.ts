import type { Word } from '../words.ts'
import { isPause } from './gaps.ts'
import { isDeliberate, type Pair } from './is-deliberate.ts'
import { isNameAtStart, isNameInside, isNumber, isProtectedInside } from './is-protected.ts'
import type { Language } from './language.ts'
import { isArticleWord } from './languages.ts'

/** Words in a repeated group. */
const maxUnit = 8

/**
 * Marks immediate repeats, except the first occurrence: words (`the the`) and groups of words (`I think I think`) that are
 * not doubled on purpose. Ignores words marked in `without`.
 */
export function findRepeats(
  words: readonly Word[],
  without: readonly boolean[],
  language: Language | undefined,
): boolean[] {
  const marked = words.map(() => false)
  const said = toTraits(words, without, language)
  const isPunctuated =
    words.slice(0, -1).some(({ gap }) => /[,.!?;:]/.test(gap)) || /[.!?]/.test(words.at(-1)?.gap ?? '')
  /** Indexes of `said` that stay. Each word is compared with the words before it, so that repeats can nest: `I I was I was`. */
  const kept: number[] = []
  for (let at = 0; at < said.length; at++) {
    kept.push(at)
    for (let length = 1; length <= maxUnit && length * 2 <= kept.length; length++) {
      // A run of one word is judged as a word.
      if (length > 1 && said[at]!.run >= length * 2) break
      if (!isSame(said, kept, length)) continue
      if (isMeant({ said, kept, length, language, isPunctuated })) continue
      for (const index of kept.splice(-length)) marked[said[index]!.place] = true
      break
    }
  }
  return marked
}

interface Traits {
  readonly place: number
  readonly word: Word
  readonly stays: boolean
  readonly isNameLike: boolean
  /** A filler or a cut-off word comes before it. */
  readonly isPaused: boolean
  /** How often it is said in a row. */
  readonly run: number
  /** How many of these follow. */
  readonly ahead: number
}

function toTraits(words: readonly Word[], without: readonly boolean[], language: Language | undefined): Traits[] {
  const places = words.flatMap((_, index) => (without[index] ? [] : [index]))
  const said = places.map((place) => words[place]!)
  const runs = countRuns(said)
  const nouns = findNouns(said, language)
  return said.map((word, at) => ({
    place: places[at]!,
    word,
    stays: nouns[at] ? false : isProtectedInside(word, language) && !isArticle(said, at, { ...runs[at]!, language }),
    isNameLike: isNameAtStart(word),
    isPaused: at > 0 && places[at]! > places[at - 1]! + 1,
    run: runs[at]!.total,
    ahead: runs[at]!.ahead,
  }))
}

function countRuns(said: readonly Word[]): { total: number; ahead: number }[] {
  const runs: { total: number; ahead: number }[] = []
  for (let start = 0; start < said.length; ) {
    let end = start + 1
    while (end < said.length && said[end]!.key === said[start]!.key) end++
    for (let at = start; at < end; at++) runs.push({ total: end - start, ahead: end - at - 1 })
    start = end
  }
  return runs
}

/** German nouns have a capital without being names: those that come after a determiner somewhere in the text. */
function findNouns(said: readonly Word[], language: Language | undefined): boolean[] {
  if (!language?.capitalNouns) return []
  const isNoun = (word: Word) => /^\p{Lu}\p{Ll}+$/u.test(word.text) && !isNumber(word, language) && isNameInside(word)
  const nouns = new Set<string>()
  for (const [at, word] of said.entries()) {
    const before = said[at - 1]
    if (before && isNoun(word) && (language.determiners.has(before.key) || isNumber(before, language)))
      nouns.add(word.key)
  }
  return said.map((word) => nouns.has(word.key) && isNoun(word))
}

/** `ein ein Haus`, but not `ein ein zwei`. */
function isArticle(said: readonly Word[], at: number, { total, ahead, language }: Run): boolean {
  const { key, text, first } = said[at]!
  if (!isArticleWord(key, language) || !(text === key || first)) return false
  const isCounted = (word: Word | undefined) => word !== undefined && isNumber(word, language)
  const end = at + ahead + 1
  return !isCounted(said[end - total - 1]) && !isCounted(said[end])
}

interface Run {
  readonly total: number
  readonly ahead: number
  readonly language: Language | undefined
}

/** Whether the last words that stay are the same as those before them. */
function isSame(said: readonly Traits[], kept: readonly number[], length: number): boolean {
  const end = kept.length
  for (let offset = 1; offset <= length; offset++) {
    const other = said[kept[end - offset]!]!
    const one = said[kept[end - offset - length]!]!
    if (one.word.key !== other.word.key || one.stays || other.stays) return false
    // In `Maybe maybe` the second is lower case, so it is not a name.
    if (one.isNameLike && other.isNameLike) return false
  }
  return true
}

interface Repeat {
  readonly said: readonly Traits[]
  readonly kept: readonly number[]
  readonly length: number
  readonly language: Language | undefined
  readonly isPunctuated: boolean
}

function isMeant({ said, kept, length, language, isPunctuated }: Repeat): boolean {
  const start = kept.length - length * 2
  const pair = kept.slice(start).map((index) => said[index]!)
  const unit = pair.slice(0, length).map(({ word }) => word)
  // In scripts without spaces, doubled characters are normal.
  if (unit.some(({ key, gap }) => gap === '' && [...key].length === 1)) return true
  const gaps = pair.map(({ word }) => word.gap)
  // Signs are no slip, nor is a repeated whole sentence: `a => a`, `We won. We won.`
  if (gaps.slice(0, -1).some((gap) => !isPause(gap))) return true
  // `face-to-face to`, `put it on your to-do list`; but `w-w-we` is a stutter.
  const isJoined = (at: number) => /^[-‐‑/]$/.test(gaps[at]!)
  if (isJoined(length * 2 - 1) || (length > 1 && isJoined(length - 1))) return true
  const last = pair.at(-1)!
  const at = kept.at(-1)!
  const before = Array.from({ length: 5 }, (_, back) => said[kept[start - 1 - back] ?? -1]?.word.key)
  return isDeliberate(
    {
      unit: unit.map(({ key }) => key),
      isPaused: pair[length]!.isPaused,
      gap: unit.at(-1)!.gap,
      run: last.run,
      ahead: last.ahead,
      before: pair[0]!.word.first ? ['^'] : before.map((key) => key ?? '^'),
      after: [1, 2, 3].map((more) => said[at + more]?.word.key),
      isPunctuated,
    } satisfies Pair,
    language,
  )
}
