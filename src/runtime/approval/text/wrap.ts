import type { Part } from '../../../contract/text/painted.ts'

/**
 * Wraps a line into rows that fit, so that nothing runs off screen and rows can be counted. Breaks after spaces; a word
 * wider than a row is broken at the end of the row.
 */
export function wrap(parts: readonly Part[], width: number): Part[][] {
  const rows: Part[][] = [[]]
  const max = Math.max(width, narrowest)
  let left = max
  for (const part of parts) {
    let rest = textOf(part)
    while (rest) {
      const end = measure(rest, left)
      const isWhole = end === rest.length
      const cut = isWhole ? end : findBreak(rest, end, max)
      const moved = cut === 0 ? takeWord(rows.at(-1)!, rest, max) : []
      const taken = moved ? cut : end
      if (taken > 0) rows.at(-1)!.push(withText(part, rest.slice(0, taken)))
      left -= widthOf(rest.slice(0, taken))
      rest = rest.slice(taken)
      if (isWhole) break
      rows.push(moved ?? [])
      left = max - widthOf((moved ?? []).map(textOf).join(''))
    }
  }
  return rows
}

/** Where to break a text that does not fit: after its last space, or at the end of the row if the next word fits no row. 0: before the text. */
function findBreak(text: string, end: number, max: number): number {
  const start = end === 0 ? 0 : text.lastIndexOf(' ', end - 1) + 1
  return start > 0 && widthOf(wordAt(text, start, max)) > max ? end : start
}

/** Moves the start of a word from the end of a row to the next. Undefined if the word fits no row, or is alone in this one. */
function takeWord(row: Part[], rest: string, max: number): Part[] | undefined {
  const last = row.findLastIndex((part) => textOf(part).includes(' '))
  if (last < 0) return undefined
  const part = row[last]!
  const end = textOf(part).lastIndexOf(' ') + 1
  const kept = [...row.slice(0, last), withText(part, textOf(part).slice(0, end))]
  const moved = [withText(part, textOf(part).slice(end)), ...row.slice(last + 1)].filter((each) => textOf(each) !== '')
  const isTooWide = widthOf(moved.map(textOf).join('') + wordAt(rest, 0, max)) > max
  if (isTooWide || kept.every((each) => textOf(each).trim() === '')) return undefined
  row.splice(0, row.length, ...kept)
  return moved
}

/** The word that starts there, up to the width that matters. */
function wordAt(text: string, start: number, max: number): string {
  return /^[^ ]*/.exec(text.slice(start, start + max + 1))![0]
}

/** The widest character fits this width, so wrapping always makes progress. */
const narrowest = 8

/** The width of a text in columns. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** Text for one row, cut with an ellipsis if too wide. */
export function clipTo(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text
  return width < 1 ? '' : `${text.slice(0, measure(text, width - 1))}…`
}

/** How much of a text fits. */
export function measure(text: string, width: number): number {
  if (/^[\x20-\x7e]*$/.test(text.slice(0, width + 1))) return Math.min(text.length, width)
  let end = 0
  let left = width
  for (const piece of piecesOf(text.slice(0, width * 8 + 64))) {
    left -= widthOf(piece)
    if (left < 0) break
    end += piece.length
  }
  return end
}

/** Graphemes, so that no emoji is split; code points of graphemes that fit no row. */
function* piecesOf(text: string): Generator<string> {
  // Loading `Intl` takes milliseconds, and most text needs none of it.
  graphemes ??= new Intl.Segmenter()
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(segment) <= narrowest) yield segment
    else yield* segment
  }
}

let graphemes: Intl.Segmenter | undefined

/**
 * Characters that terminals show two columns wide, some only in newer versions of Unicode. Where terminals disagree the
 * larger width counts: a row that is too short is harmless, one that is too long wraps.
 */
const wide =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2630-\u2637\u268a-\u268f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d15e}-\u{1d164}\u{1d1bb}-\u{1d1c0}\u{1d300}-\u{1d37f}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

function columnsOf(character: string): number {
  if (character <= '\u02ff') return 1
  // It turns the character before it into an emoji, which may be a column wider.
  if (character === '\ufe0f') return 1
  if (wide.test(character)) return 2
  return /[\p{Mn}\p{Me}]/u.test(character) ? 0 : 1
}

export function textOf(part: Part): string {
  return typeof part === 'string' ? part : part.text
}

export function withText(part: Part, text: string): Part {
  return typeof part === 'string' ? text : { ...part, text }
}
