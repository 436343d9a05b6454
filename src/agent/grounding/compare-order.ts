import { toClause } from './clauses.ts'
import type { Token } from './read-tokens.ts'
import { toSet } from './word-lists.ts'
import { hasKin, toContentWords } from './words.ts'

/** Something of a claim that its evidence has, and where: by tokens. */
export interface Anchor {
  /** `name`, `date`, `negation`, or `number:` with its unit: only what is alike can be exchanged. */
  readonly kind: string
  readonly at: number
  /** All the places where the evidence has it. */
  readonly places: readonly number[]
}

/** What the evidence has, matched or not. */
export interface EvidenceAnchor {
  readonly kind: string
  readonly key: string
  readonly at: number
}

/** Whether a claim has exchanged what its evidence says: names, or which number, date or denial goes with which name. */
export function findExchange(claim: readonly Anchor[], evidence: readonly EvidenceAnchor[]): string | undefined {
  const kinds = new Set(claim.map(({ kind }) => kind))
  for (const kind of kinds) {
    const alike = claim.filter((anchor) => anchor.kind === kind).sort((one, other) => one.at - other.at)
    if (kind !== 'negation' && !hasWay(alike, () => true)) return kind
  }
  const count = (kind: string) => new Set(evidence.filter((one) => one.kind === kind).map(({ key }) => key)).size
  const several = [...kinds].filter((kind) => kind !== 'negation' && count(kind) > 1)
  const pairs = several.flatMap((one, index) => several.slice(index + 1).map((other) => [one, other] as const))
  // A single denial is enough to be taken from one name to another.
  if (kinds.has('negation') && several.includes('name')) pairs.push(['name', 'negation'])
  // What goes with a number is told by the segments of the quote: "In 2020, it fell to 480" may turn the order round.
  const isPaired = (pair: readonly string[]) => pair.some((kind) => kind.startsWith('number:')) && pair.some((kind) => !kind.startsWith('number:')) // biome-ignore format: one line
  return pairs.find((pair) => !isPaired(pair) && !isBound(pair, claim, evidence))?.[1]
}

/** Whether what a claim says of two kinds goes together as in the evidence: in order, with no other pair left out between. */
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

/** Whether a claim's number or date stands by another word than in its evidence, which has several of the kind. */
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

/** Words that turn a statement round and leave it true: "the dog was bitten by the man". */
const passive = toSet('by von durch par por da dal dalla door av af przez')

/** Whether all that a claim shares with its evidence stands there in the reverse order, and nothing says why. */
export function isReversed(claim: readonly Token[], evidence: readonly Token[]): boolean {
  if (claim.some(({ lower }) => passive.has(lower)) || evidence.some(({ lower }) => passive.has(lower))) return false
  const words = [...new Set(toContentWords(claim))]
  const places = words
    .map((word) => evidence.findIndex((token) => hasKin([token], word)))
    .filter((place) => place !== -1)
  return places.length >= 3 && places.every((place, index) => index === 0 || place < places[index - 1]!)
}

type Step = (from: Anchor, to: Anchor, start: number, end: number) => boolean

/** Whether places can be chosen, one for each, that go from left to right by allowed steps. Few of each: they are bounded. */
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
