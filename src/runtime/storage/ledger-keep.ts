import type { ArchiveOptions } from './storage.ts'

/** Retention as written in the config and on the command line: `90d`, `500MB`, `10GB`. */
export const keepPattern = '^[1-9][0-9]{0,5}(d|MB|GB)$'

/** What to archive to enforce a retention. */
export function toArchiveOptions(keep: string, now: number): ArchiveOptions {
  const count = Number.parseInt(keep, 10)
  if (keep.endsWith('d')) return { before: new Date(now - count * 86_400_000) }
  return { maxBytes: count * (keep.endsWith('GB') ? 1e9 : 1e6) }
}
