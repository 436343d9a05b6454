import { question, type Shown, toSummary } from './to-summary.ts'
import { textOf } from './wrap.ts'

/** Wide enough that most lines stay whole: the client breaks them as it likes. */
const columns = 200
const rows = 100

/** The question as lines of plain text, for people who do not sit at our terminal. */
export function toPlainText(details: Shown): string {
  const lines = toSummary(details, { columns, rows }).map((row) => row.map(textOf).join('').trimEnd())
  return [...lines, '', question].join('\n')
}
