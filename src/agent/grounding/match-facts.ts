import type { Anchor, EvidenceAnchor } from './compare-order.ts'
import { type DateFound, isSameDate, readDates } from './dates.ts'
import { findName, readNames, toKnown } from './names.ts'
import { findNegations } from './negations.ts'
import type { PairedNumber, Pairing } from './pairing.ts'
import { isSameBound, readRate, readRates } from './qualifiers.ts'
import { isSameQuantity, type Quantity, readQuantities } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { units } from './units.ts'

/** The facts of a claim, and where its evidence has them. */
export interface Facts {
  readonly missing?: {
    readonly reason:
      | 'number_not_in_evidence'
      | 'date_not_in_evidence'
      | 'name_not_in_evidence'
      | 'bound_not_in_evidence'
      | 'rate_not_in_evidence'
    readonly about: string
  }
  readonly anchors: readonly Anchor[]
  readonly evidence: readonly EvidenceAnchor[]
  /** Dates for which the evidence has similar ones. */
  readonly dates: readonly Anchor[]
  /** The tokens of the claim that are names. */
  readonly named: ReadonlySet<number>
  /** How many numbers and dates the claim has. */
  readonly numbers: number
  /** The numbers of both, to compare the words beside them. */
  readonly paired: Pick<Pairing, 'numbers' | 'quoted'>
}

export function matchFacts(claim: readonly Token[], evidence: readonly Token[]): Facts {
  const dates = readDates(claim)
  const quotedDates = readDates(evidence)
  const quantities = readQuantities(claim, dates)
  const quotedQuantities = readQuantities(evidence, quotedDates)
  const anchors: Anchor[] = []
  const pairs: PairedNumber[] = []
  const paired = { numbers: pairs, quoted: quotedQuantities.map((quantity) => ({ quantity, kind: toKind(quantity) })) }
  const nothing = { anchors: [], evidence: [], dates: [], numbers: 0, named: new Set<number>(), paired }
  const rates = readRates(evidence)

  for (const date of dates) {
    const places = quotedDates.filter((one) => isSameDate(date, one)).map(({ at }) => at)
    if (places.length === 0)
      return { ...nothing, missing: { reason: 'date_not_in_evidence', about: show(claim, date) } }
    anchors.push({ kind: 'date', at: date.at, places })
  }
  for (const quantity of quantities.filter((one) => !isArticle(claim, one, evidence))) {
    const same = quotedQuantities.filter((one) => isSameQuantity(quantity, one, evidence, claim))
    const bounded = same.filter((one) => isYear(quantity) || isSameBound(claim, quantity, evidence, one))
    if (same.length > 0 && bounded.length === 0)
      return { ...nothing, missing: { reason: 'bound_not_in_evidence', about: show(claim, quantity) } }
    const rate = readRate(claim, quantity)
    const rated = bounded.filter((one) => rate === undefined || (readRate(evidence, one) ?? rate) === rate)
    const isOther = [...readRates(claim)].some((one) => rates.size > 0 && !rates.has(one) && !isPerOne(one, evidence))
    if (
      bounded.length > 0 &&
      (rated.length === 0 || isOther || (rate !== undefined && !rates.has(rate) && !isPerOne(rate, evidence)))
    )
      return { ...nothing, missing: { reason: 'rate_not_in_evidence', about: show(claim, quantity) } }
    const places = rated.map(({ at }) => at)
    if (!isYear(quantity)) pairs.push({ quantity, kind: toKind(quantity), places: rated })
    const years = quotedDates
      .filter(({ year }) => isYear(quantity) && String(year) === quantity.value)
      .map(({ at }) => at)
    const all = [...places, ...years]
    if (all.length === 0)
      return { ...nothing, missing: { reason: 'number_not_in_evidence', about: show(claim, quantity) } }
    anchors.push({ kind: toKind(quantity), at: quantity.at, places: all })
  }
  const numbers = anchors.length

  const named = new Set<number>()
  const known = toKnown(evidence)
  const isShort = (at: number) => evidence[at - 1]?.text === '(' && evidence[at + 1]?.text === ')'
  for (const name of readNames(claim, known)) {
    if (isTold(name.at, claim, [...dates, ...quantities])) continue
    const places: number[] = []
    for (let at = findName(name, evidence); at !== -1; at = findName(name, evidence, at + 1)) places.push(at)
    if (places.length === 0)
      return { ...nothing, missing: { reason: 'name_not_in_evidence', about: name.words.join(' ') } }
    // An abbreviation that the evidence explains stands for common words: "earnings per share (EPS)".
    if (!places.some(isShort)) anchors.push({ kind: 'name', at: name.at, places })
    for (let at = name.at; at < name.end; at++) named.add(at)
  }
  const denied = findNegations(evidence)
  for (const at of findNegations(claim)) anchors.push({ kind: 'negation', at, places: denied })

  const quoted: EvidenceAnchor[] = [
    ...quotedDates.map((date) => ({ kind: 'date', key: show(evidence, date), at: date.at })),
    ...quotedQuantities.map((one) => ({ kind: toKind(one), key: one.value, at: one.at })),
    ...readNames(evidence, isCommon)
      .filter(({ at }) => !isTold(at, evidence, [...quotedDates, ...quotedQuantities]))
      .map(({ words, at }) => ({ kind: 'name', key: words.join(' ').toLowerCase(), at })),
    ...denied.map((at) => ({ kind: 'negation', key: String(at), at })),
  ]
  const hasRivals = ({ kind }: Anchor) =>
    new Set(quoted.filter((one) => one.kind === kind).map(({ key }) => key)).size > 1
  const rivalDates = anchors.filter(({ kind }) => kind === 'date').filter(hasRivals)
  return { anchors, evidence: quoted, dates: rivalDates, numbers, named, paired }
}

