import type { Model } from '../../capabilities/model.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import type { ToolContext } from '../../contract/tool.ts'
import { askModel } from './model/ask-model.ts'
import { readTranscript } from './read/read-transcript.ts'
import type { Turn } from './read/to-turns.ts'
import { cleanTurns } from './rules/clean-turns.ts'
import { type Passage, toText } from './words.ts'

type Context = Pick<ToolContext, 'signal' | 'callId' | 'progress' | 'note'>

/** Removes fillers, repeats and non-speech: by rules, then by the model if one is configured. Notes what it dropped. */
export async function cleanTranscript(text: string, model: Model | undefined, context: Context): Promise<string> {
  const { format, turns, dropped } = readTranscript(text)
  const cleaned = cleanTurns(turns)
  const helped = model ? await askModel(cleaned.turns, model, context) : undefined
  const passages = helped?.passages ?? cleaned.turns.map(({ passage }) => passage)
  context.note({
    invented: 0,
    format,
    model: model?.name ?? null,
    words: { said: cleaned.words, kept: passages.reduce((sum, { words }) => sum + words.length, 0) },
    dropped: {
      fillers: cleaned.dropped.fillers + (helped?.counts.fillers ?? 0),
      repeats: cleaned.dropped.repeats + (helped?.counts.repeats ?? 0),
      cut_offs: cleaned.dropped.cutOffs,
      sounds: dropped.sounds,
      caption_words: dropped.captionWords,
    },
    ...(helped && { restored: helped.counts.restored, chunks: helped.chunks }),
  })
  // The transcript held only sounds: return its visible text unchanged.
  return renderTurns(cleaned.turns, passages) || toVisible(text)
}

function toVisible(text: string): string {
  const visible = stripHidden(text, 'prose')
  return visible.trim() || visible || ' '
}

/** One line per turn, with the blank lines of the source. */
export function renderTurns(turns: readonly Omit<Turn, 'text'>[], passages: readonly Passage[]): string {
  let text = ''
  for (const [index, { label, apart }] of turns.entries()) {
    const line = [label, toText(passages[index]!).trim()].filter(Boolean).join(' ')
    if (line === '') continue
    text += `${text === '' ? '' : apart ? '\n\n' : '\n'}${line}`
  }
  return text
}
