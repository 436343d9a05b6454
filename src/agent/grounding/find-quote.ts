import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { type FoldedText, foldText } from './fold-text.ts'
import { findNegations } from './negations.ts'
import { continuesNumber } from './quantities.ts'
import { isJoint, readTokens, unspaced } from './read-tokens.ts'
import { findPassage, type SummarySource } from './source-text.ts'

export interface QuoteFound {
  /** Offsets in the text of the source. */
  readonly start: number
  readonly end: number
}

export type QuoteReason =
  | 'not_in_source'
  | 'spliced'
  | 'outside_part'
  | 'crosses_fields'
  | 'cuts_word'
  | 'cuts_number'
  | 'cuts_negation'

export interface Range {
  readonly start: number
  readonly end: number
}

/** Finds folded evidence in a range of a source. Returns the first place that is a valid quote. */
export function findQuote(evidence: string, source: SummarySource, range?: Range): QuoteFound | QuoteReason {
  const folded = foldSource(source)
  const from = range ? findIndex(folded.starts, range.start) : 0
  // A source has many parts, and each is searched only for its own quotes.
  const part = range ? folded.text.slice(from, findIndex(folded.starts, range.end)) : folded.text
  let reason: QuoteReason | undefined
  for (const at of findAll(part, evidence)) {
    const found = judge(from + at, evidence, folded, source)
    if (typeof found !== 'string') return found
    reason ??= found
  }
  if (reason) return reason
  if (isSpliced(part, evidence)) return 'spliced'
  const isElsewhere = range && folded.text.length <= maxSearched && !findAll(folded.text, evidence).next().done
  return isElsewhere ? 'outside_part' : 'not_in_source'
}

/** In a long source, evidence that is missing from its part is not searched elsewhere to improve the reason. */
const maxSearched = 200_000

/** The first index whose offset is not before another. */
function findIndex(offsets: Uint32Array, offset: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsets[middle]! < offset) low = middle + 1
    else high = middle
  }
  return low
}

const kept = new WeakMap<SummarySource, FoldedText>()

/** A source is folded once, however many bullets quote it. */
function foldSource(source: SummarySource): FoldedText {
  const folded = kept.get(source) ?? foldText(source.text)
  kept.set(source, folded)
  return folded
}

function judge(at: number, evidence: string, folded: FoldedText, source: SummarySource): QuoteFound | QuoteReason {
  const last = at + evidence.length - 1
  const start = folded.starts[at]!
  const end = folded.ends[last]!
  // One character of the source may be folded to several, and cannot be quoted in part.
  if (at > 0 && folded.ends[at - 1]! > start) return 'cuts_word'
  if (last + 1 < folded.text.length && folded.starts[last + 1]! < end) return 'cuts_word'
  const passage = findPassage(source, start)
  if (!passage || end > passage.end) return 'crosses_fields'
  const before = source.text.slice(Math.max(passage.start, start - reach), start)
  const after = source.text.slice(end, Math.min(passage.end, end + reach))
  if (cutsNumber(before, evidence, after)) return 'cuts_number'
  if (cutsWord(before, evidence, after)) return 'cuts_word'
  return cutsNegation(before, evidence, after) ? 'cuts_negation' : { start, end }
}

/** How much text around a quote is inspected. */
const reach = 240

const letter = `[[\\p{L}\\p{M}\\p{N}_]--[${unspaced}]]`
const joint = "['’_@\\/\\\\\\-‐‑]"
const first = new RegExp(`^${letter}`, 'v')
const last = new RegExp(`${letter}$`, 'v')
const endsInWord = new RegExp(`${letter}${joint}?$`, 'v')
const beginsInWord = new RegExp(`^${joint}?${letter}`, 'v')

/** Whether the evidence starts or ends in the middle of a word. Does not apply to scripts without spaces. */
function cutsWord(before: string, evidence: string, after: string): boolean {
  return (
    (first.test(evidence) && endsInWord.test(stripHidden(before, 'code'))) ||
    (last.test(evidence) && beginsInWord.test(stripHidden(after, 'code')))
  )
}

const numberBefore = /(?:\d[.,:'’/\s-]?|(?:^|[\s(])[-−–]|[$€£¥₹]\s?[-−]?|(?:^|\s)(?:USD|EUR|GBP|CHF|JPY)\s)$/u

/** "5 million" does not quote "1.5 million", nor "rose by 12" "rose by 12 %". */
function cutsNumber(before: string, evidence: string, after: string): boolean {
  if (/^\d/.test(evidence) && numberBefore.test(before)) return true
  const rest = (/^\s/u.test(after) ? ' ' : '') + foldText(after).text
  return /\d$/.test(evidence) && continuesNumber(rest)
}

/** A negation in the same statement, right before or after the quote, was left out by it. */
function cutsNegation(before: string, evidence: string, after: string): boolean {
  const lead = foldText(before.split(/\n\s*\n/).at(-1)!).text
  const rest = foldText(after.split(/\n\s*\n/, 1)[0]!).text
  const start = lead.length + (/\s$/u.test(before) ? 1 : 0)
  const tokens = readTokens(`${lead.padEnd(start)}${evidence}${/^\s/u.test(after) ? ' ' : ''}${rest}`)
  const first = tokens.findIndex((token) => token.end > start)
  const next = tokens.findIndex((token) => token.start >= start + evidence.length)
  const end = next === -1 ? tokens.length : next
  let from = first
  while (from > 0 && !isJoint(tokens, from - 1) && first - from < 40) from--
  let to = end
  if (!isJoint(tokens, end - 1)) while (to < tokens.length && !isJoint(tokens, to) && to - end < 12) to++
  return findNegations(tokens.slice(from, first)).length > 0 || findNegations(tokens.slice(end, to)).length > 0
}

/** Whether the evidence joins separate quotes with an ellipsis or slash. */
function isSpliced(text: string, evidence: string): boolean {
  const parts = evidence.split(/\s*(?:\[?\.{3,}\]?|\[\.\.\.\]| \/ | \| )\s*/).filter((part) => part.length >= 4)
  return parts.length > 1 && parts.length < 20 && parts.every((part) => text.includes(part))
}

const maxPlaces = 50

/** Finds a text in another, in linear time for any input. */
function* findAll(text: string, wanted: string): Generator<number> {
  const back = new Uint32Array(wanted.length)
  for (let at = 1, same = 0; at < wanted.length; at++) {
    while (same > 0 && wanted[at] !== wanted[same]) same = back[same - 1]!
    if (wanted[at] === wanted[same]) same++
    back[at] = same
  }
  for (let at = 0, same = 0, places = 0; at < text.length && places < maxPlaces; at++) {
    while (same > 0 && text[at] !== wanted[same]) same = back[same - 1]!
    if (text[at] === wanted[same]) same++
    if (same < wanted.length) continue
    places++
    yield at - wanted.length + 1
    same = back[same - 1]!
  }
}
