import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { isJoint } from './read-tokens.ts'
import { toContentWords } from './words.ts'

/** A part of a sentence: usually one number with the words that belong to it. */
export interface Segment {
  readonly index: number
  readonly start: number
  readonly end: number
  /** How many numbers it has. */
  readonly numbers: number
  /** Words that it implies and an earlier segment states: "3 teachers in Lyon and 4 in Porto". */
  readonly lead: readonly Token[]
}

/** Cuts a sentence between statements, at commas and parentheses, and before the value that a number is compared with. */
export function toSegments(tokens: readonly Token[], numbers: readonly Quantity[]): Segment[] {
  const segments: Segment[] = []
  let start = 0
  let isRange = false
  const close = (end: number) => {
    const count = numbers.filter((one) => one.at >= start && one.at < end).length
    const lead = toLead({ tokens, numbers, segments }, start, end)
    segments.push({ index: segments.length, start, end, numbers: count, lead })
  }
  const isNumber = (at: number) => numbers.some((one) => !isYear(one) && at >= one.at - 1 && at <= one.at)
  for (const [at, { lower, text }] of tokens.entries()) {
    if (at === start) continue
    const isNumberNext = () => isNumber(skipApproximation(tokens, at + 1))
    const hasNumber = () => numbers.some((one) => one.at >= start && one.at < at)
    const isSpan = /^(?:rang\w*|anywhere|var(?:y|ies))$/.test(tokens[at - 1]?.lower ?? '')
    const isComparison = !isSpan && (lower === 'from' || (lower === 'to' && isRange)) && isNumberNext()
    const isBetween = tokens.slice(Math.max(0, at - 5), at).some((one) => one.lower === 'between')
    const isRangeEnd = lower === 'and' && isBetween && isNumber(at - 1) && isNumberNext()
    const isSign = /^[,;()]$/.test(text) && (text === '(' || (tokens[at + 1]?.spaced ?? true))
    const isCut = !isRangeEnd && !isGloss(tokens, at) && (isJoint(tokens, at) || isSign)
    const isAlternative = lower === 'or' && isNumberNext() && !numbers.some((one) => one.end === at)
    const isNext = (isAlternative || /^(?:after|before|against)$/.test(lower)) && hasNumber()
    if (!isCut && !isComparison && !isNext && !/^(?:compared|versus|vs)$/.test(lower)) continue
    if (lower === 'to' || isCut) isRange = false
    if (lower === 'from' && isComparison) isRange = true
    close(at)
    start = at
  }
  close(tokens.length)
  return segments
}

function isYear({ unit, value }: Quantity): boolean {
  return unit === undefined && /^(?:1[89]|20)\d\d$/.test(value)
}

interface Sentence {
  readonly tokens: readonly Token[]
  readonly numbers: readonly Quantity[]
  /** Those before the one in question. */
  readonly segments: readonly Segment[]
}

function toLead({ tokens, numbers, segments }: Sentence, start: number, end: number): readonly Token[] {
  const opening = tokens[start]!
  const inside = numbers.filter((one) => one.at >= start && one.at < end)
  const [first] = inside
  // In parentheses, and after them: what the sentence says around them.
  const outer = segments.at(opening.text === '(' ? -1 : -2)
  if (first && outer && /^[()]$/.test(opening.text)) return [...outer.lead, ...tokensOf(tokens, outer)]
  if (segments.length > 0 && /^(?:and|but)$/.test(opening.lower) && sharesSubject(tokens, start + 1))
    return tokens.slice(0, numbers[0]?.at ?? 0)
  const before = segments.findLast((one) => one.numbers > 0)
  if (!first || !before) return []
  if (!toContentWords(tokens.slice(start, first.at)).every((word) => word.startsWith('includ'))) return []
  // Only a number: it takes over the words before the previous number, and what that counts.
  const counted = numbers.find((one) => one.at >= before.start)!
  const isPart = /^includ/.test(tokens[start + 1]?.lower ?? '')
  const hasOwnWords = tokens
    .slice(first.end, end)
    .some((token) => /^\p{Ll}/u.test(token.text) && toContentWords([token]).length > 0)
  return [
    ...before.lead,
    ...tokens.slice(before.start, counted.at),
    ...toCounted(tokens, counted, !hasOwnWords && !isPart),
  ]
}

