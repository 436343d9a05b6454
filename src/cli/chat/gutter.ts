import { measure, textOf, widthOf } from '../../runtime/approval/text/wrap.ts'
import { createMarkdownWriter, type Row, toMarkdownRows } from '../terminal/markdown.ts'
import type { BlockReader } from '../terminal/markdown-blocks.ts'
import { type Line, paint } from '../terminal/terminal.ts'

/** Prefix of every row of model text. Nothing else starts with it. */
const gutter = '│ '

interface AnswerOptions {
  readonly write: (rows: readonly Line[]) => void
  /** Terminal width, read for each block so that a resize applies to the next one. */
  readonly columns: () => number
}

/**
 * Keeps model text behind a gutter, rendered as Markdown, each block once it is complete. Rows fit the terminal: a row
 * wrapped by the terminal continues at the left margin, where it could pass for a tool line, a question or a prompt.
 */
export function createAnswerWriter({ write, columns }: AnswerOptions): BlockReader {
  return createMarkdownWriter({
    width: () => roomIn(columns()),
    write: (rows) => write(toGutterLines(rows, columns())),
  })
}

/** A whole text behind the gutter; without a width, its lines as they are. */
export function toGutterRows(text: string, columns: number | undefined): Line[] {
  if (columns === undefined) return text.split('\n').map((line) => `${gutter}${line}`)
  return toGutterLines(toMarkdownRows(text, roomIn(columns)), columns)
}

/** The last column stays empty: terminals differ in when they wrap a full row. */
function roomIn(columns: number): number {
  return Math.max(1, columns - gutter.length - 1)
}

function toGutterLines(rows: readonly Row[], columns: number): Line[] {
  return rows.flatMap((row) => toFitting(row, roomIn(columns))).map((row) => [paint('dim', gutter), ...row])
}

/** Terminals can be narrower than the narrowest row of Markdown. */
function toFitting(row: Row, room: number): Row[] {
  let rest = row.map(textOf).join('')
  if (widthOf(rest) <= room) return [row]
  const rows: Row[] = []
  while (rest !== '') {
    const piece = rest.slice(0, measure(rest, room) || [...rest][0]!.length)
    rows.push([widthOf(piece) > room ? '?' : piece])
    rest = rest.slice(piece.length)
  }
  return rows
}
