import { type Passage, toText } from '../words.ts'

/** Part of a turn. */
export interface Piece {
  readonly label?: string
  readonly passage: Passage
  /** Index of its turn. */
  readonly turn: number
}

/** The pieces of one model request, one line each. */
export interface Chunk {
  readonly pieces: readonly Piece[]
}

/** Enough context for a model, and few enough words that it does not paraphrase. */
const maxWords = 300
/** Without an end of sentence, cut here at any word. */
const maxWithoutEnd = 360
const maxCharacters = 12_000

/** Splits long turns at ends of sentences and packs short ones together. */
export function toChunks(turns: readonly { readonly label?: string; readonly passage: Passage }[]): Chunk[] {
  const chunks: Piece[][] = []
  let words = 0
  let characters = 0
  for (const [turn, { label, passage }] of turns.entries()) {
    for (const part of cut(passage)) {
      const length = toText(part).length
      const isFull = words + part.words.length > maxWords || characters + length > maxCharacters
      if (chunks.length === 0 || isFull) {
        chunks.push([])
        words = 0
        characters = 0
      }
      chunks.at(-1)!.push({ ...(label !== undefined && { label }), passage: part, turn })
      words += part.words.length
      characters += length
    }
  }
  return chunks.map((pieces) => ({ pieces }))
}

function cut({ lead, words }: Passage): Passage[] {
  const parts: Passage[] = []
  let start = 0
  let end = 0
  let characters = 0
  const take = (to: number) => {
    parts.push({ lead: start === 0 ? lead : '', words: words.slice(start, to) })
    start = to
    end = to
    characters = 0
  }
  for (const [index, { text, gap }] of words.entries()) {
    characters += text.length + gap.length
    if (/[.!?…。！？]/.test(gap)) end = index + 1
    const length = index + 1 - start
    if (length >= maxWords && end > start) take(end)
    else if (length >= maxWithoutEnd || characters >= maxCharacters) take(index + 1)
  }
  if (start < words.length) take(words.length)
  return parts
}
