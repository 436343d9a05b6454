import { shorten } from '../../contract/text/shorten.ts'
import type { Progress } from '../../contract/tool.ts'

const maxMessageCharacters = 1000

/** A bounded copy of what a tool reports; undefined if it is not valid progress. */
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
