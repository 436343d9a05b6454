/**
 * Shortens text to at most `max` UTF-16 code units, including the ellipsis, and makes it well-formed. Redact secrets
 * first: a secret that is cut in two is no longer recognized.
 */
export function shorten(text: string, max: number, { ellipsis = '…' }: { ellipsis?: string } = {}): string {
  if (text.length <= max) return text.toWellFormed()
  return text.slice(0, findCut(text, max - ellipsis.length)).toWellFormed() + ellipsis
}

interface Ends {
  readonly start: number
  readonly end: number
  /** The replacement of the middle, given its number of code units. */
  readonly gap: (omitted: number) => string
}

/** Keeps at most `start` and `end` code units of a text and replaces the middle. */
export function shortenMiddle(text: string, { start, end, gap }: Ends): string {
  if (text.length <= start + end) return text.toWellFormed()
  const from = findCut(text, start)
  const to = unitAt(text, text.length - end).end
  return text.slice(0, from).toWellFormed() + gap(to - from) + text.slice(to).toWellFormed()
}

/** The last place at or before `max` where text can be cut without splitting an emoji, a letter with marks, or an escape. */
export function findCut(text: string, max: number): number {
  return unitAt(text, max).start
}

interface Unit {
  readonly start: number
  readonly end: number
}

/** The unit that a cut here would split. Empty if the cut splits nothing. */
function unitAt(text: string, at: number): Unit {
  if (at <= 0) return { start: 0, end: 0 }
  if (at >= text.length) return { start: text.length, end: text.length }
  const nothing = { start: at, end: at }
  const grapheme = graphemeAt(text, at) ?? nothing
  const escaped = escapeAt(text, at) ?? nothing
  return { start: Math.min(grapheme.start, escaped.start), end: Math.max(grapheme.end, escaped.end) }
}

/** Longer graphemes and escapes may be split. */
const reach = 64

let graphemes: Intl.Segmenter | undefined

function graphemeAt(text: string, at: number): Unit | undefined {
  // No character below U+0300 combines with the one before it, and loading `Intl` takes milliseconds.
  if (text.charCodeAt(at) < 0x300 && text[at] !== '\n') return undefined
  graphemes ??= new Intl.Segmenter()
  const from = Math.max(0, at - reach)
  const { index, segment } = graphemes.segment(text.slice(from, at + reach)).containing(at - from)!
  const start = from + index
  if (start === at) return undefined
  if (segment.length < reach) return { start, end: start + segment.length }
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1)) ? { start: at - 1, end: at + 1 } : undefined
}

/** JSON escapes, escapes written by `escapeHidden`, and terminal control sequences. */
const escapes = /\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2}|.)|\x1b\[[0-?]*[ -/]*[@-~]/gis

function escapeAt(text: string, at: number): Unit | undefined {
  const from = Math.max(0, at - reach)
  const nearby = text.slice(from, at + reach)
  if (!nearby.includes('\\') && !nearby.includes('\x1b')) return undefined
  for (const { index, 0: found } of nearby.matchAll(escapes)) {
    const unit = { start: from + index, end: from + index + found.length }
    if (unit.start < at && unit.end > at) return unit
  }
  return undefined
}
