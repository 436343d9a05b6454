import type { Word } from '../words.ts'
import { endsSentence, isPause } from './gaps.ts'
import { isNumber, isProtectedInside } from './is-protected.ts'
import type { Language, Phrase } from './language.ts'
import { isArticleWord } from './languages.ts'

export interface Said extends Word {
  /** A filler or a cut-off word comes before it. */
  readonly isPaused: boolean
}

/** Words of a clause that is given up. */
const maxClause = 4
/** Words that are said again before something else: `show me the show me my`. */
const maxAgain = 4
/** In these, a pronoun and an auxiliary may come twice: `if I could I would`. */
const clauses = new Set(
  'if when what whatever as than where who how unless though although all everything anything because since that whether wherever whenever wenn was wie als ob weil dass quand si ce que comme'.split(
    ' ',
  ),
)

/** How many words from `at` are said anew, differently: `in the in a box` → 2. */
export function countAbandoned(said: readonly Said[], at: number, language: Language): number {
  for (const count of rules) {
    const length = count(said, at, language)
    if (length > 0) return isLost(said, at, { length, language }) || isAside(said, at + length, language) ? 0 : length
  }
  return 0
}

const rules = [
  countReplaced,
  countElided,
  countPhrase,
  countRestated,
  countInverted,
  countOpening,
  countDangling,
] as const

/** `I want to, I mean, to leave` is no restart with `I`. */
function isAside(said: readonly Said[], at: number, { asides, edits }: Language): boolean {
  return [...asides, ...edits].some((phrase) => phrase.length > 1 && isPhraseAt(said, at, phrase))
}

export function isPhraseAt(said: readonly Word[], at: number, phrase: Phrase): boolean {
  return phrase.every((key, offset) => said[at + offset]?.key === key)
}

/** Whether dropping these words would lose a number, name or negation, or part of another sentence. */
function isLost(
  said: readonly Said[],
  at: number,
  { length, language }: { length: number; language: Language },
): boolean {
  return said.slice(at, at + length).some((word, offset) => {
    if (endsSentence(word.gap) || !isPause(word.gap)) return true
    if (!isProtectedInside(word, language)) return false
    const beside = [said[at + offset - 1], said[at + offset + 1], said[at + offset + 2]]
    const isCounted = beside.some((other) => other && isNumber(other, language) && !isArticleWord(other.key, language))
    return isCounted || !isArticleWord(word.key, language) || word.text !== word.key
  })
}

/** `a an`, `the my`, `he she`: two words of which a sentence has one. */
function countReplaced(said: readonly Said[], at: number, language: Language): number {
  const [one, two] = [said[at]!, said[at + 1]]
  // The last of a list: `he, she, it`.
  if (!two || one.key === two.key || two.text !== two.key || !two.gap.startsWith(' ')) return 0
  return isSwap(said, at, { one, two, language }) && !isJoined(said[at - 1]) ? 1 : 0
}

interface Pair {
  readonly one: Word
  readonly two: Word
  readonly language: Language
}

/** Whether the second of two words replaces the first. The clause was begun at `at`. */
function isSwap(said: readonly Said[], at: number, { one, two, language }: Pair): boolean {
  return language.swaps.some(({ words, by, notAfter, notSince, unbroken }) => {
    if (!words.has(one.key) || !by.has(two.key) || (unbroken && one.gap.trim() !== '')) return false
    const before = toKeysBefore(said, at, 5)
    return !notAfter?.has(before[0] ?? '') && !before.some((key) => notSince?.has(key))
  })
}

/** `je j'ai`, `I I'm`, `I'm I`, `what's what is`, `c'est c'était` */
function countElided(said: readonly Said[], at: number, language: Language): number {
  const { elisions, subjects, auxiliaries } = language
  const [one, two, three] = [said[at]!.key, said[at + 1]?.key, said[at + 2]?.key]
  if (two === undefined || isJoined(said[at - 1])) return 0
  if (isShortened(one, two, language)) return 1
  const stem = toStem(one)
  if (stem === undefined || !isClauseStart(stem, language)) return 0
  if (stem === two && elisions.has(two) && subjects.has(two)) return 1
  if (stem === two && three !== undefined && auxiliaries.has(three)) return 1
  return stem === toStem(two) && one !== two && !isInClause(said, at) ? 1 : 0
}

/** `in the in a` */
function countPhrase(said: readonly Said[], at: number, { prepositions, determiners }: Language): number {
  const [one, two, three] = [said[at]!, said[at + 1], said[at + 2]]
  if (!two || !three || one.key !== three.key) return 0
  const isPhrase = prepositions.has(one.key) && determiners.has(two.key)
  return isPhrase && three.text === three.key && three.gap.startsWith(' ') ? 2 : 0
}

