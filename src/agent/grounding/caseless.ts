import { isUnspaced, type Token } from './read-tokens.ts'

/**
 * In scripts without capitals, names look like any other word. So each word of the claim must be in its evidence,
 * without particles and endings; returns the first that is not.
 */
export function findCaselessWord(claim: readonly Token[], evidence: string): string | undefined {
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
