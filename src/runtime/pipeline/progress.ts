import { shorten } from '../../contract/text/shorten.ts'
import type { Progress } from '../../contract/tool.ts'

const maxMessageCharacters = 1000

/** What a tool reports, copied and bounded; undefined where it is not a progress at all. */
export function toProgress(update: unknown): Progress | undefined {
  if (typeof update !== 'object' || update === null) return undefined
  const { progress, total, message } = update as Record<string, unknown>
  if (!Number.isFinite(progress)) return undefined
  return {
    progress: progress as number,
    ...(Number.isFinite(total) && { total: total as number }),
    ...(typeof message === 'string' && { message: shorten(message, maxMessageCharacters) }),
  }
}
