const unitMs: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

const isoForm = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** Parses a time: a duration before or after `now` (`10m`, `2h`, `3d`), or an ISO date with or without a time. */
export function readTime(text: string, direction: 'before' | 'after', now: Date): Date | undefined {
  const [, count, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? []
  if (count === undefined && !isoForm.test(text)) return undefined
  const span = Number(count) * (unitMs[unit!] ?? 0) * (direction === 'before' ? -1 : 1)
  // JavaScript reads a date alone as UTC midnight; people mean their own time zone.
  const written = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00` : text
  const date = new Date(count === undefined ? written : now.getTime() + span)
  return Number.isNaN(date.getTime()) ? undefined : date
}
