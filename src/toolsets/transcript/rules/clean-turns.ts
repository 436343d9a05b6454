import type { Turn } from '../read/to-turns.ts'
import { type Passage, toPassage, toText, type Word } from '../words.ts'
import { findFillers } from './find-fillers.ts'
import { findRepeats } from './find-repeats.ts'
import { isProtectedInside } from './is-protected.ts'
import type { Language } from './language.ts'
import { decideLanguage } from './languages.ts'

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
  const words = spoken.flatMap(({ passage }) => passage.words)
  const overall = decideLanguage(words)
  const dropped = { fillers: 0, repeats: 0, cutOffs: 0 }
  const cleaned: RuleTurn[] = []
  for (const turn of spoken) {
    const language = decideLanguage(turn.passage.words) ?? overall
    const { passage, dropped: here } = cleanByRules(turn.passage, language)
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
  return { turns: cleaned, words: words.length, dropped }
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

/** Drops fillers, cut-off words and immediate repeats. */
function cleanByRules(passage: Passage, language: Language | undefined): Cleaned {
  const { words } = passage
  const fillers = findFillers(words, language)
  const cutOffs = findCutOffs(words)
  const noise = words.map((_, index) => fillers[index]! || cutOffs[index]!)
  const repeats = findRepeats(words, noise, language)
  const cleaned = withoutWords(
    passage,
    (_, index) => noise[index]! || repeats[index]!,
    (_, index) => repeats[index]!,
  )
  return {
    passage: cleaned,
    dropped: { fillers: count(fillers), repeats: count(repeats), cutOffs: count(cutOffs) },
  }
}

function count(marks: readonly boolean[]): number {
  return marks.filter((mark) => mark).length
}

/** Marks words that were cut off and restarted: `th- the`. */
function findCutOffs(words: readonly Word[]): boolean[] {
  return words.map((word, index) => {
    const next = words[index + 1]
    if (!next || !/^[-–—]+\s/.test(word.gap) || isProtectedInside(word)) return false
    return next.key.length > word.key.length && next.key.startsWith(word.key) && !/['’]/.test(word.key)
  })
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
  const ends = /[.!?…。！？]/
  if (ends.test(before)) return before
  if (ends.test(after)) return after
  // The word was set off by a pair of commas.
  const isSetOff = before.trim() !== '' && after.trim() !== ''
  if (!isSetOff && before.trim() !== '') return before
  return before === '' && after === '' ? '' : ' '
}

function toCapital(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}