/** Words that are said again, with another end: `I was I am`, `if I if I'm`, `show me the show me my`. */
function countRestated(said: readonly Said[], at: number, language: Language): number {
  const { auxiliaries } = language
  const first = said[at]!.key
  for (let again = 1; again <= maxAgain; again++) {
    const start = at + again + 1
    if (said[start]?.key !== first) continue
    for (let offset = 1; offset < again; offset++) if (said[at + offset]!.key !== said[start + offset]?.key) return 0
    const [one, two] = [said[at + again]!, said[start + again]]
    if (one.key === two?.key || one.key === first || endsSentence(said[start + again - 1]!.gap)) return 0
    if (again > 1 && isUnfinished(said, at, { last: one.key, language })) return again + 1
    if (two && isShortened(one.key, two.key, language)) return again + 1
    if (two && toStem(two.key) === one.key && isClauseStart(one.key, language)) return again + 1
    if (two && isSwap(said, at, { one, two, language })) return again + 1
    const isVerb = auxiliaries.has(one.key) && (again === 1 || !isSubject(said[at + again - 1]!.key, language))
    if (!isVerb || !isSubject(first, language) || isInClause(said, at)) return 0
    // `I was, uh, I went`
    const isBroken = said[start]!.isPaused || /[…—–]|\.{2,}/.test(one.gap)
    return isBroken || (two && auxiliaries.has(two.key)) ? again + 1 : 0
  }
  return said[at + 1] && isContractedLater(said, at, language) ? 2 : 0
}

/** Whether the words from `at` to a last one that ends no clause begin one: `show me the`, but not `old man, the`. */
function isUnfinished(
  said: readonly Said[],
  at: number,
  { last, language }: { last: string; language: Language },
): boolean {
  const { dangling, determiners, prepositions, articles, stuttered, subjects, auxiliaries } = language
  const before = said[at - 1]?.key ?? ''
  if ([determiners, dangling, prepositions, articles].some((words) => words.has(before)) || isInClause(said, at))
    return false
  const first = said[at]!.key
  if (isSubject(first, language)) return dangling.has(last) || (subjects.has(last) && last !== before)
  return dangling.has(last) && (!stuttered.has(first) || auxiliaries.has(first))
}

/** `it is it's`, `where is where's` */
function isContractedLater(said: readonly Said[], at: number, language: Language): boolean {
  const [one, two, three] = [said[at]!.key, said[at + 1]!.key, said[at + 2]?.key]
  if (three === undefined || !isClauseStart(one, language)) return false
  return language.auxiliaries.has(two) && toStem(three) === one && !isInClause(said, at)
}

/** `can you could you` */
function countInverted(said: readonly Said[], at: number, language: Language): number {
  const [one, two, three, four] = [said[at]!.key, said[at + 1]?.key, said[at + 2]?.key, said[at + 3]?.key]
  if (two === undefined || three === undefined || two !== four || one === three) return 0
  const { auxiliaries } = language
  const isTwice = auxiliaries.has(one) && auxiliaries.has(three) && isSubject(two, language)
  return isTwice && !isSubject(said[at - 1]?.key ?? '', language) ? 2 : 0
}

/** `if you if we`, `because the because my`, `how do I how can I`: the clause has no verb yet. */
function countOpening(said: readonly Said[], at: number, language: Language): number {
  const { openers, determiners, bareAuxiliaries } = language
  const first = said[at]!.key
  if (!openers.has(first)) return 0
  const length = bareAuxiliaries.has(said[at + 1]?.key ?? '') ? 3 : 2
  if (said[at + length]?.key !== first) return 0
  const last = said[at + length - 1]!.key
  return isSubject(last, language) || (length === 2 && determiners.has(last)) ? length : 0
}

/** `I want to I need`: a clause that ends with a word that cannot end one, before the same subject. */
function countDangling(said: readonly Said[], at: number, language: Language): number {
  const { key, first } = said[at]!
  const isStart = first || at === 0 || language.stuttered.has(said[at - 1]!.key)
  if (!isStart || !(language.subjects.has(key) || isSubject(toStem(key) ?? '', language))) return 0
  if (isInClause(said, at)) return 0
  for (let end = at + 2; end <= at + maxClause && end < said.length; end++) {
    if (said[end]!.key === key) return language.dangling.has(said[end - 1]!.key) ? end - at : 0
  }
  return 0
}

function isInClause(said: readonly Said[], at: number): boolean {
  return toKeysBefore(said, at, 4).some((key) => clauses.has(key))
}

/** The words before, nearest first. */
function toKeysBefore(said: readonly Said[], at: number, length: number): string[] {
  return said
    .slice(Math.max(0, at - length), at)
    .map(({ key }) => key)
    .reverse()
}

function isSubject(key: string, { subjects, pronouns }: Language): boolean {
  return subjects.has(key) || pronouns.has(key)
}

function isClauseStart(key: string, language: Language): boolean {
  return isSubject(key, language) || language.openers.has(key)
}

/** `dit-il` and `he/she` are no slips. */
function isJoined(before: Word | undefined): boolean {
  return before !== undefined && /^[-‐‑/]$/.test(before.gap)
}

/** `je` and `j'ai` */
function isShortened(one: string, two: string, { elisions }: Language): boolean {
  const short = elisions.get(one)
  return short !== undefined && two.startsWith(short)
}

/** What comes before the apostrophe of `what's` and `c'est`. */
function toStem(key: string): string | undefined {
  const end = key.indexOf("'")
  return end > 0 ? key.slice(0, end) : undefined
}
