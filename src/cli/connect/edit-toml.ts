import type { JsonObject } from '../../contract/json.ts'
import { toTomlTable } from '../../surfaces/clients/to-snippet.ts'

/** Replaces or appends a table. Expects valid TOML; the caller checks the result. */
export function setTable(text: string, path: readonly string[], entry: JsonObject): string {
  const newLine = text.includes('\r\n') ? '\r\n' : '\n'
  const table = toTomlTable(path, entry).replaceAll('\n', newLine)
  const [first] = findSpans(text, path)
  if (first) {
    const rest = removeSpans(text.slice(first.end), path)
    return `${text.slice(0, first.start)}${table}${rest.trim() === '' || /^\s*\n/.test(rest) ? '' : newLine}${rest}`
  }
  const separator = text === '' ? '' : text.endsWith('\n') ? newLine : `${newLine}${newLine}`
  return `${text}${separator}${table}`
}

/** Removes a table and its subtables, with the blank lines before them. */
export function removeTable(text: string, path: readonly string[]): string {
  const removed = removeSpans(text, path)
  return removed.trim() === '' ? '' : removed
}

interface Span {
  readonly start: number
  readonly end: number
}

function removeSpans(text: string, path: readonly string[]): string {
  return findSpans(text, path).reduceRight((left, { start, end }) => {
    const after = left.slice(end)
    const isApart = after !== '' && !/^\r?\n/.test(after)
    const before = isApart ? left.slice(0, start) : left.slice(0, start).replace(/(\r?\n)(?:[ \t]*\r?\n)+$/, '$1')
    return before.trim() === '' ? after.replace(/^\s*\n/, '') : before + after
  }, text)
}

/** The lines of a table and its subtables. Comments and blank lines above the next header belong to that header. */
function findSpans(text: string, path: readonly string[]): Span[] {
  const headers = [...withoutLongStrings(text).matchAll(headerLine)].map(({ index, 1: name }) => ({
    start: index,
    isOurs: isWithin(toSegments(name!), path),
  }))
  const starts = headers.filter(({ isOurs }, index) => isOurs && !headers[index - 1]?.isOurs)
  return starts.map(({ start }) => {
    const next = headers.find((header) => header.start > start && !header.isOurs)
    const body = text.slice(start, next?.start)
    const tail = next && /(?:^[ \t]*(?:#[^\n]*)?\r?\n)+$/m.exec(body)
    return { start, end: start + (tail ? tail.index : body.length) }
  })
}

const headerLine = /^[ \t]*\[\[?[ \t]*([^\]\n]+?)[ \t]*\]\]?[ \t]*(?:#[^\n]*)?$/gm

/** Lines inside multi-line strings can look like headers. */
function withoutLongStrings(text: string): string {
  return text.replace(/#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"/g, (found) =>
    /^("""|''')/.test(found) ? found.replace(/[^\n]/g, '_') : found,
  )
}

function toSegments(name: string): string[] {
  const parts = [...name.matchAll(/\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^.\s]+)\s*(?:\.|$)/g)].map(([, part]) => part!)
  return parts.map((part) => (/^["']/.test(part) ? part.slice(1, -1) : part))
}

function isWithin(segments: readonly string[], path: readonly string[]): boolean {
  return path.every((part, index) => segments[index] === part)
}
