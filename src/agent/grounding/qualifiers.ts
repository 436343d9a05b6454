import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { isJoint, toClause } from './read-tokens.ts'
import { units } from './units.ts'
import { toSet } from './word-lists.ts'
import { hasKin, isDirection, toContentWords, toWords } from './words.ts'

/** How exact a number is: a lower or upper bound, or an approximation. */
type Bound = 'lower' | 'upper' | 'near'

const before: readonly (readonly [Bound, RegExp])[] = [
  ['lower', /(?<!\p{L})(?:at least|no (?:fewer|less) than|not less than|upwards of|in excess of|as (?:little|few|low|short) as|starting at|starts at|minimum(?: of)?|mindestens|au moins|al menos|almeno|pelo menos)$/u], // biome-ignore format: one line
  ['upper', /(?<!\p{L})(?:at most|no more than|not more than|(?<!(?:goes|went|gone|rose|risen|moved|climbed|jumped|adds|added) )up to|as (?:much|many|long|high) as|maximum(?: of)?|höchstens|au plus|como máximo|al massimo|no máximo)$/u], // biome-ignore format: one line
  ['lower', /(?<!\p{L})(?:more than|over|above|exceed|exceeds|exceeded|exceeding|surpass|surpasses|surpassed|surpassing|tops?|topped|topping|beyond|(?:greater|higher|older|longer|larger) than|plus de|más de|mehr als|über|più di)$/u], // biome-ignore format: one line
  ['upper', /(?<!\p{L})(?:less than|fewer than|under|below|(?:lower|younger|shorter|smaller) than|moins de|menos de|weniger als|unter|meno di)$/u], // biome-ignore format: one line
  ['near', /(?<!\p{L})(?:about|around|approximately|approx|roughly|nearly|almost|close to|some|somewhere around|in the region of|or so|an estimated|circa|etwa|rund|fast|environ|près de|cerca de|casi|quasi)$/u], // biome-ignore format: one line
]

/**
 * Whether a claim states a number as its evidence does: a bound stays one. Saying "about" of an exact number is not
 * false.
 */
export function isSameBound(
  claim: readonly Token[],
  said: Quantity,
  evidence: readonly Token[],
  quoted: Quantity,
): boolean {
  const [mine, theirs] = [readBounds(claim, said), readBounds(evidence, quoted)]
  if (theirs.size === 0) return mine.size === 0 || mine.has('near') || mine.has(readShared(evidence, quoted)!)
  // "Up to four weeks or longer" is both; in "up to about 50" the "about" may be dropped.
  const isLeft = (bound: Bound) => mine.has(bound) || (bound === 'near' ? theirs.size > 1 : theirs.has('lower') && theirs.has('upper')) // biome-ignore format: one line
  return mine.size > 0 && [...mine].every((bound) => theirs.has(bound)) && [...theirs].every(isLeft)
}

/**
 * The bound of a number that this one is joined to: in "over $50 for campaigns and $20 for groups", 20 is a lower bound
 * too.
 */
function readShared(tokens: readonly Token[], { at }: Quantity): Bound | undefined {
  const isJoined = (start: number) => {
    const between = tokens.slice(start + 1, at)
    return between.length <= 10 && !between.some(({ text }) => /^[.;]$/.test(text)) && between.some(({ lower }) => /^(?:and|or|to|-)$/.test(lower)) // biome-ignore format: one line
  }
  return tokens
    .flatMap(({ kind }, start) => (kind === 'number' && start < at && isJoined(start) ? [start] : []))
    .map((start) => [...readBounds(tokens, { value: '', at: start, end: start + 1 })][0])
    .findLast((bound) => bound !== undefined)
}

function readBounds(tokens: readonly Token[], { at, end }: Quantity): ReadonlySet<Bound> {
  const start = tokens[at - 1]?.kind === 'sign' && /^\p{Sc}$/u.test(tokens[at - 1]!.text) ? at - 1 : at
  const lead = tokens.slice(Math.max(0, start - 5), start).map(({ lower }) => lower).join(' ') // biome-ignore format: one line
  // In "10-15 hours or more" both are lower bounds.
  const isRange = /^(?:to|-)$/.test(tokens[end]?.lower ?? '') && tokens[end + 1]?.kind === 'number'
  const after = tokens.slice(isRange ? end + 2 : end, end + 7).filter(({ text }) => text !== ',').slice(0, 4).map(({ lower }) => lower) // biome-ignore format: one line
  const bounds = new Set<Bound>()
  const first = before.find(([, words]) => words.test(lead))
  if (first) bounds.add(first[0])
  // "Up to about 50"
  const second = first && before.find(([bound, words]) => bound !== first[0] && [bound, first[0]].includes('near') && words.test(lead.replace(first[1], '').trimEnd())) // biome-ignore format: one line
  if (second) bounds.add(second[0])
  if ((after[0] === '+' && !tokens[end]!.spaced) || after[0] === 'plus') bounds.add('lower')
  if (/^or (?:so|thereabouts)\b/.test(after.join(' '))) bounds.add('near')
  const rest = / or (?:(more|above|over|older|higher|greater|longer|later)|less|fewer|below|under|younger|lower|shorter)\b/.exec(` ${after.join(' ')}`) // biome-ignore format: one line
  if (rest) bounds.add(rest[1] ? 'lower' : 'upper')
  return bounds
}

