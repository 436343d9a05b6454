import { findHidden } from '../../contract/text/hidden-characters.ts'
import { findExchange, isMisplaced, isReversed } from './compare-order.ts'
import { findQuote, type Range } from './find-quote.ts'
import { foldText } from './fold-text.ts'
import { type Facts, matchFacts } from './match-facts.ts'
import { decideNegations } from './negations.ts'
import { findAnchored, findMispairing, type Pairing } from './pairing.ts'
import { findDroppedHedge } from './qualifiers.ts'
import { isUnspaced, readTokens, type Token, toClause } from './read-tokens.ts'
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

/** Text of a model that a person would not see, or would misread. */
export function findUnreadable(written: string, source: string): 'hidden' | 'look_alike' | undefined {
  if (findHidden(written, 'claim') !== undefined) return 'hidden'
  // Only people read spaced letters as a word.
  if (/(?<![\p{L}\p{M}])\p{L}(?:[\s.\-_*]\p{L}){2,}(?![\p{L}\p{M}])/u.test(written) && !source.includes(written)) {
    const spelt = /(?<![\p{L}\p{M}])\p{L}(?:[\s.\-_*]\p{L}){2,}(?![\p{L}\p{M}])/u.exec(written)![0]
    if (!source.includes(spelt)) return 'hidden'
  }
  const words = written.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const hasLatin = /\p{Script=Latin}/u.test(written)
  const isDoubtful = (word: string) => hasLatin && likeLatin.test(word) && !source.includes(word)
  return words.some(isDoubtful) ? 'look_alike' : undefined
}

/** Scripts with letters that look like Latin ones. */
const likeLatin =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}]/u

/**
 * In scripts without capitals, names look like any other word. So each word of the claim must be in its evidence,
 * without particles and endings; returns the first that is not.
 */
function findCaselessWord(claim: readonly Token[], evidence: string): string | undefined {
  for (const { kind, text } of claim) {
    if (kind !== 'word' && kind !== 'code') continue
    for (const [run] of text.matchAll(caseless)) {
      for (const word of toParts(run)) if (!isThere(word, evidence)) return word
    }
  }
  return undefined
}

/** Letters without case, with their marks. */
const caseless = /[\p{Lo}\p{M}ー]+/gu
/** Chinese characters that are function words. */
const particles = /^[的了在是和与與及也都将將被把对對从從到有为為以其这這那中上下个個等之而于於至]+$/u
const kana = /^[\p{Script=Hiragana}]+$/u

let segmenter: Intl.Segmenter | undefined

function toParts(run: string): string[] {
  if (!isUnspaced.test(run)) return [run]
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' })
  return (
    [...segmenter.segment(run)]
      .map(({ segment }) => segment)
      // Japanese endings and particles; a name in kana alone is longer.
      .filter((part) => !particles.test(part) && !(kana.test(part) && part.length < 4))
  )
}

function isThere(word: string, evidence: string): boolean {
  if (evidence.includes(word)) return true
  if (/^\p{Script=Hangul}+$/u.test(word)) {
    // Particles follow a word: at least two syllables must remain.
    return [1, 2].some((cut) => word.length - cut >= 2 && evidence.includes(word.slice(0, -cut)))
  }
  // Articles and prepositions are attached to words: at least two letters must remain.
  const bare = word.replace(/^[وفبلك]?(?:ال)?|^[ובלמשכה]{1,2}/u, '')
  if (/^[\p{Script=Arabic}\p{Script=Hebrew}\p{M}]+$/u.test(word)) return bare.length >= 2 && evidence.includes(bare)
  // Inflected endings of Japanese verbs: the part in kanji must match.
  if (/^\p{Script=Han}+\p{Script=Hiragana}+$/u.test(word))
    return evidence.includes(word.replace(/\p{Script=Hiragana}+$/u, ''))
  return false
}
