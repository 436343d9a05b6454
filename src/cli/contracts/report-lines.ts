import type { Finding } from '../../authoring/markdown/from-markdown.ts'
import { printable } from '../../contract/text/printable.ts'
import { type Line, paint } from '../terminal/terminal.ts'

const colours = { taken: 'green', assumed: 'cyan', left: 'dim', warning: 'yellow', error: 'red' } as const

/** A report for people: a line of the document, what became of it, and below that why and what to do. */
export function toReportLines(report: readonly Finding[]): Line[] {
  const width = String(report.at(-1)?.line ?? 0).length
  return report.flatMap(({ line, kind, severity, code, tool, pointer, message, fix, text }): Line[] => {
    const word = severity ?? (kind === 'wrong' ? 'error' : kind)
    const place = [tool, pointer].filter(Boolean).join(' ')
    return [
      [`${String(line).padStart(width)}  `, paint(colours[word], word.padEnd(7)), `  ${printable(place || code)}`],
      `${' '.repeat(width + 11)}${printable(message)}${fix ? ` ${printable(fix)}` : ''}`,
      ...(text ? [[`${' '.repeat(width + 11)}`, paint('dim', printable(text))]] : []),
    ]
  })
}
