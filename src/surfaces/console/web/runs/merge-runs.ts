import type { RunPage, RunRow } from '../../api/runs.ts'

/** The newest runs as they are now, and below them those that were loaded before and are older. */
export function mergeRuns(page: RunPage, older: RunPage | undefined): readonly RunRow[] {
  const last = page.runs.at(-1)
  if (older === undefined || last === undefined || page.next === null) return page.runs
  const known = new Set(page.runs.map(({ id }) => id))
  return [...page.runs, ...older.runs.filter(({ id, createdAt }) => createdAt <= last.createdAt && !known.has(id))]
}
