import { printable } from '../../contract/text/printable.ts'
import type { Line, Part } from './terminal.ts'

interface ColumnOptions {
  /** Lines are cut to this width. */
  readonly width?: number | undefined
  /** Column widths so far. Grows, so that later rows align with earlier ones. */
  readonly widths?: number[]
}

/** Aligns rows of cells in columns. Line breaks in cells are escaped. */
export function toColumns(rows: readonly (readonly Part[])[], options: ColumnOptions = {}): Line[] {
  const { width = Infinity, widths = [] } = options
  const cells = rows.map((row) => row.map(toOneLine))
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell))
  }
  return cells.map((row) => {
    const end = row.findLastIndex((cell) => lengthOf(cell) > 0)
    let left = width
    return row.slice(0, end + 1).map((cell, index) => {
      const text = cut(textOf(cell), left)
      // Columns that are empty in every row are dropped.
      const room = widths[index]! > 0 ? widths[index]! + 2 : 0
      left -= room
      const padding = index === end || left <= 0 ? 0 : room - [...text].length
      return withText(cell, `${text}${' '.repeat(padding)}`)
    })
  })
}

function toOneLine(part: Part): Part {
  return withText(part, printable(textOf(part)))
}

function withText(part: Part, text: string): Part {
  return typeof part === 'string' ? text : { ...part, text }
}

function textOf(part: Part): string {
  return typeof part === 'string' ? part : part.text
}

function lengthOf(part: Part): number {
  return [...textOf(part)].length
}

function cut(text: string, width: number): string {
  const characters = [...text]
  if (characters.length <= width) return text
  return width < 2 ? '' : `${characters.slice(0, width - 1).join('')}…`
}

export function toLocalTime(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export function toDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
