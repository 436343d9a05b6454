import { isJoint } from './clauses.ts'
import { type Anchor, isSource, readRole } from './compare-order.ts'
import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { units } from './units.ts'
import { findOpposite, hasKin, isDirection, toContentWords } from './words.ts'

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
  /** Where the evidence has a name. */
  readonly names: readonly number[]
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
    const elsewhere = quoted
      .filter((one) => one.kind !== 'date' && one.quantity.value !== quantity.value)
      .map((one) => segmentAt(theirs, one.quantity.at))
      .filter((segment) => !homes.includes(segment))
    const topics = anchors.filter(({ places: all }) => isTopic(pairing, all)).flatMap(({ at }) => toContentWords([claim[at]!])) // biome-ignore format: one line
    const stated = { claim, said, quantity, evidence, topics }
    if (homes.every((home) => fitsOnlyOther(stated, home, elsewhere))) return { reason: 'exchanged', about }
    const isTurned = (home: Segment) =>
      findOpposite(tokensOf(claim, said), tokensOf(evidence, home).concat(home.lead)) !== undefined
    if (homes.every(isTurned)) return { reason: 'says_opposite', about }
    const near = mine.filter((one) => one === said || (one.numbers === 0 && Math.abs(one.index - said.index) === 1))
    const beside = anchors.filter(
      ({ at, kind: other }) =>
        !other.startsWith('number:') &&
        claim[segmentAt(mine, at).start]!.lower !== 'according' &&
        near.some((one) => isIn(one, at)),
    )
    // A number that has a year beside it has no other.
    const dated = beside.filter(({ places: all }) => all.every((at) => years.includes(at)))
    const yearsOf = (home: Segment) => years.filter((at) => isIn(home, at) || isLead(theirs, home, at))
    const isYearBefore = (home: Segment) => /(?<!\b(?:from|than|over|on|to|with) (?:the |a )?)\b(?:previous|prior|preceding) year|year (?:earlier|before)\b/.test(tokensOf(evidence, home).map(({ lower }) => lower).join(' ')) // biome-ignore format: one line
    const hasYear = (home: Segment) => yearsOf(home).length > 0 || isYearBefore(home)
    const saysYear = (home: Segment) => dated.some(({ places: all }) => all.some((at) => yearsOf(home).includes(at)))
    if (dated.length > 0 && homes.every((home) => hasYear(home) && !saysYear(home)))
      return { reason: 'exchanged', about }
    // "By 2034" is not "by 2025" where that is said of another year.
    const isOtherYear = ({ at: here, places: all }: Anchor, home: Segment) => {
      const role = readRole(claim, here)
      return role !== undefined && !all.some((at) => readRole(evidence, at) === role) && yearsOf(home).some((at) => readRole(evidence, at) === role) // biome-ignore format: one line
    }
    if (homes.every((home) => dated.some((one) => isOtherYear(one, home)))) return { reason: 'exchanged', about }
    // Nor has one with a place beside it.
    const placesOf = (home: Segment) => pairing.names.filter((at) => isIn(home, at) && readRole(evidence, at) === 'in')
    const isAway = ({ at: here, places: all }: Anchor, home: Segment) =>
      isIn(said, here) && readRole(claim, here) === 'in' && placesOf(home).length > 0 && !all.some((at) => placesOf(home).includes(at)) && !all.some((at) => readRole(evidence, at) === 'in' && isOwn(theirs, evidence, { home, at })) // biome-ignore format: one line
    const named = anchors.filter((one) => one.kind === 'name')
    if (homes.every((home) => named.some((one) => isAway(one, home)))) return { reason: 'exchanged', about }
    if (rivals.length === 0) continue
    const isElsewhere = ({ at: here, places: all }: Anchor) =>
      // The first word of a sentence is written as a name, and may be its subject throughout.
      !(here === 0 && all.every((at) => at === 0)) &&
      !isTopic(pairing, all) &&
      all.some((at) => rivals.includes(ownerOf(theirs, evidence, at))) &&
      !homes.some((home) => all.some((at) => isOwn(theirs, evidence, { home, at })))
    if (beside.some(isElsewhere)) return { reason: 'exchanged', about }
    if (places.every((place, index) => fitsOther(stated, { home: homes[index]!, place, rivals })))
      return { reason: 'exchanged', about }
  }
  return undefined
}

