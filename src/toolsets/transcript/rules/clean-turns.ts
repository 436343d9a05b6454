import type { Turn } from '../read/to-turns.ts'
import { type Passage, toCapital, toPassage, toText, type Word } from '../words.ts'
import { findAsides } from './find-asides.ts'
import { findCutOffs } from './find-cut-offs.ts'
import { findFillers } from './find-fillers.ts'
import { findRepeats } from './find-repeats.ts'
import { findRestarts } from './find-restarts.ts'
import { endsSentence } from './gaps.ts'
import type { Language } from './language.ts'
import { decideLanguages, type Spoken } from './languages.ts'

/** One pass can bring words together that the next removes. */
const maxPasses = 4

/** A turn after cleaning by rules. */
export interface RuleTurn {
  readonly label?: string
  readonly apart: boolean
  readonly passage: Passage
  readonly language: Language | undefined
}

/** Cleans turns by rules. Keeps a labelled turn that is all fillers, so that no speaker disappears. */
export function cleanTurns(turns: readonly Turn[]): { turns: RuleTurn[]; words: number; dropped: Dropped } {
  const spoken = turns.map(({ text, ...turn }) => ({ ...turn, passage: toPassage(text) }))
  const words = spoken.reduce((sum, { passage }) => sum + passage.words.length, 0)
  const languages = decideLanguages(spoken.map(({ passage }) => passage.words))
  const dropped = { fillers: 0, repeats: 0, cutOffs: 0 }
  const cleaned: RuleTurn[] = []
  for (const [index, turn] of spoken.entries()) {
    const heard = languages[index]!
    const { language } = heard
    const { passage, dropped: here } = cleanByRules(turn.passage, heard)
    const isLeft = passage.words.length > 0
    if (!isLeft && turn.label !== undefined) {
      cleaned.push({ ...turn, language })
      continue
    }
    dropped.fillers += here.fillers
    dropped.repeats += here.repeats
    dropped.cutOffs += here.cutOffs
    if (isLeft || turn.passage.words.length === 0) cleaned.push({ ...turn, passage, language })
  }
  return { turns: cleaned, words, dropped }
}

/** Number of dropped words by reason. */
interface Dropped {
  readonly fillers: number
  readonly repeats: number
  readonly cutOffs: number
}

interface Cleaned {
  readonly passage: Passage
  readonly dropped: Dropped
}

/** Drops fillers, asides, cut-off words, restarts and immediate repeats. */
function cleanByRules(passage: Passage, spoken: Spoken): Cleaned {
  const total = { fillers: 0, repeats: 0, cutOffs: 0 }
  let cleaned = passage
  for (let pass = 0; pass < maxPasses; pass++) {
    const { passage: next, dropped } = cleanOnce(cleaned, spoken)
    if (dropped.fillers + dropped.repeats + dropped.cutOffs === 0) break
    cleaned = next
    total.fillers += dropped.fillers
    total.repeats += dropped.repeats
    total.cutOffs += dropped.cutOffs
  }
  return { passage: cleaned, dropped: total }
}

function cleanOnce(passage: Passage, spoken: Spoken): Cleaned {
  const { language } = spoken
  const words = isAllCapitals(passage.words)
    ? passage.words.map((word) => ({ ...word, text: word.key }))
    : passage.words
  const sounds = findFillers(words, spoken)
  const asides = findAsides(words, sounds, language)
  const fillers = either(sounds, asides)
  const cutOffs = findCutOffs(words, fillers, language)
  const noise = either(fillers, cutOffs)
  const again = findRepeats(words, noise, language)
  const restarted = findRestarts(words, either(noise, again), language)
  // An aside can announce a correction, or stand between two beginnings.
  const restarts = asides.includes(true)
    ? either(findRestarts(words, either(either(sounds, cutOffs), again), language), restarted)
    : restarted
  const repeats = either(again, restarts)
  const cleaned = withoutWords(
    passage,
    (_, index) => noise[index]! || repeats[index]!,
    (_, index) => again[index]!,
  )
  return {
    passage: cleaned,
    dropped: { fillers: count(fillers), repeats: count(repeats), cutOffs: count(cutOffs) },
  }
}

/** In captions in capitals, a capital makes no name. */
function isAllCapitals(words: readonly Word[]): boolean {
  return (
    words.length > 3 &&
    words.every(({ text }) => !/\p{Ll}/u.test(text)) &&
    words.some(({ text }) => /\p{Lu}{2}/u.test(text))
  )
}

function either(one: readonly boolean[], other: readonly boolean[]): boolean[] {
  return one.map((mark, index) => mark || other[index]!)
}

function count(marks: readonly boolean[]): number {
  return marks.filter((mark) => mark).length
}

type Test = (word: Word, index: number) => boolean

/** Removes words from a passage and repairs the punctuation around them. */
function withoutWords({ lead, words }: Passage, isOut: Test, isAgain: Test): Passage {
  let opening = lead
  let capital = false
  const kept: { text: string; gap: string }[] = []
  for (const [index, word] of words.entries()) {
    if (!isOut(word, index)) {
      kept.push({ text: capital ? toCapital(word.text) : word.text, gap: word.gap })
      capital = false
      continue
    }
    capital ||= word.first && /^\p{Lu}/u.test(word.text)
    const last = kept.at(-1)
    if (last) last.gap = joinGaps(last.gap, word.gap, isAgain(word, index))
    else opening = `${opening}${word.gap.replace(/^[\s,.;…!?。！？，、；–—-]+/, '')}`
  }
  // Parse again: other words may begin a sentence now.
  return toPassage(toText({ lead: opening, words: kept as Word[] }))
}

/** Merges the gaps around a removed word. Keeps quotes, brackets and other signs. */
function joinGaps(before: string, after: string, isAgain: boolean): string {
  if (/[^\s,;.!?…。！？，、；–—-]/.test(before + after)) return `${before}${after}`.replace(/\s+/g, ' ')
  if (isAgain) return after
  if (endsSentence(before)) return before
  if (endsSentence(after)) return after
  // The word was set off by a pair of commas.
  const isSetOff = before.trim() !== '' && after.trim() !== ''
  if (!isSetOff && before.trim() !== '') return before
  return before === '' && after === '' ? '' : ' '
}
