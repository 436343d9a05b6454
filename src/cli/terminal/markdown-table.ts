import { type Part, paint } from '../../contract/text/painted.ts'
import { printable } from '../../contract/text/printable.ts'
import { textOf, widthOf, wrap } from '../../runtime/approval/text/wrap.ts'

/** Space between two columns. */
const gap = 2
/** Columns are not made narrower than this; `wrap` makes no rows that are narrower. */
const narrowest = 8

/** A table with a header row. Cells wrap; what does not fit side by side becomes one record below the other. */
export function toTableRows(table: readonly (readonly (readonly Part[])[])[], width: number): Part[][] {
  const cells = table.map((row) => row.map(toOneLine))
  const [header = [], ...body] = cells
  const count = Math.max(0, ...cells.map((row) => row.length))
  const natural = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...cells.map((row) => widthOfCell(row[column] ?? []))),
  )
  const widths = chooseWidths(natural, width - gap * (count - 1))
  if (!widths) return toRecords(header, body, width)
  const rows = [header.map(embolden), ...body].map((row) => toAligned(row, widths))
  const rule = [paint('dim', widths.map((size) => '─'.repeat(size)).join(' '.repeat(gap)))]
  return [...rows[0]!, rule, ...rows.slice(1).flat()]
}

/** Takes columns from the widest ones. Undefined if not even the narrowest columns fit. */
function chooseWidths(natural: readonly number[], width: number): number[] | undefined {
  const widths = [...natural]
  let excess = widths.reduce((sum, size) => sum + size, 0) - width
  if (natural.reduce((sum, size) => sum + Math.min(size, narrowest), 0) > width) return undefined
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    const next = Math.max(narrowest, ...widths.filter((size) => size < widths[widest]!))
    const taken = Math.max(1, Math.min(excess, widths[widest]! - next))
    widths[widest]! -= taken
    excess -= taken
  }
  return widths
}

function toAligned(row: readonly (readonly Part[])[], widths: readonly number[]): Part[][] {
  const wrapped = widths.map((size, column) => {
    const cell = row[column] ?? []
    return widthOfCell(cell) <= size ? [cell] : wrap(cell, size)
  })
  const height = Math.max(...wrapped.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    wrapped.flatMap((lines, column) => {
      const parts = lines[line] ?? []
      const padding = widths[column]! - widthOfCell(parts) + gap
      return column === widths.length - 1 ? parts : [...parts, ' '.repeat(Math.max(0, padding))]
    }),
  )
}

function toRecords(
  header: readonly (readonly Part[])[],
  body: readonly (readonly (readonly Part[])[])[],
  width: number,
): Part[][] {
  return body.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, column) => {
      const name = embolden(header[column] ?? [])
      return wrap(name.length > 0 ? [...name, ': ', ...cell] : cell, width)
    }),
  ])
}

function embolden(cell: readonly Part[]): Part[] {
  return cell.map((part) =>
    typeof part === 'string' ? paint('bold', part) : { ...part, style: ['bold', ...[part.style].flat()] },
  )
}

function toOneLine(cell: readonly Part[]): Part[] {
  return cell.map((part) => {
    const text = printable(textOf(part).replace(/\s+/g, ' '))
    return typeof part === 'string' ? text : { ...part, text }
  })
}

function widthOfCell(cell: readonly Part[]): number {
  return cell.reduce((sum, part) => sum + widthOf(textOf(part)), 0)
}
