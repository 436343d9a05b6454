import { findCaselessWord } from './caseless.ts'
import { toClause } from './clauses.ts'
import { findExchange, isMisplaced, isReversed } from './compare-order.ts'
import { findQuote, type Range } from './find-quote.ts'
import { foldText } from './fold-text.ts'
import { findUnreadable } from './hidden-text.ts'
import { type Facts, matchFacts } from './match-facts.ts'
import { decideNegations } from './negations.ts'
import { findAnchored, findMispairing, type Pairing } from './pairing.ts'
import { findDroppedHedge } from './qualifiers.ts'
import { isUnspaced, readTokens, type Token } from './read-tokens.ts'
import type { Reason } from './reasons.ts'
import { findPassage, type SummarySource } from './source-text.ts'
import { findOpposite, findUniversal, toContentWords, toShare } from './words.ts'

export type Verdict =
  | { readonly grounded: true; readonly start: number; readonly end: number; readonly pointer: string }
  | {
      readonly grounded: false
      readonly reason: Reason
      /** The part of the claim or the evidence that is at fault. */
      readonly about?: string
    }

export const maxClaimCharacters = 500
export const maxEvidenceCharacters = 1000

/** Limit on the pairs to compare. */
const maxFacts = 24

/** This share of a claim's content words, without names, must be in its evidence. */
const minShare = 1 / 3

/**
 * Decides whether a claim may be shown: its evidence is in one field of the source, word for word; and each number,
 * date, name and negation of the claim is in its evidence. It compares text and does not judge meaning.
 *
 * `decideGrounded('It is safe.', 'It is not safe to use.', source)` is refused as `drops_negation`.
 *
 * Invariant: every check may only refuse. Each one lets some false claims pass and drops some true ones, so the rates
 * in `test/summaries` decide about a change.
 */
export function decideGrounded(claim: string, evidence: string, source: SummarySource, range?: Range): Verdict {
  if (claim.length > maxClaimCharacters) return refuse('claim_too_long')
  if (evidence.length > maxEvidenceCharacters) return refuse('evidence_too_long')
  if (!/\p{L}/u.test(claim)) return refuse('claim_empty')
  const quote = foldText(evidence).text
  if (quote === '') return refuse('evidence_too_short')
  const part = range ? source.text.slice(range.start, range.end) : source.text
  const hidden = findUnreadable(evidence, part)
  if (hidden && !part.includes(evidence)) return refuse(hidden === 'hidden' ? 'hidden_characters' : 'look_alikes')
  const found = findQuote(quote, source, range)
  if (typeof found === 'string') return refuse(found)
  const passage = findPassage(source, found.start)!
  const isWhole = found.start === passage.start && found.end === passage.end && passage.valueStart > passage.start
  if (!isWhole && !isLong(quote)) return refuse('evidence_too_short')
  const doubt = findUnreadable(claim, evidence)
  if (doubt) return refuse(doubt === 'hidden' ? 'hidden_characters' : 'look_alikes')
  return judgeClaim(foldText(claim).text, quote) ?? { grounded: true, ...found, pointer: passage.pointer }
}

function judgeClaim(claim: string, quote: string): Verdict | undefined {
  const said = readTokens(claim)
  const quoted = readTokens(quote)
  const facts = matchFacts(said, quoted)
  if (facts.missing) return refuse(facts.missing.reason, facts.missing.about)
  if (facts.anchors.length > maxFacts) return refuse('claim_too_long')
  const caseless = findCaselessWord(said, quote)
  if (caseless !== undefined) return refuse('name_not_in_evidence', caseless)
  const negation = decideNegations(said, quoted)
  if (negation) return refuse(`${negation}_negation`)
  const opposite = findOpposite(said, quoted)
  if (opposite !== undefined) return refuse('says_opposite', opposite)
  const universal = findUniversal(said, quoted)
  if (universal !== undefined) return refuse('overstates', universal)
  const pairing: Pairing = {
    claim: said,
    evidence: quoted,
    ...facts.paired,
    anchors: facts.anchors,
    names: facts.evidence.filter(({ kind }) => kind === 'name').map(({ at }) => at),
    years: facts.evidence.filter(({ kind }) => kind === 'date').map(({ at }) => at),
  }
  // A number with words that only it has may be in another order; so may the words beside numbers.
  const ordered = facts.anchors.filter(({ at }) => !findAnchored(pairing).has(at))
  if (findExchange(ordered, facts.evidence, { claim: said, evidence: quoted })) return refuse('exchanged')
  if (facts.paired.numbers.length === 0 && isReversed(said, quoted)) return refuse('exchanged')
  const mispaired = findMispairing(pairing)
  if (mispaired) return refuse(mispaired.reason, mispaired.about)
  const hedge = findDroppedHedge(
    said,
    quoted,
    facts.paired.numbers.flatMap(({ places }) => places.map(({ at }) => at)),
  )
  if (hedge !== undefined) return refuse('drops_hedge', hedge)
  // The words beside a number are checked already.
  const isByNumber = (at: number) =>
    facts.paired.numbers.some(({ quantity }) => toClause(said, quantity.at).start === toClause(said, at).start)
  const moved = facts.dates.find(({ at, places }) => !isByNumber(at) && isMisplaced(said, at, quoted, places))
  if (moved) return refuse('exchanged', said[moved.at]!.text)
  return isRelated(said, quoted, facts) ? undefined : refuse('unrelated')
}

function isRelated(said: readonly Token[], quoted: readonly Token[], { named, numbers }: Facts): boolean {
  // In scripts without spaces, every word has been found already.
  if (said.some(({ kind, text }) => kind === 'word' && isUnspaced.test(text))) return true
  const words = toContentWords(said.filter((_, at) => !named.has(at)))
  const { found, total } = toShare(words, toContentWords(quoted))
  if (total + numbers + named.size === 0) return false
  return found + numbers >= (total + numbers) * minShare
}

function refuse(reason: Reason, about?: string): Verdict {
  return { grounded: false, reason, ...(about !== undefined && { about }) }
}

/** Three words, or twelve letters; six if a letter is a syllable or a word. Numbers alone say nothing. */
function isLong(quote: string): boolean {
  const letters = quote.match(/\p{L}/gu) ?? []
  const dense = letters.filter((letter) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter),
  )
  const words = quote.match(/(?<![\p{L}\p{M}])[\p{L}\p{M}']{2,}/gu) ?? []
  return words.length >= 3 || letters.length >= 12 || dense.length >= 6
}
