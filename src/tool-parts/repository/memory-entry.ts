import type { JsonObject } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { findHidden, nameHidden } from '../../contract/text/hidden-characters.ts'
import { escapeJson } from '../../contract/text/printable.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { findSecrets } from '../../policy/secrets.ts'

/** An entry as it is written, without the line end after it. */
export interface MemoryEntry {
  readonly text: string
  /** An empty line goes before it. */
  readonly apart: boolean
}

type EntryError = ToolError<'invalid_entry' | 'entry_too_large' | 'secret_in_entry'>

const maxBytes = 10_240

/** A JSON object as one line. */
export function toObjectEntry(value: JsonObject): MemoryEntry | ToolError<'entry_too_large' | 'secret_in_entry'> {
  const text = JSON.stringify(value)
  return check({ text: escapeJson(text), apart: false }, text)
}

/** The text of one JSON value as one line. Nothing of the value changes, only what stands between its parts. */
export function toJsonEntry(given: string): MemoryEntry | EntryError {
  const parsed = parseJson(given, { maxBytes: maxBytes * 4, maxDepth: 64 })
  if (!parsed.ok) {
    if (parsed.reason === 'too_large') return toTooLarge(Buffer.byteLength(given))
    return new ToolError('invalid_entry', `The entry is no JSON value. ${parsed.message}`)
  }
  // In JSON a line break can only stand between the parts of a value; inside a text it is written \n.
  const text = given.trim().replace(/[ \t]*[\r\n][ \t\r\n]*/g, ' ')
  // Secrets are looked for in the value, where no escapes hide them.
  return check({ text: escapeJson(text), apart: false }, JSON.stringify(parsed.value))
}

/** Markdown, with its lines. Empty lines around it go. */
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
  return new ToolError('secret_in_entry', `The entry holds what looks like a secret: ${kinds.join(', ')}.`)
}

function toTooLarge(size: number): ToolError<'entry_too_large'> {
  return new ToolError('entry_too_large', `The entry has ${size} bytes, more than the 10KB allowed.`)
}
