import type { Model } from '../../capabilities/model.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import type { ToolContext } from '../../contract/tool.ts'
import { askModel } from './model/ask-model.ts'
import { readTranscript } from './read/read-transcript.ts'
import type { Turn } from './read/to-turns.ts'
import { cleanTurns } from './rules/clean-turns.ts'
import { type Passage, toText } from './words.ts'

type Context = Pick<ToolContext, 'signal' | 'callId' | 'progress' | 'note'>

/** The text without fillers, repeats and what is not speech: by rules, and by the model if there is one. Notes what it dropped. */
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
  // Where nothing is left, nothing but sounds was there: it stays as it came, as far as it can be seen.
  return renderTurns(cleaned.turns, passages) || toVisible(text)
}

function toVisible(text: string): string {
  const visible = stripHidden(text, 'prose')
  return visible.trim() || visible || ' '
}

/** Turns as text again: a line for each, and a blank line where one was. */
export function renderTurns(turns: readonly Omit<Turn, 'text'>[], passages: readonly Passage[]): string {
  let text = ''
  for (const [index, { label, apart }] of turns.entries()) {
    const line = [label, toText(passages[index]!).trim()].filter(Boolean).join(' ')
    if (line === '') continue
    text += `${text === '' ? '' : apart ? '\n\n' : '\n'}${line}`
  }
  return text
}
