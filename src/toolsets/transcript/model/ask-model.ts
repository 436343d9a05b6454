import type { Model } from '../../../capabilities/model.ts'
import type { ToolContext } from '../../../contract/tool.ts'
import { ToolError } from '../../../contract/tool-error.ts'
import type { RuleTurn } from '../rules/clean-turns.ts'
import type { Passage, Word } from '../words.ts'
import { type CleanedChunk, cleanByModel } from './clean-by-model.ts'
import { toChunks } from './to-chunks.ts'
import type { VerdictCounts } from './verify.ts'

export interface Helped {
  /** One per turn: the model's version, or the rules' version where the model's answer failed verification. */
  readonly passages: readonly Passage[]
  readonly counts: VerdictCounts
  readonly chunks: { readonly total: number; readonly by_model: number; readonly by_rules: number }
}

/** Sends the turns that the rules cleaned to a model, and reports progress. */
export async function askModel(
  turns: readonly RuleTurn[],
  model: Model,
  { signal, callId, progress }: Pick<ToolContext, 'signal' | 'callId' | 'progress'>,
): Promise<Helped> {
  const chunks = toChunks(turns)
  let done = 0
  const report = () => progress({ progress: done, total: chunks.length, message: 'parts cleaned' })
  const onDone = () => {
    done++
    report()
  }
  const languageOf = (turn: number) => turns[turn]!.language
  report()
  const cleaned = await cleanByModel(chunks, { model, signal, mark: callId, languageOf, onDone }).catch(
    rethrowWithAdvice,
  )
  const parts = turns.map((): Passage[] => [])
  for (const [index, { pieces }] of chunks.entries()) {
    for (const [place, { turn, passage }] of pieces.entries())
      parts[turn]!.push(withEndOf(passage, cleaned[index]!.passages?.[place] ?? passage))
  }
  const byModel = cleaned.filter(({ passages }) => passages).length
  return {
    passages: turns.map(({ passage }, index) => (parts[index]!.length > 0 ? join(parts[index]!) : passage)),
    counts: { fillers: sum(cleaned, 'fillers'), repeats: sum(cleaned, 'repeats'), restored: sum(cleaned, 'restored') },
    chunks: { total: chunks.length, by_model: byModel, by_rules: chunks.length - byModel },
  }
}

/** Adds to the suggestion how to clean without a model. */
export function rethrowWithAdvice(cause: unknown): never {
  if (!(cause instanceof ToolError)) throw cause
  const advice =
    'Or clean by rules alone: --set transcript-clean.rulesOnly=true, or transcript-clean.rulesOnly in the config.'
  throw new ToolError(cause.code, cause.message, {
    suggestion: `${cause.suggestion} ${advice}`,
    ...(cause.retryAfterMs !== undefined && { retryAfterMs: cause.retryAfterMs }),
  })
}

/** Restores the trailing space of a piece, which is trimmed from the line that the model gets. */
function withEndOf(said: Passage, cleaned: Passage): Passage {
  const isOpen = /\s$/.test(said.words.at(-1)!.gap)
  const last = cleaned.words.at(-1)
  if (!isOpen || !last || /\s$/.test(last.gap)) return cleaned
  return { ...cleaned, words: [...cleaned.words.slice(0, -1), { ...last, gap: `${last.gap} ` }] }
}

function join(parts: readonly Passage[]): Passage {
  const words: Word[] = []
  for (const { lead, words: more } of parts) {
    const last = words.at(-1)
    if (last && lead !== '') words[words.length - 1] = { ...last, gap: last.gap + lead }
    words.push(...more)
  }
  return { lead: parts[0]!.lead, words }
}

function sum(cleaned: readonly CleanedChunk[], part: keyof VerdictCounts): number {
  return cleaned.reduce((total, { counts }) => total + counts[part], 0)
}