/** The numbers of a claim that stand beside words which only they have in the evidence, and beside none of another's. */
export function findAnchored({ claim, evidence, numbers, quoted }: Pairing): ReadonlySet<number> {
  const mine = toSegments(claim, numbers.map(({ quantity }) => quantity)) // biome-ignore format: one line
  const theirs = toSegments(evidence, quoted.map(({ quantity }) => quantity)) // biome-ignore format: one line
  const anchored = numbers.filter(({ quantity, places }) => {
    const said = segmentAt(mine, quantity.at)
    const words = toContentWords(tokensOf(claim, said)).filter((word) => !units.has(word))
    return places.some(({ at }) => {
      const home = segmentAt(theirs, at)
      const others = theirs.filter((one) => one !== home && one.numbers > 0)
      const counted = toContentWords(claim.slice(quantity.end, quantity.end + 2))[0]
      const counts = (one: Quantity) => counted !== undefined && hasKin(evidence.slice(one.end, one.end + 2), counted)
      if (said.numbers > 1 || home.numbers > 1) return places.some(counts) && !quoted.some((one) => one.quantity.value !== quantity.value && counts(one.quantity)) // biome-ignore format: one line
      const isOther = (word: string) => others.some((one) => hasKin([...one.lead, ...tokensOf(evidence, one)], word))
      return words.some((word) => hasKin(tokensOf(evidence, home), word) && !isOther(word)) && !words.some((word) => isOther(word) && !hasKin([...home.lead, ...tokensOf(evidence, home)], word)) // biome-ignore format: one line
    })
  })
  return new Set(anchored.map(({ quantity }) => quantity.at))
}

/** Whether a name or year is that of the whole sentence: the only year, the only name and no place, or whoever says it all. */
function isTopic({ evidence, years, names }: Pairing, places: readonly number[]): boolean {
  if (places.every((at) => years.includes(at))) return years.every((at) => places.includes(at))
  if (places.some((at) => isSource(evidence, at))) return true
  // "70,000 firms and 650,000 workers in the US": a place at the end is that of all that is joined.
  const isPlace = (at: number) => names.includes(at) && readRole(evidence, at) === 'in'
  const from = evidence.findLastIndex(({ text }) => text === ',')
  const isLast = (at: number) => at >= evidence.length - 4 && evidence.slice(from + 1, at).filter(({ kind }) => kind === 'number').length > 1 // biome-ignore format: one line
  if (places.every((at) => isPlace(at) && isLast(at)) && names.filter(isPlace).length === places.length) return true
  return names.every((at) => places.includes(at)) && places.some((at) => readRole(evidence, at) === undefined)
}

