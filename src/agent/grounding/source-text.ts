import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import type { Range } from './find-quote.ts'

/** What a summary may quote. */
export interface SummarySource {
  readonly text: string
  /** In text order, without overlap; if there are none, the text is one field. */
  readonly passages?: readonly Passage[]
}

export interface SourceText extends SummarySource {
  readonly passages: readonly Passage[]
}

/** A field of the output in the text: its name, a colon, its value. Offsets count UTF-16 units. */
export interface Passage {
  readonly pointer: string
  readonly start: number
  readonly end: number
  /** Start of the value, after the name. */
  readonly valueStart: number
}

/**
 * The text of validated output, one or more paragraphs per field: the last name of its path, then its value. Array
 * indices are not written, since a summary could take them for facts.
 *
 * `toSourceText({ title: 'Report', tags: ['a'] }).text` is `'title: Report\n\ntags: a'`.
 */
export function toSourceText(output: JsonObject): SourceText {
  const passages: Passage[] = []
  const parts: string[] = []
  let length = 0
  // An explicit stack: output may be as deep as its contract allows.
  const left: Field[] = [{ pointer: '', name: '', value: output }]
  for (let field = left.pop(); field; field = left.pop()) {
    if (typeof field.value === 'object' && field.value !== null) {
      left.push(...toFields(field, field.value).reverse())
      continue
    }
    const value = String(field.value)
    if (value.trim() === '') continue
    const gap = parts.length === 0 ? '' : '\n\n'
    const label = `${field.name}:${value.includes('\n') ? '\n' : ' '}`
    parts.push(gap, label, value)
    const start = length + gap.length
    const valueStart = start + label.length
    length = valueStart + value.length
    passages.push({ pointer: field.pointer, start, end: length, valueStart })
  }
  return { text: parts.join(''), passages }
}

interface Field {
  readonly pointer: string
  readonly name: string
  readonly value: JsonValue
}

function toFields({ pointer, name }: Field, value: JsonValue[] | JsonObject): Field[] {
  if (Array.isArray(value))
    return value.map((item, index) => ({ pointer: pointerTo(pointer, index), name, value: item }))
  return Object.entries(value).map(([key, item]) => ({ pointer: pointerTo(pointer, key), name: key, value: item }))
}

/** The field at a place of the text. */
export function findPassage({ text, passages }: SummarySource, offset: number): Passage | undefined {
  if (!passages) return { pointer: '', start: 0, end: text.length, valueStart: 0 }
  let low = 0
  let high = passages.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (passages[middle]!.end <= offset) low = middle + 1
    else high = middle
  }
  const found = passages[low]
  return found && found.start <= offset ? found : undefined
}

/**
 * Splits a source into parts for a model: all of it, in order, without overlap. Splits between paragraphs if possible,
 * otherwise between lines, sentences or words; text without any of these is split anywhere.
 */
export function chunkSource({ text }: SummarySource, maxCharacters: number): Range[] {
  const chunks: Range[] = []
  for (let start = 0; start < text.length; ) {
    const end = text.length - start <= maxCharacters ? text.length : findEnd(text, start, maxCharacters)
    if (text.slice(start, end).trim() !== '') chunks.push({ start, end })
    start = end
  }
  return chunks
}

/** From the best separator to the worst. */
const ends = [/\n[^\S\n]*\n\s*/g, /\n/g, /[.!?…](?=\s)|[。！？]/g, /\s/g]

function findEnd(text: string, start: number, maxCharacters: number): number {
  const window = text.slice(start, start + maxCharacters)
  for (const [index, expression] of ends.entries()) {
    let last = 0
    for (const found of window.matchAll(expression)) last = found.index + found[0].length
    // Only a paragraph break may leave half of the room unused.
    if (last > (index === 0 ? 0 : maxCharacters / 2)) return start + last
  }
  const isPair = /[\ud800-\udbff]$/.test(window) && window.length > 1
  return start + window.length - (isPair ? 1 : 0)
}
