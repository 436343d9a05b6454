import type { Model } from '../../capabilities/model.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import type { ToolContext } from '../../contract/tool.ts'
import { type RuleCleaned, run } from './clean-by-rules.ts'
import { askModel } from './model/ask-model.ts'
import type { Turn } from './read/to-turns.ts'
import { languages } from './rules/languages.ts'
import { toPassage, toText } from './words.ts'

/** Cleaning more than this, in UTF-16 units, by rules takes so long that other callers would notice. */
const maxInline = 65_536

type Context = Pick<ToolContext, 'signal' | 'callId' | 'caller' | 'progress' | 'note'>

/** Cleans a transcript as `run` of `clean-by-rules.ts` does, in a thread. */
export interface LargeTranscripts {
  run(text: string, options: { signal: AbortSignal; caller: string }): Promise<RuleCleaned>
}

interface Cleaners {
  readonly model?: Model | undefined
  readonly largeTranscripts: LargeTranscripts
}

/** Removes fillers, repeats and non-speech: by rules, then by the model if one is configured. Notes what it dropped. */
export async function cleanTranscript(
  text: string,
  { model, largeTranscripts }: Cleaners,
  context: Context,
): Promise<string> {
  const { signal, caller } = context
  const cleaned =
    text.length > maxInline ? await largeTranscripts.run(text, { signal, caller: caller.name }) : run(text)
  const { format, turns, words, dropped } = cleaned
  const helped = model ? await askModel(turns.map(toRuleTurn), model, context) : undefined
  context.note({
    invented: 0,
    format,
    model: model?.name ?? null,
    words: {
      said: words.said,
      kept: helped?.passages.reduce((sum, passage) => sum + passage.words.length, 0) ?? words.kept,
    },
    dropped: {
      fillers: dropped.fillers + (helped?.counts.fillers ?? 0),
      repeats: dropped.repeats + (helped?.counts.repeats ?? 0),
      cut_offs: dropped.cutOffs,
      sounds: dropped.sounds,
      caption_words: dropped.captionWords,
    },
    ...(helped && { restored: helped.counts.restored, chunks: helped.chunks }),
  })
  const texts = helped?.passages.map(toText)
  // The transcript held only sounds: return its visible text unchanged.
  return renderTurns(turns.map((turn, index) => ({ ...turn, text: texts?.[index] ?? turn.text }))) || toVisible(text)
}

function toRuleTurn({ text, language, ...turn }: RuleCleaned['turns'][number]) {
  return { ...turn, passage: toPassage(text), language: languages.find(({ name }) => name === language) }
}

function toVisible(text: string): string {
  const visible = stripHidden(text, 'prose')
  return visible.trim() || visible || ' '
}

/** One line per turn, with the blank lines of the source. */
export function renderTurns(turns: readonly Turn[]): string {
  let rendered = ''
  for (const { label, text, apart } of turns) {
    const line = [label, text.trim()].filter(Boolean).join(' ')
    if (line === '') continue
    rendered += `${rendered === '' ? '' : apart ? '\n\n' : '\n'}${line}`
  }
  return rendered
}
