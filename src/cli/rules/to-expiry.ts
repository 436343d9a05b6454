import { UsageError } from '../options/command.ts'

const unitMs: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads a point in time to come: in so long (`30m`, `2h`, `7d`), or an ISO date, with or without a time. */
export function toExpiry(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
  // A date alone would mean midnight in Greenwich; a person means their own.
  const written = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
  const date = count === undefined ? written : new Date(now.getTime() + Number(count) * unitMs[unit!]!)
  if ((count === undefined && !iso) || Number.isNaN(date.getTime()))
    throw new UsageError(`--expires cannot be '${text}'.`, 'Use 30m, 2h, 7d, or a date such as 2026-12-31T18:00.')
  if (date <= now) throw new UsageError(`--expires ${text} is not in the future.`, 'Choose a later time.')
  return date
}
