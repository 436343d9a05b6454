import { isJoint } from './clauses.ts'
import type { Anchor } from './compare-order.ts'
import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { units } from './units.ts'
import { findOpposite, hasKin, toContentWords } from './words.ts'

/** A number of a claim, and where its evidence has it. */
export interface PairedNumber {
  readonly quantity: Quantity
  readonly kind: string
  /** The same number in the evidence. */
  readonly places: readonly Quantity[]
}

export interface Pairing {
  readonly claim: readonly Token[]
  readonly evidence: readonly Token[]
  readonly numbers: readonly PairedNumber[]
  /** The numbers of the evidence, with their kinds. */
  readonly quoted: readonly { readonly quantity: Quantity; readonly kind: string }[]
  /** Names and dates of the claim. */
  readonly anchors: readonly Anchor[]
  /** Where the evidence has a year. */
  readonly years: readonly number[]
}

/**
 * A number that a claim gives another time, place, subject or direction than its evidence does. A sentence is cut into segments,
 * each a number with what belongs to it; what a claim says beside a number must not belong to another one there.
 */
export function findMispairing(pairing: Pairing): { reason: 'exchanged' | 'says_opposite'; about: string } | undefined {
  const { claim, evidence, numbers, quoted, anchors, years } = pairing
  const mine = toSegments(claim, numbers.map(({ quantity }) => quantity)) // biome-ignore format: one line
  const theirs = toSegments(evidence, quoted.map(({ quantity }) => quantity)) // biome-ignore format: one line
  for (const { quantity, kind, places } of numbers) {
    if (places.length === 0) continue
    const about = claim[quantity.at]!.text
    const said = segmentAt(mine, quantity.at)
    const homes = places.map((place) => segmentAt(theirs, place.at))
    const rivals = quoted
      .filter((one) => one.kind === kind && one.quantity.value !== quantity.value)
      .map((one) => segmentAt(theirs, one.quantity.at))
      .filter((segment) => !homes.includes(segment))
    const others = quoted.map((one) => one.quantity).filter((one) => one.value !== quantity.value)
    if (countsOther(claim, quantity, { evidence, places, others })) return { reason: 'exchanged', about }
    const elsewhere = others.map((one) => segmentAt(theirs, one.at)).filter((segment) => !homes.includes(segment))
    const stated = { claim, said, quantity, evidence }
    if (homes.every((home) => fitsOnlyOther(stated, home, elsewhere))) return { reason: 'exchanged', about }
    const isTurned = (home: Segment) =>
      findOpposite(tokensOf(claim, said), tokensOf(evidence, home).concat(home.lead)) !== undefined
    if (homes.every(isTurned)) return { reason: 'says_opposite', about }
    const near = mine.filter((one) => one === said || (one.numbers === 0 && Math.abs(one.index - said.index) === 1))
    const beside = anchors.filter(({ at }) => near.some((one) => isIn(one, at)))
    // A number that has a year beside it has no other.
    const dated = beside.filter(({ places: all }) => all.every((at) => years.includes(at)))
    const hasYear = (home: Segment) => years.some((at) => isIn(home, at))
    const saysYear = (home: Segment) => dated.some(({ places: all }) => all.some((at) => isIn(home, at)))
    if (dated.length > 0 && homes.every((home) => hasYear(home) && !saysYear(home)))
      return { reason: 'exchanged', about }
    if (rivals.length === 0) continue
    const isElsewhere = ({ at: here, places: all }: Anchor) =>
      // The first word of a sentence is written as a name, and may be its subject throughout.
      !(here === 0 && all.every((at) => at === 0)) &&
      all.some((at) => rivals.includes(segmentAt(theirs, at))) &&
      !homes.some((home) => all.some((at) => isOwn(theirs, evidence, { home, at })))
    if (beside.some(isElsewhere)) return { reason: 'exchanged', about }
    if (places.every((place, index) => fitsOther(stated, { home: homes[index]!, place, rivals })))
      return { reason: 'exchanged', about }
  }
  return undefined
}

interface Segment {
  readonly index: number
  readonly start: number
  readonly end: number
  /** How many numbers it has. */
  readonly numbers: number
  /** What it takes over from the one before, where it says only a number: "3 in Lyon and 4 in Porto". */
  readonly lead: readonly Token[]
}

/** Cuts where a statement ends, at commas, and before what a number is compared with. */
function toSegments(tokens: readonly Token[], numbers: readonly Quantity[]): Segment[] {
  const segments: Segment[] = []
  const isNumber = (at: number) => numbers.some((one) => at >= one.at - 1 && at <= one.at)
  let start = 0
  let isRange = false
  const close = (end: number) => {
    const inside = numbers.filter((one) => one.at >= start && one.at < end)
    const first = inside[0]?.at ?? end
    const isBare = inside.length > 0 && toContentWords(tokens.slice(start, first)).length === 0
    const isAlone = isBare && !tokens.slice(inside[0]!.end, end).some((token) => /^\p{Ll}/u.test(token.text) && toContentWords([token]).length > 0) // biome-ignore format: one line
    const before = segments.findLast((one) => one.numbers > 0)
    const counted = before && numbers.find((one) => one.at >= before.start)!
    // Its subject, and what is counted.
    const lead = isBare && before && counted ? [...before.lead, ...tokens.slice(before.start, counted.at), ...toCounted(tokens, counted, isAlone)] : [] // biome-ignore format: one line
    segments.push({ index: segments.length, start, end, numbers: inside.length, lead })
  }
  for (const [at, { lower, text }] of tokens.entries()) {
    if (at === start) continue
    const isComparison = (lower === 'from' || (lower === 'to' && isRange)) && isNumber(at + 1)
    const isCut = isJoint(tokens, at) || (/^[,;()]$/.test(text) && (tokens[at + 1]?.spaced ?? true))
    const isNext = /^(?:after|before|against)$/.test(lower) && numbers.some((one) => one.at >= start && one.at < at)
    if (!isCut && !isComparison && !isNext && !/^(?:compared|versus|vs)$/.test(lower)) continue
    if (lower === 'to' || isCut) isRange = false
    if (lower === 'from' && isComparison) isRange = true
    close(at)
    start = at
  }
  close(tokens.length)
  return segments
}

