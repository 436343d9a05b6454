import { blockTags, cellTags } from './tag-kinds.ts'
import type { Element, Page } from './tree.ts'

const maxColumns = 100
const maxSpan = 1000

/** Collects the cells of rows, so that each stays in its column: empty cells count, and so do cells over several rows and columns. */
export class Rows {
  /** For each open table, and each of its columns, the number of rows that a cell from above still covers. */
  readonly #tables: number[][] = []
  #cells: string[] = []
  /** Columns that the open cell covers beyond its own. */
  #covered = 0
  #hasCell = false

  enterTable(): void {
    this.#tables.push([])
  }

  leaveTable(): void {
    this.#tables.pop()
  }

  /** A row that is not rendered as a row. */
  skipRow(): void {
    const spans = this.#tables.at(-1) ?? []
    for (let at = 0; at < spans.length; at++) if (spans[at]! > 0) spans[at]!--
  }

  /** `before` is the text since the last cell began. */
  enterCell({ attributes }: Element, before: string): void {
    this.#endCell(before)
    this.#passCovered()
    const columns = readSpan(attributes.colspan, maxColumns)
    const rows = readSpan(attributes.rowspan, maxSpan)
    const spans = this.#tables.at(-1)
    const first = this.#cells.length
    if (spans && rows > 1)
      for (let at = first; at < Math.min(first + columns, maxColumns); at++) {
        while (spans.length < at) spans.push(0)
        // The row itself counts when it ends.
        spans[at] = rows
      }
    this.#covered = columns - 1
    this.#hasCell = true
  }

  /** The cells of the row. */
  finish(last: string): string[] {
    this.#endCell(last)
    this.#passCovered()
    this.skipRow()
    const cells = this.#cells
    this.#cells = []
    return cells
  }

  #endCell(text: string) {
    if (!this.#hasCell && text.trim() === '') return
    this.#hasCell = false
    this.#cells.push(text)
    for (; this.#covered > 0 && this.#cells.length < maxColumns; this.#covered--) this.#cells.push('')
    this.#covered = 0
  }

  #passCovered() {
    const spans = this.#tables.at(-1) ?? []
    while ((spans[this.#cells.length] ?? 0) > 0) this.#cells.push('')
  }
}

function readSpan(text: string | undefined, most: number): number {
  const [digits = '1'] = /^\s{0,9}\d{1,5}/.exec(text ?? '') ?? []
  return Math.max(1, Math.min(most, Number(digits)))
}

/** Whether a row of short cells is one line. Layout tables have longer cells. */
export function isPlainRow(row: Element, page: Page): boolean {
  let cells = 0
  let length = 0
  for (let at = row.index + 1; at < row.end; at++) {
    const element = page.elements[at]!
    if (cellTags.has(element.tag)) cells++
    else if (!innerTags.has(element.tag) && blockTags.has(element.tag)) return false
    for (const child of element.children) if (typeof child === 'string') length += child.trim().length
    if (length > maxInRow) return false
  }
  return cells > 1
}

const maxInRow = 400
const innerTags = new Set(['p', 'div'])
