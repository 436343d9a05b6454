import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { type Part, paint } from '../../contract/text/painted.ts'
import { printable } from '../../contract/text/printable.ts'
import { widthOf } from '../../runtime/approval/text/wrap.ts'
import { toPlainRows } from './markdown.ts'
import { toTableRows } from './markdown-table.ts'

/** Deeper values are JSON. */
const maxDepth = 6
/** Lists of objects with more properties are no tables. */
const maxColumns = 6

/** A JSON value as rows for people: fields, lists and tables instead of brackets and quotes. */
export function toValueRows(value: JsonValue, width: number, depth = 0): Part[][] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return toScalarRows(value, width)
  if (!Array.isArray(value)) return toFieldRows(value, width, depth)
  const short = toShortList(value)
  if (short !== undefined && widthOf(short) <= width) return [[short]]
  const columns = findColumns(value)
  if (columns) return toTableRows([columns.map((name) => [name]), ...value.map((item) => columns.map((name) => [toCell((item as JsonObject)[name] ?? '')]))], width) // biome-ignore format: one line
  return value.flatMap((item) => indent(toValueRows(item, inner(width), depth + 1), '- '))
}

function toFieldRows(value: JsonObject, width: number, depth: number): Part[][] {
  const entries = Object.entries(value)
  const lines = entries.map(([key, item]) => {
    const name = `${printable(key)}:`
    const rows = toValueRows(item, inner(width), depth + 1)
    const [first = []] = rows
    const fits = rows.length === 1 && widthOf(name) + 1 + widthOf(textOf(first)) <= width && !isNested(item)
    return { name, rows, fits }
  })
  const column = Math.max(0, ...lines.filter(({ fits }) => fits).map(({ name }) => widthOf(name)))
  return lines.flatMap(({ name, rows, fits }) => {
    if (!fits) return [[paint('bold', name)], ...indent(rows, '  ')]
    const padding = Math.min(column, maxNameColumn) - widthOf(name)
    const isAligned = column + 1 + widthOf(textOf(rows[0]!)) <= width
    return [[paint('bold', `${name}${' '.repeat(isAligned ? Math.max(0, padding) : 0)}`), ' ', ...rows[0]!]]
  })
}

/** One long name does not move all values to the right. */
const maxNameColumn = 24

function isNested(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? toShortList(value) === undefined : Object.keys(value).length > 0
}

/** A list of numbers, flags and words without commas, in one line. */
function toShortList(items: readonly JsonValue[]): string | undefined {
  if (items.length === 0) return '[]'
  const isShort = (item: JsonValue) => (typeof item === 'string' ? !/[,\n]/.test(item) : !isNested(item))
  return items.every(isShort) ? items.map((item) => toScalar(item)).join(', ') : undefined
}

/** The properties of a list of alike, flat objects. */
function findColumns(items: readonly JsonValue[]): string[] | undefined {
  const [first] = items
  if (items.length < 2 || typeof first !== 'object' || first === null || Array.isArray(first)) return undefined
  const names = Object.keys(first)
  const isAlike = (item: JsonValue) =>
    typeof item === 'object' &&
    item !== null &&
    !Array.isArray(item) &&
    Object.keys(item).join('\0') === names.join('\0') &&
    Object.values(item).every((part) => !isNested(part) && !(typeof part === 'string' && part.includes('\n')))
  return names.length > 0 && names.length <= maxColumns && items.every(isAlike) ? names : undefined
}

function toCell(value: JsonValue): string {
  return (Array.isArray(value) ? toShortList(value) : undefined) ?? toScalar(value)
}

function toScalarRows(value: JsonValue, width: number): Part[][] {
  return toPlainRows(toScalar(value), width).map((row) => [...row])
}

function toScalar(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function indent(rows: readonly Part[][], mark: string): Part[][] {
  return rows.map((row, index) => [index === 0 ? mark : ' '.repeat(mark.length), ...row])
}

function inner(width: number): number {
  return Math.max(8, width - 2)
}

function textOf(row: readonly Part[]): string {
  return row.map((part) => (typeof part === 'string' ? part : part.text)).join('')
}
