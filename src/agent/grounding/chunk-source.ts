import type { Range } from './find-quote.ts'
import type { SummarySource } from './source-text.ts'

/**
 * Parts of a source that go to a model one by one: all of it, in order, nothing twice. They end between paragraphs where
 * they can, else between lines, sentences, words; only a text without any is cut anywhere.
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

/** From the best place to part a text to the worst. */
const ends = [/\n[^\S\n]*\n\s*/g, /\n/g, /[.!?…](?=\s)|[。！？]/g, /\s/g]

function findEnd(text: string, start: number, maxCharacters: number): number {
  const window = text.slice(start, start + maxCharacters)
  for (const [index, expression] of ends.entries()) {
    let last = 0
    for (const found of window.matchAll(expression)) last = found.index + found[0].length
    // A paragraph may leave half of the room unused, and so may nothing else.
    if (last > (index === 0 ? 0 : maxCharacters / 2)) return start + last
  }
  const isPair = /[\ud800-\udbff]$/.test(window) && window.length > 1
  return start + window.length - (isPair ? 1 : 0)
}
