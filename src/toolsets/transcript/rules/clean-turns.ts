import type { Turn } from '../read/to-turns.ts'
import { type Passage, toPassage } from '../words.ts'
import { cleanByRules, type Dropped } from './clean-by-rules.ts'
import type { Language } from './language.ts'
import { decideLanguage } from './languages.ts'

/** A turn as the rules leave it. */
export interface RuleTurn {
  readonly label?: string
  readonly apart: boolean
  readonly passage: Passage
  readonly language: Language | undefined
}

/** Cleans turns by rules. A turn of a speaker who says nothing but fillers stays, so that all speakers are there. */
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
