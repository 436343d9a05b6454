import { type Anchor, isSource, readRole } from './compare-order.ts'
import { countsOther, fitsOnlyOther, fitsOther } from './neighbour-words.ts'
import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { isIn, isInOpening, isOwn, ownerOf, type Segment, segmentAt, tokensOf, toSegments } from './segments.ts'
import { units } from './units.ts'
import { findOpposite, hasKin, toContentWords } from './words.ts'

/*
 * Finds numbers that a claim attributes to another subject, time, place or direction than its evidence does.
 *
 * Claim and evidence are cut into segments, each a number with its words (`segments.ts`). For every number, the segment
 * that states it in the claim is compared with those that state it in the evidence, its homes. A rule applies only if it
 * holds for every home.
 *
 * It is hard because there is no parser: the rules read word order, prepositions and shared words. Each was added for
 * sentences that `test/summaries` measures, so a change must be measured there, on false claims and on true paraphrases.
 */

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

/** A number that the claim attributes to something else than its evidence does. */
export function findMispairing(pairing: Pairing): { reason: 'exchanged' | 'says_opposite'; about: string } | undefined {
  const { mine, theirs } = toBothSegments(pairing)
  for (const number of pairing.numbers) {
    if (number.places.length === 0) continue
    const said = segmentAt(mine, number.quantity.at)
    const homes = number.places.map((place) => segmentAt(theirs, place.at))
    const statement = { ...pairing, ...number, mine, theirs, said, homes, topics: toTopics(pairing) }
    const rule = rules.find(({ applies }) => applies(statement))
    if (rule) return { reason: rule.reason, about: pairing.claim[number.quantity.at]!.text }
  }
  return undefined
}

/** One number of the claim. */
export interface Statement extends Pairing, PairedNumber {
  /** The segments of the claim and of the evidence. */
  readonly mine: readonly Segment[]
  readonly theirs: readonly Segment[]
  /** The segment of the claim that states it. */
  readonly said: Segment
  /** The segments of the evidence that state it, one per place. */
  readonly homes: readonly Segment[]
  /** Words of the claim for what the whole evidence is about. */
  readonly topics: readonly string[]
}

const rules: readonly { reason: 'exchanged' | 'says_opposite'; applies: (statement: Statement) => boolean }[] = [
  { reason: 'exchanged', applies: countsOther },
  {
    reason: 'exchanged',
    applies: (one) =>
      fitsOnlyOther(
        one,
        otherSegments(one, ({ kind }) => kind !== 'date'),
      ),
  },
  { reason: 'says_opposite', applies: saysOpposite },
  { reason: 'exchanged', applies: hasOtherYear },
  { reason: 'exchanged', applies: hasOtherDeadline },
  { reason: 'exchanged', applies: hasOtherPlace },
  { reason: 'exchanged', applies: hasOtherAnchor },
  { reason: 'exchanged', applies: (one) => fitsOther(one, toRivals(one)) },
]

function saysOpposite({ claim, said, evidence, homes }: Statement): boolean {
  return homes.every(
    (home) => findOpposite(tokensOf(claim, said), tokensOf(evidence, home).concat(home.lead)) !== undefined,
  )
}

/** Every home has a year beside it, and it is not the year of the claim. */
function hasOtherYear(statement: Statement): boolean {
  const { evidence, homes } = statement
  const dated = yearsBeside(statement)
  const isYearBefore = (home: Segment) => {
    const text = tokensOf(evidence, home).map(({ lower }) => lower).join(' ') // biome-ignore format: one line
    return yearBefore.test(text)
  }
  const hasYear = (home: Segment) => yearsOf(statement, home).length > 0 || isYearBefore(home)
  const saysYear = (home: Segment) =>
    dated.some(({ places }) => places.some((at) => yearsOf(statement, home).includes(at)))
  return dated.length > 0 && homes.every((home) => hasYear(home) && !saysYear(home))
}

const yearBefore =
  /(?<!\b(?:from|than|over|on|to|with) (?:the |a )?)\b(?:previous|prior|preceding) year|year (?:earlier|before)\b/

/** The claim says "by 2034", and the evidence says "by" of another year beside the number. */
function hasOtherDeadline(statement: Statement): boolean {
  const { claim, evidence, homes } = statement
  const dated = yearsBeside(statement)
  const isOther = ({ at: here, places }: Anchor, home: Segment) => {
    const role = readRole(claim, here)
    const hasRole = (at: number) => readRole(evidence, at) === role
    return role !== undefined && !places.some(hasRole) && yearsOf(statement, home).some(hasRole)
  }
  return homes.every((home) => dated.some((one) => isOther(one, home)))
}

/** Every home names a place, and it is not the place that the claim names. */
function hasOtherPlace({ claim, evidence, anchors, names, theirs, said, homes }: Statement): boolean {
  const isPlace = (at: number) => readRole(evidence, at) === 'in'
  const named = anchors.filter(({ kind, at }) => kind === 'name' && isIn(said, at) && readRole(claim, at) === 'in')
  const isOther = ({ places }: Anchor, home: Segment) => {
    const there = names.filter((at) => isIn(home, at) && isPlace(at))
    return (
      there.length > 0 &&
      !places.some((at) => there.includes(at)) &&
      !places.some((at) => isPlace(at) && isOwn(theirs, evidence, { home, at }))
    )
  }
  return homes.every((home) => named.some((one) => isOther(one, home)))
}