/** "One charge gives" for "per charge". */
function isArticle(claim: readonly Token[], { at }: Quantity, evidence: readonly Token[]): boolean {
  const counted = claim[at + 1]?.lower
  if (claim[at]!.lower !== 'one') return false
  // "The diesel one"
  if (claim[at + 1]?.kind !== 'word') return claim[at - 1]?.kind === 'word'
  return evidence.some(({ lower }, index) => lower === counted && /^(?:per|an?|each|every|single)$/.test(evidence[index - 1]?.lower ?? '')) // biome-ignore format: one line
}

/** "215 miles per charge" for "215 miles on a charge". */
function isPerOne(rate: string, evidence: readonly Token[]): boolean {
  return evidence.some(({ lower }, at) => lower === rate && /^(?:an?|each|every|one|single)$/.test(evidence[at - 1]?.lower ?? '')) // biome-ignore format: one line
}

/** Words at the start of a quote that cannot be names, by their endings. Does not apply to claims. */
function isCommon(word: string): boolean {
  return /^.{3,}(?:ing|tion|sion|ment|ness|ity|ly|ers|ies|ung|ungen|keit|heit)$/u.test(word)
}

/** Whether a word is part of a date or number, or a unit before it: EUR 5. */
function isTold(at: number, tokens: readonly Token[], told: readonly (DateFound | Quantity)[]): boolean {
  return told.some((one) => (one.at <= at && at < one.end) || (one.at === at + 1 && units.has(tokens[at]!.lower)))
}

/** Years are distinguished from counts, so that "in 2024, 5 cars" equals "5 cars in 2024". */
function isYear({ value, unit }: Quantity): boolean {
  return unit === undefined && /^(?:1[5-9]|20)\d\d$/.test(value)
}

function toKind(quantity: Quantity): string {
  return isYear(quantity) ? 'date' : `number:${quantity.unit ?? ''}`
}

function show(tokens: readonly Token[], { at, end }: DateFound | Quantity): string {
  return tokens
    .slice(at, end)
    .map(({ text }) => text)
    .join(' ')
}
