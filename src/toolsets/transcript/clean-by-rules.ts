import { readTranscript } from './read/read-transcript.ts'
import type { Turn } from './read/to-turns.ts'
import { cleanTurns } from './rules/clean-turns.ts'
import { toText } from './words.ts'

/** A turn without its fillers and repeats. */
interface CleanTurn extends Turn {
  /** The name of its language, if it is known. */
  readonly language?: string
}

/** A transcript that the rules have cleaned. Plain data, so that it can come from another thread. */
export interface RuleCleaned {
  readonly format: string
  readonly turns: readonly CleanTurn[]
  readonly words: { readonly said: number; readonly kept: number }
  readonly dropped: {
    readonly fillers: number
    readonly repeats: number
    readonly cutOffs: number
    readonly sounds: number
    readonly captionWords: number
  }
}

/** Reads a transcript and cleans it by rules. Threads call it by this name. */
export function run(text: string): RuleCleaned {
  const { format, turns: read, dropped: unread } = readTranscript(text)
  const { turns, words, dropped } = cleanTurns(read)
  return {
    format,
    turns: turns.map(({ passage, language, ...turn }) => ({
      ...turn,
      text: toText(passage),
      ...(language && { language: language.name }),
    })),
    words: { said: words, kept: turns.reduce((sum, { passage }) => sum + passage.words.length, 0) },
    dropped: { ...dropped, sounds: unread.sounds, captionWords: unread.captionWords },
  }
}
