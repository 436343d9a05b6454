import { stripHidden } from '../../contract/text/hidden-characters.ts'

/** Text with normalized white space and characters, and where each character came from. */
export interface FoldedText {
  readonly text: string
  /** For each character of `text`, the start of its origin in the original. */
  readonly starts: Uint32Array
  /** And its end. */
  readonly ends: Uint32Array
}

/**
 * Normalizes what two writers of the same text do differently: white space, composed and compatible forms, quotes and
 * dashes. Case and look-alike letters stay: those are different texts. Invisible characters are dropped.
 */
export function foldText(original: string): FoldedText {
  const pieces: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let inSpace = true
  let last = 0
  for (const { 0: piece, index } of original.matchAll(units)) {
    const end = index + piece.length
    const folded = isPlain.test(piece) ? piece : toFolded(piece)
    if (folded === '') continue
    if (folded === ' ') {
      if (!inSpace) {
        pieces.push(' ')
        starts.push(index)
        ends.push(end)
      }
      inSpace = true
      continue
    }
    inSpace = false
    pieces.push(folded)
    // A run of plain characters is one piece: each maps to itself.
    const isRun = folded === piece && isPlain.test(piece)
    for (let at = 0; at < folded.length; at++) {
      starts.push(isRun ? index + at : index)
      ends.push(isRun ? index + at + 1 : end)
    }
    last = starts.length
  }
  return {
    text: pieces.join('').slice(0, last),
    starts: Uint32Array.from(starts.slice(0, last)),
    ends: Uint32Array.from(ends.slice(0, last)),
  }
}

/**
 * Runs of plain characters; runs of white space; a character with its combining marks (or the parts of a Korean
 * syllable).
 */
const units = /[!-~]+(?!\p{M})|\s+|[^\s][\p{M}\u1160-\u11ff]*/gu
const isPlain = /^[!-~]+$/

const quotes: ReadonlyMap<string, string> = new Map(
  (
    [
      ["'", '‘’‚‛ʼ`´'],
      ['"', '“”„‟«»″'],
      ['-', '‐‑‒–—―−⁃'],
    ] as const
  ).flatMap(([plain, like]) => [...like].map((character): [string, string] => [character, plain])),
)
/** Superscripts, fractions and circled signs would become other numbers and words: 10² is not 102. */
const kept = /[\p{No}\p{So}ªº]/u

function toFolded(piece: string): string {
  const seen = stripHidden(piece, 'code')
  if (seen === '') return ''
  if (/^\s+$/u.test(seen)) return ' '
  if (kept.test(seen)) return seen.normalize('NFC')
  const folded = stripHidden(seen.normalize('NFKC'), 'code').replace(/\s+/gu, ' ')
  return quotes.get(folded) ?? folded
}
