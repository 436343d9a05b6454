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
  const isBreak = (index: number) => fillers[index] ?? false
  for (let at = 0; at < words.length; ) {
    const length =
      countAside(words, at, { phrases: language.asides, language, isBreak }) ||
      countLead(words, at, { phrases: language.leads, language, isBreak }) ||
      countInterruption(words, at, language)
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
  const isClosed = (phrase: Phrase) => {
    // `Sort of, yes.` is an answer.
    if (first && phrase[1] === 'of') return false
    const end = at + phrase.length
    const { gap } = words[end - 1]!
    if (/^\s*[,;…–—]|^\s*\.{2,}|^-+\s/.test(gap)) return true
    // `You know, uh, who` may be a question.
    const isLead = () => language?.leads.some((lead) => lead.join(' ') === phrase.join(' ')) ?? false
    if (isBreak(end) && gap.trim() === '') return !first || isLead()
    // `You know?` makes a question of what comes before it, `Well.` is an answer, and `He did it, uh, well.` is no aside.
    return /^\s*\.(?!\.)/.test(gap) && !first && (phrase.length > 1 || !isBreak(at - 1))
  }
  return phrases.find((one) => isPhrase(words, at, one, language) && isClosed(one))?.length ?? 0
}

/** At the start of a sentence, before a subject with more words: `well I think`, `also ich glaube`. */
function countLead(words: readonly Word[], at: number, { phrases, language, isBreak }: AsideOptions): number {
  let start = at
  while (!words[start]!.first && isBreak(start - 1)) start--
  if (!words[start]!.first) return 0
  const isBeforeClause = ({ length }: Phrase) => {
    const [last, subject, verb] = [words[at + length - 1]!, words[at + length], words[at + length + 1]]
    if (!subject || !verb || last.gap.trim() !== '' || subject.gap.trim() !== '') return false
    const [stem, contracted] = subject.key.split("'")
    if (language!.subjects.has(stem!)) return true
    return language!.pronouns.has(stem!) && (contracted !== undefined || language!.auxiliaries.has(verb.key))
  }
  return phrases.find((one) => isPhrase(words, at, one, language) && isBeforeClause(one))?.length ?? 0
}

/** Between two words of a phrase: `the, you know first version`, `a I mean big one`. */
function countInterruption(words: readonly Word[], at: number, language: Language): number {
  const before = words[at - 1]
  if (before?.gap.trim() !== '' || !language.dangling.has(before.key)) return 0
  const isClause = (phrase: Phrase) =>
    phrase.some((key) => language.subjects.has(key) || language.pronouns.has(key)) &&
    words[at + phrase.length] !== undefined &&
    words[at + phrase.length - 1]!.gap.trim() === '' &&
    // `you know who`
    !language.openers.has(words[at + phrase.length]!.key)
  return language.asides.find((one) => isPhrase(words, at, one, language) && isClause(one))?.length ?? 0
}

function isPhrase(words: readonly Word[], at: number, phrase: Phrase, language: Language | undefined): boolean {
  return phrase.every((key, offset) => {
    const word = words[at + offset]
    const isInside = offset === phrase.length - 1 || word?.gap.trim() === ''
    return word?.key === key && isInside && !isProtectedInside(word, language)
  })
}
