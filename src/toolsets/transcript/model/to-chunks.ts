import { type Passage, toText } from '../words.ts'

/** A part of what one speaker says, small enough to go to a model with others. */
export interface Piece {
  readonly label?: string
  readonly passage: Passage
  /** Which turn it is of. */
  readonly turn: number
}

/** What goes to a model at once: a line for each piece. */
export interface Chunk {
  readonly pieces: readonly Piece[]
}

/** Enough for a model to see what is meant, and few enough that it keeps to the words. */
const maxWords = 300
/** Where nothing ends a sentence, a pause must do, and then any word. */
const maxWithoutEnd = 360
const maxCharacters = 12_000

/** Cuts turns at the ends of sentences, and puts what is short together. */
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
