import { question, type Shown, toSummary } from './to-summary.ts'
import { textOf } from './wrap.ts'

/** Wide enough that most lines stay whole: the client wraps them. */
const columns = 200
const rows = 100

/** The question as plain text, for clients that show it themselves. */
export function toPlainText(details: Shown): string {
  const lines = toSummary(details, { columns, rows }).map((row) => row.map(textOf).join('').trimEnd())
  return [...lines, '', question].join('\n')
}