/** What a number counts, to be taken over: a word, or all up to the next preposition by a number that stands alone. */
function toCounted(tokens: readonly Token[], { end }: Quantity, isAlone: boolean): Token[] {
  const rest = tokens.slice(end, end + (isAlone ? 5 : 1))
  const until = rest.findIndex(
    ({ lower, kind }) => kind === 'sign' || /^(?:in|on|at|for|by|to|from|with|during|as)$/.test(lower),
  )
  return until === -1 ? rest : rest.slice(0, until)
}

function segmentAt(segments: readonly Segment[], at: number): Segment {
  return segments.find((one) => isIn(one, at)) ?? segments.at(-1)!
}

function isIn({ start, end }: Segment, at: number): boolean {
  return at >= start && at < end
}

function tokensOf(tokens: readonly Token[], { start, end }: Segment): Token[] {
  return tokens.slice(start, end)
}

/** Whether a place belongs to a segment: it is in it, in what it takes over, or in one beside it that has no number. */
function isOwn(
  segments: readonly Segment[],
  tokens: readonly Token[],
  { home, at }: { home: Segment; at: number },
): boolean {
  const there = segmentAt(segments, at)
  if (there === home || (there.numbers === 0 && Math.abs(there.index - home.index) === 1)) return true
  const before = segments.slice(0, home.index).findLast((one) => one.numbers > 0)
  return there === before && home.lead.some(({ start }) => start === tokens[at]!.start)
}

/** Whether the word that a claim counts is counted by another number there: "40 teachers" for "3 teachers for 40 pupils". */
function countsOther(
  claim: readonly Token[],
  { end }: Quantity,
  {
    evidence,
    places,
    others,
  }: { evidence: readonly Token[]; places: readonly Quantity[]; others: readonly Quantity[] },
): boolean {
  const next = claim[end]
  const [word] = next?.kind === 'word' ? toContentWords([next]) : []
  if (word === undefined) return false
  const counts = (one: Quantity, reach: number) => hasKin(evidence.slice(one.end, one.end + reach), word)
  // A number alone takes its word over: "3 teachers in Lyon, 4 in Porto".
  const isAlone = (one: Quantity) => toContentWords(evidence.slice(one.end, one.end + 1)).length === 0
  return others.some((one) => counts(one, 1)) && !places.some((one) => isAlone(one) || counts(one, 5))
}

interface Said {
  readonly claim: readonly Token[]
  readonly said: Segment
  readonly quantity: Quantity
  readonly evidence: readonly Token[]
}

interface Place {
  readonly home: Segment
  readonly place: Quantity
  /** Segments of other numbers of the kind. */
  readonly rivals: readonly Segment[]
}

/** Whether what a claim says beside a number stands beside another one in the evidence, and not beside this one. */
function fitsOther({ claim, said, quantity, evidence }: Said, { home, place, rivals }: Place): boolean {
  const own = [...home.lead, ...tokensOf(evidence, home)]
  const isOther = (word: string) =>
    !units.has(word) && !hasKin(own, word) && rivals.some((rival) => hasKin(tokensOf(evidence, rival), word))
  const words = toContentWords(tokensOf(claim, said)).filter((word) => !units.has(word))
  // What stands after this number there, and by no other: the claim says it, or at least nothing of another's.
  const beyond = toContentWords(evidence.slice(place.end, home.end)).filter(
    (word) => !units.has(word) && !rivals.some((rival) => hasKin(tokensOf(evidence, rival), word)),
  )
  const after = toContentWords(claim.slice(quantity.end, said.end))
  if (beyond.length === 0 ? after.some(isOther) : !beyond.some((word) => hasKin(claim, word)) && words.some(isOther))
    return true
  // "The placebo group" for "the treatment group": another word stands before one that both have.
  const heads = toContentWords(tokensOf(evidence, home))
  const isSwapped = words.some((word, index) => {
    const head = heads.indexOf(words[index + 1] ?? '')
    return head > 0 && isOther(word) && !hasKin(claim, heads[head - 1]!)
  })
  if (isSwapped) return true
  // Another subject than the one that stands before this number.
  const subject = toContentWords(own).find((word) => !units.has(word))
  return words[0] !== undefined && isOther(words[0]) && subject !== undefined && !hasKin(claim, subject)
}

/** Whether nothing that a claim says beside a number stands beside it in the evidence, and something stands beside another, of whatever kind. */
function fitsOnlyOther({ claim, said, evidence }: Said, home: Segment, others: readonly Segment[]): boolean {
  const own = [...home.lead, ...tokensOf(evidence, home)]
  const words = toContentWords(tokensOf(claim, said)).filter((word) => !units.has(word))
  if (words.some((word) => hasKin(own, word)) || toContentWords(own).every((word) => units.has(word))) return false
  return words.some((word) => others.some((other) => hasKin(tokensOf(evidence, other), word)))
}
