import type { Token } from './read-tokens.ts'
import { toClause } from './read-tokens.ts'
import { toSet } from './word-lists.ts'
import { hasKin, toContentWords } from './words.ts'

/** Something that a claim has in common with its evidence, and where: token indices. */
export interface Anchor {
  /** `name`, `date`, `negation`, or `number:` with its unit: only items of the same kind can be exchanged. */
  readonly kind: string
  readonly at: number
  /** All places where the evidence has it. */
  readonly places: readonly number[]
}

/** Everything in the evidence, matched or not. */
export interface EvidenceAnchor {
  readonly kind: string
  readonly key: string
  readonly at: number
}

/** Whether a claim exchanges names, or which number, date or negation goes with which name. */
export function findExchange(
  claim: readonly Anchor[],
  evidence: readonly EvidenceAnchor[],
  texts?: { readonly claim: readonly Token[]; readonly evidence: readonly Token[] },
): string | undefined {
  const kinds = new Set(claim.map(({ kind }) => kind))
  for (const kind of kinds) {
    const all = claim.filter((anchor) => anchor.kind === kind).sort((one, other) => one.at - other.at)
    const alike = all.filter((anchor) => !(texts && isToldByRole(anchor, all, texts)))
    if (kind !== 'negation' && !hasWay(alike, () => true)) return kind
  }
  const count = (kind: string) => new Set(evidence.filter((one) => one.kind === kind).map(({ key }) => key)).size
  const several = [...kinds].filter((kind) => kind !== 'negation' && count(kind) > 1)
  const pairs = several.flatMap((one, index) => several.slice(index + 1).map((other) => [one, other] as const))
  // A single negation is enough to be moved from one name to another.
  if (kinds.has('negation') && several.includes('name')) pairs.push(['name', 'negation'])
  // The segments of the quote decide what belongs to a number: "In 2020, it fell to 480" may reverse the order.
  const hasNumbers = claim.some(({ kind }) => kind.startsWith('number:'))
  const isPaired = (pair: readonly string[]) =>
    hasNumbers && (pair.some((kind) => kind.startsWith('number:')) || pair.includes('date')) && !pair.every((kind) => kind.startsWith('number:')) // biome-ignore format: one line
  return pairs.find((pair) => !isPaired(pair) && !isBound(pair, claim, evidence))?.[1]
}

/** Words that give a name or number its role in a statement, wherever it occurs. */
const roles = toSet('in at on from to for by of with across among within near than under')
const asides = toSet(
  'the a an its their his her about around nearly almost roughly approximately over under above below than more less at least most up to estimated fiscal some',
)

/** "In the U.S., Acme sold" is "Acme sold in the U.S.": the preposition decides, not the order. */
function isToldByRole(
  anchor: Anchor,
  alike: readonly Anchor[],
  { claim, evidence }: { readonly claim: readonly Token[]; readonly evidence: readonly Token[] },
): boolean {
  const role = readRole(claim, anchor.at)
  // "Bob was beaten by Alice" is "Alice beat Bob", and a source may be named first or last.
  if (anchor.kind === 'name' && anchor.places.some((at) => isTurned(role, readRole(evidence, at)))) return true
  if (anchor.kind === 'name' && isSource(claim, anchor.at)) return true
  if (role === undefined || !anchor.places.some((at) => readRole(evidence, at) === role)) return false
  return alike.every((one) => one === anchor || readRole(claim, one.at) !== role)
}

function isTurned(role: string | undefined, other: string | undefined): boolean {
  const isVoice = (one: string | undefined) => one !== undefined && /^(?:by|with)$/.test(one)
  return (isVoice(role) && other === undefined) || (isVoice(other) && role === undefined)
}

/** Whether a name is a source: "Acme found that", "according to Acme". */
export function isSource(tokens: readonly Token[], at: number): boolean {
  let end = at + 1
  while (end < at + 4 && /^\p{Lu}/u.test(tokens[end]?.text ?? '')) end++
  if (/^(?:said|says|shared|reports|reported|projects|found|finds|noted|notes|revealed|reveals|estimates|estimated|suggests|expects|predicts|announced|claims|claimed)$/.test(tokens[end]?.lower ?? '')) return true // biome-ignore format: one line
  const before = tokens[at - 1]?.lower === 'the' ? at - 2 : at - 1
  return tokens[before]?.lower === 'to' && tokens[before - 1]?.lower === 'according'
}

