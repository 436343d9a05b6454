/** A part of a text. All parts joined are the text. */
export interface TextPart {
  readonly text: string
  /** Where the next part begins; absent in the last one. */
  readonly nextStart?: number
}

export interface PartOptions {
  /** In UTF-16 units, as `nextStart` of the part before. */
  readonly start: number
  readonly maxLength?: number | undefined
}

/** The part that begins at `start`, up to a paragraph, a line or a word; undefined if the text is not that long. */
export function takePart(text: string, { start, maxLength = Infinity }: PartOptions): TextPart | undefined {
  if (start >= text.length) return undefined
  const from = isLowSurrogate(text, start) ? start - 1 : start
  if (text.length - from <= maxLength) return { text: text.slice(from) }
  const end =
    from + findEnd(text.slice(from, from + maxLength), text.slice(from + maxLength, from + maxLength + maxCharacter))
  return { text: text.slice(from, end), nextStart: end }
}

/** A paragraph or line that ends in the second half, or a word in the last quarter. Else the last whole character. */
function findEnd(part: string, after: string): number {
  const { length } = part
  for (const [mark, least] of [
    ['\n\n', 0.5],
    ['\n', 0.5],
    [' ', 0.75],
  ] as const) {
    const at = part.lastIndexOf(mark)
    if (at >= length * least) return at + mark.length
  }
  return findCharacterEnd(part, after)
}

/** The last place that is not within a character and its marks. */
function findCharacterEnd(part: string, after: string): number {
  const from = Math.max(0, part.length - maxCharacter)
  let end = 0
  // Loading `Intl` takes milliseconds.
  segmenter ??= new Intl.Segmenter()
  for (const { index } of segmenter.segment(part.slice(from) + after))
    if (from + index <= part.length) end = from + index
  return end > 0 ? end : part.length
}

let segmenter: Intl.Segmenter | undefined
/** A longer one is cut. */
const maxCharacter = 40

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
