import { readTime } from '../../contract/text/read-time.ts'
import { UsageError } from '../options/command.ts'

/** Parses a future time: in `30m`, `2h` or `7d`, or an ISO date. */
export function toExpiry(text: string, now: Date): Date {
  const date = readTime(text, 'after', now)
  if (date === undefined)
    throw new UsageError(`--expires cannot be '${text}'.`, 'Use 30m, 2h, 7d, or a date such as 2026-12-31T18:00.')
  if (date <= now) throw new UsageError(`--expires ${text} is not in the future.`, 'Choose a later time.')
  return date
}