/** Periods of adverbs: "$5 monthly" is "$5 per month". */
const adverbs: ReadonlyMap<string, string> = new Map(
  Object.entries({ hourly: 'h', daily: 'day', weekly: 'week', monthly: 'month', annually: 'year', annual: 'year', yearly: 'year', quarterly: 'quarter', nightly: 'night' }), // biome-ignore format: one line
)
const spans = toSet('s min h day week month year share quarter decade night head person')

/** The denominator of a rate: the hour in "18 euros an hour". */
export function readRate(tokens: readonly Token[], { end }: Quantity): string | undefined {
  for (let at = end; at < Math.min(end + 5, tokens.length); at++) {
    const { lower, kind } = tokens[at]!
    const rate = toRate(tokens, at)
    if (rate !== undefined) return rate
    if (kind === 'number' || (at > end && isJoint(tokens, at)) || /^[,;.]$/.test(lower)) return undefined
  }
  return undefined
}

/** All denominators in a text. */
export function readRates(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap((_, at) => toRate(tokens, at) ?? []))
}

function toRate(tokens: readonly Token[], at: number): string | undefined {
  const { lower, spaced } = tokens[at]!
  // "Year over year" is "annually".
  if (/^(?:over|on)$/.test(tokens[at + 1]?.lower ?? '') || tokens[at + 1]?.text === '-') {
    const [span, other] = [units.get(lower), toWordAfter(tokens, at + 1)]
    if (span !== undefined && spans.has(span) && units.get(other) === span) return span
  }
  if (adverbs.has(lower)) return adverbs.get(lower)
  const next = tokens[at + 1]
  if (next?.kind !== 'word') return undefined
  // In "per square foot" the foot counts, too.
  if (/^(?:square|cubic)$/.test(next.lower) && /^(?:per|a)$/.test(lower))
    return `${next.lower} ${units.get(tokens[at + 2]?.lower ?? '') ?? ''}`
  const span = units.get(next.lower) ?? next.lower.replace(/(?<=..)s$/, '')
  if (lower === 'per' || lower === 'pro' || (lower === '/' && !(spaced && next.spaced))) return span
  // "A year earlier" is a time.
  if (/^(?:earlier|ago|before|later|after|prior|old)$/.test(tokens[at + 2]?.lower ?? '')) return undefined
  return /^(?:an?|each|every)$/.test(lower) && spans.has(span) ? span : undefined
}

/** The next word that is not a sign, "over" or "on". */
function toWordAfter(tokens: readonly Token[], at: number): string {
  return (
    tokens.slice(at, at + 4).find(({ kind, lower }) => kind === 'word' && !/^(?:over|on)$/.test(lower))?.lower ?? ''
  )
}

/** Hedges: words that leave open whether something is true. Ambiguous ones count only with the words after them. */
const hedges = toSet(`
may might could would should possibly perhaps maybe probably likely unlikely potentially presumably apparently reportedly allegedly supposedly seemingly rumored rumoured
suspect suspects suspected suspecting suggest suggests suggested suggesting expect expects expected expecting believe believes believed estimate estimates estimated predict predicts predicted
forecast forecasts forecasted projected anticipate anticipates anticipated anticipating foresee foresees purportedly purported speculate speculates tentatively alleged alleges assume assumes assumed considering considers planned planning
könnte könnten möglicherweise vielleicht wahrscheinlich vermutlich angeblich dürfte dürften würde würden
pourrait pourraient peut-être probablement serait seraient podría podrían quizás quizá probablemente potrebbe potrebbero forse probabilmente poderia poderiam talvez provavelmente
`)
const halfHedges = toSet(
  'plan plans intend intends intended aim aims aimed aiming hope hopes hoped hoping seem seems seemed appear appears appeared claim claims claimed thought think thinks report reported said want wants wanted try tries tried trying attempt attempts attempted',
)

/** Hedges that apply by themselves. The others may belong to another statement: "suggests that it may help". */
const doubts = toSet(
  'may might could would should possibly perhaps maybe probably likely unlikely potentially presumably apparently reportedly allegedly supposedly seemingly',
)
/** Other words that hedge a claim. */
const openWords = toSet(
  'can possible possibility potential chance projection projections forecasting expectation expectations prediction predictions outlook estimate rumors rumours',
)