/** A name or date beside the number belongs to another number of its kind in the evidence, and to no home. */
function hasOtherAnchor(statement: Statement): boolean {
  const { evidence, theirs, homes } = statement
  const rivals = toRivals(statement)
  return anchorsBeside(statement).some(
    ({ at: here, places }) =>
      // The first word of a sentence is written like a name, and may be its subject throughout.
      !(here === 0 && places.every((at) => at === 0)) &&
      !isTopic(statement, places) &&
      places.some((at) => rivals.includes(ownerOf(theirs, evidence, at))) &&
      !homes.some((home) => places.some((at) => isOwn(theirs, evidence, { home, at }))),
  )
}

/** Names and dates in the segment of the number, or in an adjacent one without a number. */
function anchorsBeside({ claim, anchors, mine, said }: Statement): Anchor[] {
  const near = mine.filter((one) => one === said || (one.numbers === 0 && Math.abs(one.index - said.index) === 1))
  return anchors.filter(
    ({ at, kind }) =>
      !kind.startsWith('number:') &&
      claim[segmentAt(mine, at).start]!.lower !== 'according' &&
      near.some((one) => isIn(one, at)),
  )
}

function yearsBeside(statement: Statement): Anchor[] {
  return anchorsBeside(statement).filter(({ places }) => places.every((at) => statement.years.includes(at)))
}

function yearsOf({ years, theirs }: Statement, home: Segment): number[] {
  return years.filter((at) => isIn(home, at) || isInOpening(theirs, home, at))
}

/** Segments of the evidence that state another number of the same kind, and not this one. */
function toRivals(statement: Statement): Segment[] {
  return otherSegments(statement, ({ kind }) => kind === statement.kind)
}

function otherSegments(
  { quoted, quantity, theirs, homes }: Statement,
  isRelevant: (number: Pairing['quoted'][number]) => boolean,
): Segment[] {
  return quoted
    .filter((one) => isRelevant(one) && one.quantity.value !== quantity.value)
    .map((one) => segmentAt(theirs, one.quantity.at))
    .filter((segment) => !homes.includes(segment))
}

function toTopics(pairing: Pairing): string[] {
  return pairing.anchors
    .filter(({ places }) => isTopic(pairing, places))
    .flatMap(({ at }) => toContentWords([pairing.claim[at]!]))
}

/** Whether a name or year is about the whole sentence: its only year, its only name that is not a place, or its source. */
function isTopic({ evidence, years, names }: Pairing, places: readonly number[]): boolean {
  if (places.every((at) => years.includes(at))) return years.every((at) => places.includes(at))
  if (places.some((at) => isSource(evidence, at))) return true
  // "70,000 firms and 650,000 workers in the US": a place at the end is that of all numbers before it.
  const isPlace = (at: number) => names.includes(at) && readRole(evidence, at) === 'in'
  const comma = evidence.findLastIndex(({ text }) => text === ',')
  const isLast = (at: number) =>
    at >= evidence.length - 4 && evidence.slice(comma + 1, at).filter(({ kind }) => kind === 'number').length > 1
  if (places.every((at) => isPlace(at) && isLast(at)) && names.filter(isPlace).length === places.length) return true
  return names.every((at) => places.includes(at)) && places.some((at) => readRole(evidence, at) === undefined)
}

/** The numbers of a claim beside words that belong only to them in the evidence, and beside none of another number. */
export function findAnchored(pairing: Pairing): ReadonlySet<number> {
  const { claim, evidence, numbers, quoted } = pairing
  const { mine, theirs } = toBothSegments(pairing)
  const anchored = numbers.filter(({ quantity, places }) => {
    const said = segmentAt(mine, quantity.at)
    const words = toContentWords(tokensOf(claim, said)).filter((word) => !units.has(word))
    const [counted] = toContentWords(claim.slice(quantity.end, quantity.end + 2))
    const counts = (one: Quantity) => counted !== undefined && hasKin(evidence.slice(one.end, one.end + 2), counted)
    return places.some(({ at }) => {
      const home = segmentAt(theirs, at)
      if (said.numbers > 1 || home.numbers > 1)
        return (
          places.some(counts) && !quoted.some((one) => one.quantity.value !== quantity.value && counts(one.quantity))
        )
      const others = theirs.filter((one) => one !== home && one.numbers > 0)
      const has = (segment: Segment, word: string) => hasKin([...segment.lead, ...tokensOf(evidence, segment)], word)
      const isOther = (word: string) => others.some((one) => has(one, word))
      return (
        words.some((word) => hasKin(tokensOf(evidence, home), word) && !isOther(word)) &&
        !words.some((word) => isOther(word) && !has(home, word))
      )
    })
  })
  return new Set(anchored.map(({ quantity }) => quantity.at))
}

function toBothSegments({ claim, evidence, numbers, quoted }: Pairing) {
  const quantities = (all: readonly { readonly quantity: Quantity }[]) => all.map(({ quantity }) => quantity)
  return { mine: toSegments(claim, quantities(numbers)), theirs: toSegments(evidence, quantities(quoted)) }
}
