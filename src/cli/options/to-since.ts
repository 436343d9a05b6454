import { UsageError } from './command.ts'

const unitMs: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads a point in time: so long ago (`10m`, `2h`, `3d`), or an ISO date, with or without a time. */
export function toSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return new Date(now.getTime() - Number(count) * unitMs[unit!]!)
  const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
  // A date alone would mean midnight in Greenwich; a person means their own.
  const date = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text)
  if (!iso || Number.isNaN(date.getTime()))
    throw new UsageError(`--since cannot be '${text}'.`, 'Use 10m, 2h, 3d, or a date such as 2026-01-31T09:00.')
  return date
}