const nearWords = toSet('about around approximately roughly nearly almost estimate estimates estimated')

function isHedge(tokens: readonly Token[], at: number): boolean {
  const { lower, text, kind } = tokens[at]!
  if (kind !== 'word') return false
  // The month.
  if (text === 'May') return at === 0 && tokens[1]?.kind === 'word'
  if (hedges.has(lower)) return true
  const next = tokens[at + 1]?.lower ?? ''
  if (/^projects?$/.test(lower)) return isVerb(tokens, at)
  if (/^(?:report|said)$/.test(lower)) return next === 'to'
  return halfHedges.has(lower) && /^(?:to|that|likely)$/.test(next)
}

/** Whether "projects" is a verb: "the bank projects a loss", not "the projects that failed". */
function isVerb(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  if (before?.kind !== 'word' && before?.kind !== 'code') return false
  if (at > 1 && /^\p{Lu}/u.test(before.text)) return true
  if (/^(?:that|an?|the|its|their|his|her)$/.test(after?.lower ?? '') || after?.kind === 'number')
    return !/^(?:an?|the|its|their|his|her|our|these|those|of|in|for|on|new|and|or)$/.test(before.lower)
  return /^(?:management|company|analysts|bank|it|he|she|they|we)$/.test(before.lower)
}

/** A hedge of the evidence on something that the claim states as fact. */
export function findDroppedHedge(
  claim: readonly Token[],
  evidence: readonly Token[],
  /** Where the evidence has the numbers of the claim. */
  places: readonly number[],
): string | undefined {
  const isOpen = claim.some(
    (token, at) => isHedge(claim, at) || halfHedges.has(token.lower) || openWords.has(token.lower),
  )
  const isDoubted = claim.some(({ lower }) => doubts.has(lower) || openWords.has(lower))
  const isKept = (at: number) => isOpen && (isDoubted || !isOfVerb(claim, evidence, at))
  const isAbout = (at: number) => !isOfLater(evidence, at, places) && isSaid(claim, evidence, at)
  const at = evidence.findIndex((_, index) => isHedge(evidence, index) && !isKept(index) && isAbout(index))
  return at === -1 ? undefined : evidence[at]!.lower
}

/**
 * Whether a hedge belongs to a later statement, with its own numbers, than the one that the claim takes its numbers
 * from.
 */
function isOfLater(evidence: readonly Token[], at: number, places: readonly number[]): boolean {
  const { start, end } = toClause(evidence, at)
  return places.length > 0 && places.every((place) => place < start) && evidence.slice(at, end).some(({ kind }) => kind === 'number') // biome-ignore format: one line
}

/** Whether a claim states the very verb after "may" or the like: for "suggests that it may help", that it helps. */
function isOfVerb(claim: readonly Token[], evidence: readonly Token[], at: number): boolean {
  if (!/^(?:may|might|could)$/.test(evidence[at]!.lower)) return false
  const [verb] = toContentWords(evidence.slice(at + 1, at + 4))
  return verb !== undefined && hasKin(claim, verb)
}

/**
 * Whether a claim states what a hedge is about: the word after it, or most of the next ones; for a hedge at the end,
 * those before it.
 */
function isSaid(claim: readonly Token[], evidence: readonly Token[], at: number): boolean {
  const { lower } = evidence[at]!
  if (/^(?:would|should)$/.test(lower) && claim.some((token) => token.lower === 'will')) return false
  const isNear = (token: Token) => nearWords.has(token.lower)
  if (lower.startsWith('estimat') && claim.some(isNear) && evidence.filter(isNear).length < 2) return false
  let { start, end } = toClause(evidence, at)
  // "Suspect that the crater formed": the statement starts after the word.
  while (end < evidence.length && end - at < 4) ({ end } = toClause(evidence, end + 1))
  // "…, scientists suspect" is about the words before it.
  if (toContentWords(evidence.slice(start, at)).length < 2) start = 0
  const isMeant = (word: string) => !units.has(word) && !hedges.has(word)
  const after = toContentWords(evidence.slice(at + 1, end))
    .filter(isMeant)
    .slice(0, 3)
  const words = after.length > 0 ? after : toContentWords(evidence.slice(start, at)).filter(isMeant).slice(-3)
  const isToldOf = (word: string) => hasKin(claim, word) || (isDirection(word) && claim.some((token) => toWords(token).some(isDirection))) // biome-ignore format: one line
  const said = words.filter(isToldOf)
  return said.length >= 2 || (said.length === 1 && said[0] === words[0])
}