/** What a number counts: one word, or for a whole phrase all words up to the next preposition. */
function toCounted(tokens: readonly Token[], { end }: Quantity, isPhrase: boolean): Token[] {
  const rest = tokens.slice(end, end + (isPhrase ? 5 : 1))
  const until = rest.findIndex(
    ({ lower, kind }) => kind === 'sign' || /^(?:in|on|at|for|by|to|from|with|during|as)$/.test(lower),
  )
  return until === -1 ? rest : rest.slice(0, until)
}

/** Whether a parenthesis is one of a pair around a word or two: "earnings per share (EPS)". */
function isGloss(tokens: readonly Token[], at: number): boolean {
  const { text } = tokens[at]!
  if (text !== '(' && text !== ')') return false
  const inside = text === '(' ? tokens.slice(at + 1, at + 4) : tokens.slice(Math.max(0, at - 3), at).reverse()
  const end = inside.findIndex((one) => one.text === (text === '(' ? ')' : '('))
  return end > 0 && inside.slice(0, end).every(({ kind }) => kind === 'word')
}

/** Whether a statement continues with the subject of the one before: "and can hold", "and it costs". */
function sharesSubject(tokens: readonly Token[], at: number): boolean {
  const verbs = /^(?:can|could|may|might|will|would|must|should|is|are|was|were|has|have|had|does|do|did|now|also)$/
  const { lower = '' } = tokens[at] ?? {}
  return verbs.test(lower) || /^(?:it|they|he|she|we)$/.test(lower)
}

/** The place after words that say how exact a number is: "from an estimated 5". */
function skipApproximation(tokens: readonly Token[], from: number): number {
  const words =
    /^(?:an?|the|just|about|around|nearly|almost|roughly|approximately|estimated|over|under|above|below|more|less|than|at|least|most|up|to)$/
  let at = from
  while (at < from + 4 && words.test(tokens[at]?.lower ?? '')) at++
  return at
}

export function segmentAt(segments: readonly Segment[], at: number): Segment {
  return segments.find((one) => isIn(one, at)) ?? segments.at(-1)!
}

export function isIn({ start, end }: Segment, at: number): boolean {
  return at >= start && at < end
}

export function tokensOf(tokens: readonly Token[], { start, end }: Segment): Token[] {
  return tokens.slice(start, end)
}

/** The segment that a place belongs to. One that begins with "though" and has no number belongs to the next number. */
export function ownerOf(segments: readonly Segment[], tokens: readonly Token[], at: number): Segment {
  const there = segmentAt(segments, at)
  if (there.numbers > 0) return there
  const opening = tokens.slice(there.start, there.start + 2).find(({ kind }) => kind === 'word')?.lower ?? ''
  if (!/^(?:but|though|although|while|whereas)$/.test(opening)) return there
  return segments.slice(there.index).find((one) => one.numbers > 0) ?? there
}

/** Whether a place belongs to a segment: it is in it, in its lead, or in an adjacent segment without a number. */
export function isOwn(
  segments: readonly Segment[],
  tokens: readonly Token[],
  { home, at }: { home: Segment; at: number },
): boolean {
  const there = ownerOf(segments, tokens, at)
  if (there === home || (there.numbers === 0 && Math.abs(there.index - home.index) === 1)) return true
  const before = segments.slice(0, home.index).findLast((one) => one.numbers > 0)
  return there === before && home.lead.some(({ start }) => start === tokens[at]!.start)
}

/** Whether a place is in a short opening before the first number: "In 2023, sales were 5". */
export function isInOpening(segments: readonly Segment[], home: Segment, at: number): boolean {
  const first = segments[0]!
  return isIn(first, at) && first.end - first.start <= 5 && home.index === 1
}
