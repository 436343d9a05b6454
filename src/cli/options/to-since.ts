import { readTime } from '../../contract/text/read-time.ts'
import { UsageError } from './command.ts'

/** Parses a past time: `10m`, `2h` or `3d` ago, or an ISO date. */
export function toSince(text: string, now: Date): Date {
  const date = readTime(text, 'before', now)
  if (date === undefined)
    throw new UsageError(`--since cannot be '${text}'.`, 'Use 10m, 2h, 3d, or a date such as 2026-01-31T09:00.')
  return date
}