/** Whether a place is in what a sentence begins with, before the first number: "In 2023, sales were 5". */
function isLead(segments: readonly Segment[], home: Segment, at: number): boolean {
  const first = segments[0]!
  return isIn(first, at) && first.end - first.start <= 5 && home.index === 1
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
  const isNumber = (at: number) =>
    numbers.some(
      (one) => (one.unit !== undefined || !/^(?:1[89]|20)\d\d$/.test(one.value)) && at >= one.at - 1 && at <= one.at,
    )
  let start = 0
  let isRange = false
  const close = (end: number) => {
    const inside = numbers.filter((one) => one.at >= start && one.at < end)
    const first = inside[0]?.at ?? end
    const isPart = /^includ/.test(tokens[start + 1]?.lower ?? '')
    const isBare =
      inside.length > 0 && toContentWords(tokens.slice(start, first)).every((word) => word.startsWith('includ'))
    const isAlone = isBare && !tokens.slice(inside[0]!.end, end).some((token) => /^\p{Ll}/u.test(token.text) && toContentWords([token]).length > 0) // biome-ignore format: one line
    const before = segments.findLast((one) => one.numbers > 0)
    const counted = before && numbers.find((one) => one.at >= before.start)!
    // Its subject, and what is counted.
    const isShared =
      segments.length > 0 && /^(?:and|but)$/.test(tokens[start]!.lower) && sharesSubject(tokens, start + 1)
    const subject = isShared ? tokens.slice(0, numbers[0]?.at ?? 0) : []
    const outside = segments.at(tokens[start]!.text === '(' ? -1 : -2)
    const isAside = inside.length > 0 && outside && /^[()]$/.test(tokens[start]!.text)
    const lead = isAside ? [...outside.lead, ...tokensOf(tokens, outside)] : isShared ? subject : isBare && before && counted ? [...before.lead, ...tokens.slice(before.start, counted.at), ...toCounted(tokens, counted, isAlone && !isPart)] : [] // biome-ignore format: one line
    segments.push({ index: segments.length, start, end, numbers: inside.length, lead })
  }
  for (const [at, { lower, text }] of tokens.entries()) {
    if (at === start) continue
    const isSpan = /^(?:rang\w*|anywhere|var(?:y|ies))$/.test(tokens[at - 1]?.lower ?? '')
    const isComparison =
      !isSpan && (lower === 'from' || (lower === 'to' && isRange)) && isNumber(skipAsides(tokens, at + 1))
    const isRangeEnd = lower === 'and' && isNumber(at - 1) && isNumber(skipAsides(tokens, at + 1)) && tokens.slice(Math.max(0, at - 5), at).some((one) => one.lower === 'between') // biome-ignore format: one line
    const isCut = !isRangeEnd && !isGloss(tokens, at) && (isJoint(tokens, at) || (/^[,;()]$/.test(text) && (text === '(' || (tokens[at + 1]?.spaced ?? true)))) // biome-ignore format: one line
    const isOr = lower === 'or' && isNumber(skipAsides(tokens, at + 1)) && !numbers.some((one) => one.end === at) && numbers.some((one) => one.at >= start && one.at < at) // biome-ignore format: one line
    const isNext =
      isOr || (/^(?:after|before|against)$/.test(lower) && numbers.some((one) => one.at >= start && one.at < at))
    if (!isCut && !isComparison && !isNext && !/^(?:compared|versus|vs)$/.test(lower)) continue
    if (lower === 'to' || isCut) isRange = false
    if (lower === 'from' && isComparison) isRange = true
    close(at)
    start = at
  }
  close(tokens.length)
  return segments
}

/** Whether a bracket is one of those around a word or two: "earnings per share (EPS)". */
function isGloss(tokens: readonly Token[], at: number): boolean {
  const { text } = tokens[at]!
  const inside = text === '(' ? tokens.slice(at + 1, at + 4) : text === ')' ? tokens.slice(Math.max(0, at - 3), at).reverse() : [] // biome-ignore format: one line
  const end = inside.findIndex((one) => one.text === (text === '(' ? ')' : '('))
  return end > 0 && inside.slice(0, end).every(({ kind }) => kind === 'word')
}

/** Whether a statement goes on with the subject of the one before: "and can hold", "and it costs". */
function sharesSubject(tokens: readonly Token[], at: number): boolean {
  return /^(?:can|could|may|might|will|would|must|should|is|are|was|were|has|have|had|does|do|did|now|also|it|they|he|she|we)$/.test(tokens[at]?.lower ?? '') // biome-ignore format: one line
}

