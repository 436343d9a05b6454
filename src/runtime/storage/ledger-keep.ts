import type { ArchiveOptions } from './storage.ts'

/** How much of the ledger stays in the database, as the config and the command write it: `90d`, `500MB`, `10GB`. */
export const keepPattern = '^[1-9][0-9]{0,5}(d|MB|GB)$'

/** What to archive so that this much is kept. */
export function toArchiveOptions(keep: string, now: number): ArchiveOptions {
  const count = Number.parseInt(keep, 10)
  if (keep.endsWith('d')) return { before: new Date(now - count * 86_400_000) }
  return { maxBytes: count * (keep.endsWith('GB') ? 1e9 : 1e6) }
}
