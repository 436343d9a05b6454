import type { Part } from '../terminal.ts'

/** Breaks a line into rows that fit, so that nothing runs out of sight and rows can be counted. */
export function wrap(parts: readonly Part[], width: number): Part[][] {
  const rows: Part[][] = [[]]
  const most = Math.max(width, narrowest)
  let left = most
  for (const part of parts) {
    let rest = textOf(part)
    while (rest) {
      const end = measure(rest, left)
      if (end > 0) rows.at(-1)!.push(withText(part, rest.slice(0, end)))
      left -= widthOf(rest.slice(0, end))
      rest = rest.slice(end)
      if (!rest) break
      rows.push([])
      left = most
    }
  }
  return rows
}

/** Even the widest character fits into a row of this width, so that there is always a next one. */
const narrowest = 8

/** How many columns a text takes. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** How much of a text fits. */
function measure(text: string, width: number): number {
  if (/^[\x20-\x7e]*$/.test(text.slice(0, width))) return Math.min(text.length, width)
  let end = 0
  let left = width
  for (const character of text) {
    left -= columnsOf(character)
    if (left < 0) break
    end += character.length
  }
  return end
}

/** Scripts and signs that terminals show two columns wide. */
const wide =
  /[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

function columnsOf(character: string): number {
  if (character <= '\u02ff') return 1
  if (/\p{M}/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

export function textOf(part: Part): string {
  return typeof part === 'string' ? part : part.text
}

function withText(part: Part, text: string): Part {
  return typeof part === 'string' ? text : { ...part, text }
}
