import { isJoint, toClause } from './clauses.ts'
import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { units } from './units.ts'
import { toSet } from './word-lists.ts'
import { hasKin, toContentWords } from './words.ts'

/** What a number is: a lower or upper bound, or about right. */
type Bound = 'lower' | 'upper' | 'near'

const before: readonly (readonly [Bound, RegExp])[] = [
  ['lower', /(?:at least|no (?:fewer|less) than|not less than|upwards of|in excess of|minimum(?: of)?|mindestens|au moins|al menos|almeno|pelo menos)$/], // biome-ignore format: one line
  ['upper', /(?:at most|no more than|not more than|(?<!(?:goes|went|gone|rose|risen|moved|climbed|jumped|adds|added) )up to|as (?:much|many) as|maximum(?: of)?|höchstens|au plus|como máximo|al massimo|no máximo)$/], // biome-ignore format: one line
  ['lower', /(?:more than|over|above|exceed|exceeds|exceeded|exceeding|(?:greater|higher|older|longer|larger) than|plus de|más de|mehr als|über|più di)$/], // biome-ignore format: one line
  ['upper', /(?:less than|fewer than|under|below|(?:lower|younger|shorter|smaller) than|moins de|menos de|weniger als|unter|meno di)$/], // biome-ignore format: one line
  ['near', /(?:about|around|approximately|approx|roughly|nearly|almost|close to|an estimated|circa|etwa|rund|fast|environ|près de|cerca de|casi|quasi)$/], // biome-ignore format: one line
]

/** Whether a claim states a number as its evidence does: a bound stays one. To say "about" of an exact number is no lie. */
export function isSameBound(
  claim: readonly Token[],
  said: Quantity,
  evidence: readonly Token[],
  quoted: Quantity,
): boolean {
  const [mine, theirs] = [readBound(claim, said), readBound(evidence, quoted)]
  return mine === theirs || (mine === 'near' && theirs === undefined)
}

function readBound(tokens: readonly Token[], { at, end }: Quantity): Bound | undefined {
  const start = tokens[at - 1]?.kind === 'sign' && /^\p{Sc}$/u.test(tokens[at - 1]!.text) ? at - 1 : at
  const lead = tokens.slice(Math.max(0, start - 4), start).map(({ lower }) => lower)
  const after = tokens.slice(end, end + 4).map(({ lower }) => lower)
  if (after[0] === '+' && !tokens[end]!.spaced) return 'lower'
  const rest = / or (more|above|over|older|higher|greater|less|fewer|below|under|younger|lower)\b/.exec(
    ` ${after.join(' ')}`,
  )
  if (rest) return /^(?:less|fewer|below|under|younger|lower)$/.test(rest[1]!) ? 'upper' : 'lower'
  return before.find(([, words]) => words.test(lead.join(' ')))?.[0]
}

/** Periods of adverbs: "$5 monthly" is "$5 per month". */
const adverbs: ReadonlyMap<string, string> = new Map(
  Object.entries({ hourly: 'h', daily: 'day', weekly: 'week', monthly: 'month', annually: 'year', annual: 'year', yearly: 'year', quarterly: 'quarter', nightly: 'night' }), // biome-ignore format: one line
)
const spans = toSet('s min h day week month year share quarter decade night head person')

/** What a number is per: of "18 euros an hour", the hour. */
export function readRate(tokens: readonly Token[], { end }: Quantity): string | undefined {
  for (let at = end; at < Math.min(end + 5, tokens.length); at++) {
    const { lower, kind } = tokens[at]!
    const rate = toRate(tokens, at)
    if (rate !== undefined) return rate
    if (kind === 'number' || (at > end && isJoint(tokens, at)) || /^[,;.]$/.test(lower)) return undefined
  }
  return undefined
}

/** All that anything is per, in a text. */
export function readRates(tokens: readonly Token[]): ReadonlySet<string> {
  return new Set(tokens.flatMap((_, at) => toRate(tokens, at) ?? []))
}