/** The preposition before a name or number, with at most an article or a bound in between. */
export function readRole(tokens: readonly Token[], at: number): string | undefined {
  let isDescribed = false
  for (let before = at - 1; before >= Math.max(0, at - 5); before--) {
    const { lower, text } = tokens[before]!
    const phrase = `${tokens[before - 1]?.lower ?? ''} ${lower} ${tokens[before + 1]!.lower}`
    const isBound = /^(?:up to|(?:more|less|fewer) than) | at (?:least|most)$/.test(phrase)
    if (roles.has(lower) && !isBound) return lower
    if (asides.has(lower) || /^\p{Sc}$/u.test(text)) continue
    // "With modern Acme chargers"
    if (isDescribed || before !== at - 1 || !/^\p{Ll}{3,}$/u.test(text)) return undefined
    isDescribed = true
  }
  return undefined
}

/**
 * Whether items of two kinds are paired in the claim as in the evidence: in order, with no other pair skipped in
 * between.
 */
function isBound(
  pair: readonly [string, string],
  claim: readonly Anchor[],
  evidence: readonly EvidenceAnchor[],
): boolean {
  const both = claim.filter(({ kind }) => pair.includes(kind)).sort((one, other) => one.at - other.at)
  const hasBetween = (kind: string, start: number, end: number) =>
    evidence.some((one) => one.kind === kind && one.at > start && one.at < end)
  return hasWay(both, (from, to, start, end) => {
    if (from.kind === to.kind) return true
    const [one, other] = pair
    return !hasBetween(one, start, end) || (other !== 'negation' && !hasBetween(other, start, end))
  })
}

/**
 * Whether a number or date of the claim is beside a different word than in its evidence, which has several of that
 * kind.
 */
export function isMisplaced(
  claim: readonly Token[],
  at: number,
  evidence: readonly Token[],
  places: readonly number[],
): boolean {
  const { start, end } = toClause(claim, at)
  const word =
    toContentWords(claim.slice(at + 1, Math.min(end, at + 4)))[0] ?? toContentWords(claim.slice(start, at)).at(-1)
  if (word === undefined || !hasKin(evidence, word)) return false
  return !places.some((place) => {
    const clause = toClause(evidence, place)
    return hasKin(evidence.slice(clause.start, clause.end), word)
  })
}

/** Words that reverse a statement and keep it true: "the dog was bitten by the man". */
const passive = toSet('by von durch par por da dal dalla door av af przez')

/**
 * Whether everything that a claim shares with its evidence is in reverse order there, without a word that explains it.
 */
export function isReversed(claim: readonly Token[], evidence: readonly Token[]): boolean {
  if (claim.some(({ lower }) => passive.has(lower)) || evidence.some(({ lower }) => passive.has(lower))) return false
  const words = [...new Set(toContentWords(claim))]
  const places = words
    .map((word) => evidence.findIndex((token) => hasKin([token], word)))
    .filter((place) => place !== -1 && readRole(evidence, place) === undefined)
  return places.length >= 3 && places.every((place, index) => index === 0 || place < places[index - 1]!)
}

type Step = (from: Anchor, to: Anchor, start: number, end: number) => boolean

/**
 * Whether one place can be chosen for each so that they go from left to right by allowed steps. Bounded: there are few
 * of each.
 */
function hasWay(anchors: readonly Anchor[], isAllowed: Step): boolean {
  let reached = new Set(anchors[0]?.places)
  for (const [index, anchor] of anchors.entries()) {
    if (index === 0) continue
    const before = anchors[index - 1]!
    const next = anchor.places.filter((place) =>
      [...reached].some((from) => from <= place && isAllowed(before, anchor, from, place)),
    )
    if (next.length === 0) return false
    reached = new Set(next)
  }
  return true
}
