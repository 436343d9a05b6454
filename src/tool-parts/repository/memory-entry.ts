import type { JsonObject } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { findHidden, nameHidden } from '../../contract/text/hidden-characters.ts'
import { escapeJson } from '../../contract/text/printable.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { findSecrets } from '../../policy/secrets.ts'

/** An entry as written to the file, without its line end. */
export interface MemoryEntry {
  readonly text: string
  /** Preceded by a blank line. */
  readonly apart: boolean
}

type EntryError = ToolError<'invalid_entry' | 'entry_too_large' | 'secret_in_entry'>

const maxBytes = 10_240

export function toObjectEntry(value: JsonObject): MemoryEntry | ToolError<'entry_too_large' | 'secret_in_entry'> {
  const text = JSON.stringify(value)
  return check({ text: escapeJson(text), apart: false }, text)
}

/** The text of a JSON value on one line. Only white space between tokens changes. */
export function toJsonEntry(given: string): MemoryEntry | EntryError {
  const parsed = parseJson(given, { maxBytes: maxBytes * 4, maxDepth: 64 })
  if (!parsed.ok) {
    if (parsed.reason === 'too_large') return toTooLarge(Buffer.byteLength(given))
    return new ToolError('invalid_entry', `The entry is not a JSON value. ${parsed.message}`)
  }
  // In JSON a raw line break occurs only between tokens; inside a string it is escaped.
  const text = given.trim().replace(/[ \t]*[\r\n][ \t\r\n]*/g, ' ')
  // Search the parsed value, because escapes could hide a secret.
  return check({ text: escapeJson(text), apart: false }, JSON.stringify(parsed.value))
}

/** Markdown text without surrounding blank lines. */
export function toMarkdownEntry(given: string): MemoryEntry | EntryError {
  const text = given.replace(/\r\n?/g, '\n').replace(/^(?:[ \t]*\n)+|\s+$/g, '')
  if (text === '') return new ToolError('invalid_entry', 'The entry is empty.')
  const hidden = findHidden(text, 'prose')
  if (hidden !== undefined)
    return new ToolError('invalid_entry', `The entry has a hidden character: ${nameHidden(hidden)}. Remove it and write the entry again.`) // biome-ignore format: one line
  return check({ text, apart: true }, text)
}

function check(entry: MemoryEntry, searched: string): MemoryEntry | ToolError<'entry_too_large' | 'secret_in_entry'> {
  const size = Buffer.byteLength(entry.text)
  if (size > maxBytes) return toTooLarge(size)
  const kinds = [...new Set(findSecrets(searched).map(({ kind }) => kind))]
  if (kinds.length === 0) return entry
  return new ToolError('secret_in_entry', `The entry seems to contain a secret: ${kinds.join(', ')}.`)
}

function toTooLarge(size: number): ToolError<'entry_too_large'> {
  return new ToolError('entry_too_large', `The entry has ${size} bytes, more than the 10KB allowed.`)
}