function toRate(tokens: readonly Token[], at: number): string | undefined {
  const { lower, spaced } = tokens[at]!
  if (adverbs.has(lower)) return adverbs.get(lower)
  const next = tokens[at + 1]
  if (next?.kind !== 'word') return undefined
  const span = units.get(next.lower) ?? next.lower.replace(/(?<=..)s$/, '')
  if (lower === 'per' || lower === 'pro' || (lower === '/' && !spaced)) return span
  return /^(?:an?|each|every)$/.test(lower) && spans.has(span) ? span : undefined
}

/** Words that leave open whether something is so. Those that are also something else count with what follows them alone. */
const hedges = toSet(`
may might could would should possibly perhaps maybe probably likely unlikely potentially presumably apparently reportedly allegedly supposedly seemingly rumored rumoured
suspect suspects suspected suspecting suggest suggests suggested suggesting expect expects expected expecting believe believes believed estimate estimates estimated predict predicts predicted
forecast forecasts forecasted projected alleged alleges assume assumes assumed considering considers planned planning
könnte könnten möglicherweise vielleicht wahrscheinlich vermutlich angeblich dürfte dürften würde würden
pourrait pourraient peut-être probablement serait seraient podría podrían quizás quizá probablemente potrebbe potrebbero forse probabilmente poderia poderiam talvez provavelmente
`)
const halfHedges = toSet(
  'plan plans intend intends intended aim aims aimed aiming hope hopes hoped hoping seem seems seemed appear appears appeared claim claims claimed thought think thinks report reports reported want wants wanted try tries tried trying attempt attempts attempted',
)

const nearWords = toSet('about around approximately roughly nearly almost estimated')

function isHedge(tokens: readonly Token[], at: number): boolean {
  const { lower, text, kind } = tokens[at]!
  if (kind !== 'word') return false
  // The month.
  if (text === 'May') return at === 0 && tokens[1]?.kind === 'word'
  if (hedges.has(lower)) return true
  return halfHedges.has(lower) && /^(?:to|that|likely)$/.test(tokens[at + 1]?.lower ?? '')
}

/** A word by which evidence leaves open what a claim says as a fact. */
export function findDroppedHedge(claim: readonly Token[], evidence: readonly Token[]): string | undefined {
  const isOpen = claim.some((token, at) => isHedge(claim, at) || halfHedges.has(token.lower))
  if (isOpen) return undefined
  const at = evidence.findIndex((_, index) => isHedge(evidence, index) && isSaid(claim, evidence, index))
  return at === -1 ? undefined : evidence[at]!.lower
}

/** Whether a claim says what a hedge is about: the word after it, or most of the next ones; of a hedge at the end, those before. */
function isSaid(claim: readonly Token[], evidence: readonly Token[], at: number): boolean {
  const { lower } = evidence[at]!
  if (/^(?:would|should)$/.test(lower) && claim.some((token) => token.lower === 'will')) return false
  if (lower.startsWith('estimat') && claim.some((token) => nearWords.has(token.lower))) return false
  let { start, end } = toClause(evidence, at)
  // "Suspect that the crater formed": the statement begins after the word.
  while (end < evidence.length && end - at < 4) ({ end } = toClause(evidence, end + 1))
  // "…, scientists suspect" is about what stands before.
  if (toContentWords(evidence.slice(start, at)).length < 2) start = 0
  const isMeant = (word: string) => !units.has(word) && !hedges.has(word)
  const after = toContentWords(evidence.slice(at + 1, end))
    .filter(isMeant)
    .slice(0, 3)
  const words = after.length > 0 ? after : toContentWords(evidence.slice(start, at)).filter(isMeant).slice(-3)
  const said = words.filter((word) => hasKin(claim, word))
  return said.length >= 2 || (said.length === 1 && said[0] === words[0])
}
