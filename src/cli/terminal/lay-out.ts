import { printableLines } from '../../contract/text/printable.ts'
import { measure, textOf, widthOf, withText } from '../../runtime/approval/text/wrap.ts'
import type { Line, Part } from './terminal.ts'

/** A row of the screen: its text is escaped and fits the width. */
type Row = readonly Part[]

/**
 * Breaks a line into rows at spaces. Continuation rows are aligned with the text of the first row, so that text which is
 * indented, for example because a tool wrote it, never starts at the left margin. A word is broken only if it fits no row.
 */
export function layOut(line: Line, width: number): Row[] {
  return splitLines(line).flatMap((parts) => {
    const text = parts.map(textOf).join('')
    if (text.length <= width && widthOf(text) <= width) return [parts]
    return toPieces(text, width).map(({ indent, start, end }) => [' '.repeat(indent), ...slice(parts, start, end)])
  })
}

/** The escaped parts of each line of a text. */
function splitLines(line: Line): Part[][] {
  const lines: Part[][] = [[]]
  for (const part of typeof line === 'string' || 'style' in line ? [line] : line) {
    const [first, ...others] = printableLines(textOf(part)).split('\n')
    lines.at(-1)!.push(withText(part, first!))
    for (const text of others) lines.push([withText(part, text)])
  }
  return lines.map((parts) => expandTabs(parts))
}

function expandTabs(parts: readonly Part[]): Part[] {
  let column = 0
  return parts.map((part) => {
    const text = textOf(part).replace(/[^\t]+|\t/g, (piece) => {
      const shown = piece === '\t' ? ' '.repeat(8 - (column % 8)) : piece
      column += widthOf(shown)
      return shown
    })
    return withText(part, text)
  })
}

interface Piece {
  readonly indent: number
  readonly start: number
  readonly end: number
}

/** Marks and short labels, after which continuation rows are aligned. A function: compiling properties takes 0.3 ms of a start. */
const beginning = () => /^ *(?:(?:[^\p{L}\p{N}\s"'`([{<]|\d+[.)]?) +|\p{Lu}\p{L}{2,8}: +)?/u
const maxHang = 30

function toPieces(text: string, width: number): Piece[] {
  // One word at the left margin is a link, a path or a token: a terminal copies it whole.
  if (!text.trimEnd().includes(' ')) return [{ indent: 0, start: 0, end: text.length }]
  const hang = Math.min(widthOf(beginning().exec(text)![0]), maxHang, Math.floor(width / 2))
  const pieces: Piece[] = []
  for (let start = 0; start < text.length; ) {
    const indent = pieces.length === 0 ? 0 : hang
    const end = findEnd(text, start, width - indent)
    // Spaces at the end belong to a prompt.
    const isLast = text.slice(end).trim() === ''
    pieces.push({ indent, start, end: isLast ? text.length : end })
    start = isLast ? text.length : end + /^ */.exec(text.slice(end))![0].length
  }
  return pieces
}

/** Where a row that starts here ends. */
function findEnd(text: string, start: number, room: number): number {
  const full = start + Math.max(1, measure(text.slice(start), room))
  if (full >= text.length || text[full] === ' ') return full
  const space = keepCode(text, start, { full, room })
  const [word] = /^[^ ]*/.exec(text.slice(space + 1))!
  if (space > start && (widthOf(word) <= room || full - space < room / 3)) return space
  return findJoint(text, Math.max(space, start + room / 3), full)
}

/** Commands, which are kept together: in backticks, or as words after `toolpact`. */
const commandSpans = /`[^`]+`|\btoolpact(?: (?!to |or |and )[\w.:@/=-]+){1,5}/g

/** The last space of a row that is not inside of a command, unless that fits no row. */
function keepCode(text: string, start: number, { full, room }: { full: number; room: number }): number {
  const space = findSpace(text, start, full)
  for (const { 0: span, index } of text.slice(start).matchAll(commandSpans)) {
    const from = start + index
    if (space <= from || space >= from + span.length || span.length > room) continue
    const outside = findSpace(text, start, from - 1)
    return outside > start ? outside : space
  }
  return space
}

/** The last space up to here, after the indentation of the row. Before the start if there is none. */
function findSpace(text: string, start: number, end: number): number {
  const first = start + text.slice(start).search(/\S|$/)
  const space = text.lastIndexOf(' ', end)
  return space > first ? space : start - 1
}

/** Where to break a word that fits no row: after a comma or other punctuation, or else at the end of the row. */
function findJoint(text: string, start: number, end: number): number {
  for (const marks of [/[,;]/, /[:/\\|&?=.)}\]]/])
    for (let at = end; at > start; at--) if (marks.test(text[at - 1]!)) return at
  return end
}

/** The parts of a range of the text. */
function slice(parts: readonly Part[], start: number, end: number): Part[] {
  const found: Part[] = []
  let at = 0
  for (const part of parts) {
    const text = textOf(part)
    const piece = text.slice(Math.max(0, start - at), Math.max(0, end - at))
    if (piece !== '') found.push(withText(part, piece))
    at += text.length
  }
  return found
}