/** The place after words that only say how exact a number is: "from an estimated 5". */
function skipAsides(tokens: readonly Token[], from: number): number {
  let at = from
  while (at < from + 4 && /^(?:an?|the|just|about|around|nearly|almost|roughly|approximately|estimated|over|under|above|below|more|less|than|at|least|most|up|to)$/.test(tokens[at]?.lower ?? '')) at++ // biome-ignore format: one line
  return at
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

/** The segment that a place belongs to: what begins with "though" and has no number goes with the next one. */
function ownerOf(segments: readonly Segment[], tokens: readonly Token[], at: number): Segment {
  const there = segmentAt(segments, at)
  if (there.numbers > 0 || !/^(?:but|though|although|while|whereas)$/.test(tokens.slice(there.start, there.start + 2).find(({ kind }) => kind === 'word')?.lower ?? '')) return there // biome-ignore format: one line
  return segments.slice(there.index).find((one) => one.numbers > 0) ?? there
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
  const there = ownerOf(segments, tokens, at)
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
  /** Words of the claim for what the whole evidence is about. */
  readonly topics: readonly string[]
}

interface Place {
  readonly home: Segment
  readonly place: Quantity
  /** Segments of other numbers of the kind. */
  readonly rivals: readonly Segment[]
}

/** Whether what a claim says beside a number stands beside another one in the evidence, and not beside this one. */
function fitsOther({ claim, said, quantity, evidence, topics }: Said, { home, place, rivals }: Place): boolean {
  const own = [...home.lead, ...tokensOf(evidence, home)]
  const isOther = (word: string) =>
    !units.has(word) &&
    !topics.includes(word) &&
    !hasKin(own, word) &&
    rivals.some((rival) => hasKin(tokensOf(evidence, rival), word))
  const words = toContentWords(tokensOf(claim, said)).filter(
    (word) => !units.has(word) && !isDirection(word) && !word.startsWith('compar'),
  )
  // Enough of what only this number has there.
  const isOwnWord = (word: string) => hasKin(tokensOf(evidence, home), word) && !rivals.some((rival) => hasKin([...rival.lead, ...tokensOf(evidence, rival)], word)) // biome-ignore format: one line
  const [mine, others] = [words.filter(isOwnWord).length, words.filter(isOther).length]
  const isSaid = toContentWords(claim).some(isOwnWord)
  if (!isSaid && others > 0 && toContentWords(tokensOf(evidence, home)).some(isOwnWord)) return true
  const isEnough = mine >= 2 && mine >= others
  // What stands after this number there, and by no other: the claim says it, or at least nothing of another's.
  const beyond = toContentWords(evidence.slice(place.end, home.end)).filter(
    (word) => !units.has(word) && !rivals.some((rival) => hasKin(tokensOf(evidence, rival), word)),
  )
  const after = toContentWords(claim.slice(quantity.end, said.end))
  const isOtherAfter = beyond.length === 0 ? after.some(isOther) : !beyond.some((word) => hasKin(claim, word)) && words.some(isOther) // biome-ignore format: one line
  if (isOtherAfter && !isEnough) return true
  // "The placebo group" for "the treatment group": another word stands before one that both have.
  const heads = toContentWords(tokensOf(evidence, home)).filter((word) => !isDirection(word))
  const isSwapped = words.some((word, index) => {
    const head = heads.indexOf(words[index + 1] ?? '')
    return head > 0 && isOther(word) && !hasKin(claim, heads[head - 1]!) && !isPointing(evidence, heads[head - 1]!)
  })
  if (isSwapped) return true
  // Another subject than the one that stands before this number.
  const subject = toContentWords(own).find((word) => !units.has(word))
  return words[0] !== undefined && isOther(words[0]) && subject !== undefined && !hasKin(claim, subject)
}

/** Whether a word points to what was said before: "of this cohort". */
function isPointing(tokens: readonly Token[], word: string): boolean {
  return tokens.some(
    ({ lower }, at) => lower === word && /^(?:this|these|those|such)$/.test(tokens[at - 1]?.lower ?? ''),
  )
}

/** Whether nothing that a claim says beside a number stands beside it in the evidence, and something stands beside another, of whatever kind. */
function fitsOnlyOther({ claim, said, evidence }: Said, home: Segment, others: readonly Segment[]): boolean {
  const own = [...home.lead, ...tokensOf(evidence, home)]
  const words = toContentWords(tokensOf(claim, said)).filter((word) => !units.has(word))
  if (words.some((word) => hasKin(own, word)) || toContentWords(own).every((word) => units.has(word))) return false
  return words.some((word) => others.some((other) => hasKin(tokensOf(evidence, other), word)))
}
