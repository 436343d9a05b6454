import { printable } from '../../contract/text/printable.ts'
import { textOf, widthOf, withText } from '../../runtime/approval/text/wrap.ts'
import { layOut } from './lay-out.ts'
import type { Line, Part } from './terminal.ts'

interface ColumnOptions {
  /** The width of the terminal. Without one, all columns are printed and lines are as long as their text. */
  readonly width?: number | undefined
  /** Column widths so far. Grows, so that later rows align with earlier ones. */
  readonly widths?: number[]
  /** The columns to leave out if the rows do not fit, the least important first. */
  readonly drop?: readonly number[]
  /** How much room the last column should have before others are left out. */
  readonly minLast?: number
}

const gap = 2
/** The last column starts below its row if there is less room than this. */
const minText = 20

/**
 * Aligns rows of cells in columns, one line per row. Line breaks in cells are escaped. If the rows are too wide, columns are
 * left out in the order of `drop`, and then the last column wraps at words below its start.
 */
export function toColumns(rows: readonly (readonly Part[])[], options: ColumnOptions = {}): Line[] {
  const { width = Infinity, widths = [], drop = [], minLast = 30 } = options
  const cells = rows.map((row) => row.map((part) => withText(part, printable(textOf(part)))))
  for (const row of cells)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(textOf(cell)))
  const shown = chooseColumns(widths, { width, drop, minLast })
  const last = shown.at(-1)!
  const starts = toStarts(widths, shown, { width, minLast })
  return cells.map((row) => {
    const line: Part[] = []
    let at = 0
    const end = shown.findLast((index) => row[index] !== undefined && textOf(row[index]) !== '')
    for (const index of shown) {
      if (end === undefined || index > end) break
      const start = starts.get(index)!
      // A cell that is wider than its column moves the last one to the next row.
      if (index === last && at + gap > start && at > 0) {
        line.push('\n')
        at = 0
      }
      const cell = row[index]!
      const pad = ' '.repeat(Math.max(start - at, at > 0 ? gap : 0))
      if (index === last) line.push(...wrapCell(cell, { pad, start: at + pad.length, width }))
      else line.push(pad, cell)
      at += pad.length + widthOf(textOf(cell))
    }
    return line
  })
}

/** The indexes of the columns that are printed. Columns that are empty in every row are left out. */
function chooseColumns(
  widths: readonly number[],
  { width, drop, minLast }: { width: number; drop: readonly number[]; minLast: number },
): number[] {
  let shown = [...widths.keys()].filter((index) => widths[index]! > 0)
  const needs = () =>
    shown.reduce((sum, index, place) => {
      const isLast = place === shown.length - 1
      return sum + (isLast ? Math.min(widths[index]!, minLast) : widths[index]! + gap)
    }, 0)
  for (const index of drop) if (needs() > width) shown = shown.filter((each) => each !== index)
  return shown.length > 0 ? shown : [0]
}

/** Where each column starts. The widest one is narrowed if the last has too little room. */
function toStarts(
  widths: readonly number[],
  shown: readonly number[],
  { width, minLast }: { width: number; minLast: number },
): Map<number, number> {
  const [fixed, last] = [shown.slice(0, -1), shown.at(-1)!]
  const own = new Map(fixed.map((index) => [index, widths[index]!]))
  const room = width - Math.min(widths[last] ?? 0, minLast)
  const used = [...own.values()].reduce((sum, each) => sum + each + gap, 0)
  if (used > room) {
    const [widest] = [...own].sort(([, a], [, b]) => b - a)
    if (widest) own.set(widest[0], Math.min(widest[1], Math.max(widest[1] - (used - room), minText)))
  }
  let at = 0
  return new Map(
    shown.map((index) => {
      const start = at
      at += (own.get(index) ?? 0) + gap
      return [index, start]
    }),
  )
}

/** Wraps the text of the last cell below its start, or below its row if there is little room. */
function wrapCell(cell: Part, { pad, start, width }: { pad: string; start: number; width: number }): Part[] {
  if (start + widthOf(textOf(cell)) <= width) return [pad, cell]
  const isBelow = width - start < minText && widthOf(textOf(cell)) > width - start
  const indent = isBelow ? Math.min(4, start) : start
  const rows = layOut(cell, Math.max(width - indent, minText))
  return [
    isBelow ? `\n${' '.repeat(indent)}` : pad,
    ...rows.flatMap((row, index) => (index === 0 ? row : [`\n${' '.repeat(indent)}`, ...row])),
  ]
}

export function toLocalTime(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** For a table: only the time of today, else the day. */
export function toShortTime(at: string): string {
  const [day = '', time = ''] = toLocalTime(at).split(' ')
  const [today = ''] = toLocalTime(new Date().toISOString()).split(' ')
  if (day === today) return time
  return day.slice(0, 4) === today.slice(0, 4) ? `${day.slice(5)} ${time.slice(0, 5)}` : day
}

export function toDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
