import type { Range } from './find-quote.ts'
import type { SummarySource } from './source-text.ts'

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
