import { relative } from 'node:path'
import type { Toolpact } from '../../app/app.ts'
import { findPosition } from '../../workflow/document/find-position.ts'
import type { Result } from './check.ts'

/** The problems of workflow documents, each at its line and column. */
export async function checkWorkflows(files: Awaited<ReturnType<Toolpact['workflows']>>): Promise<Result[]> {
  const results: Result[] = []
  for (const { id, file, text, problems } of files) {
    const path = relative('', file) || file
    if (problems.length === 0) results.push({ outcome: 'ok', check: 'workflows', subject: path, message: id })
    for (const { pointer, message, severity } of problems) {
      const position = await findPosition(text, pointer)
      const place = position ? `:${position.line}:${position.column}` : ''
      const outcome = severity === 'error' ? 'problem' : 'warning'
      results.push({ outcome, check: 'workflows', subject: `${path}${place} ${pointer}`.trim(), message })
    }
  }
  return results
}
