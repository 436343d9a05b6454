import type { Token } from './read-tokens.ts'
import { functionWords, negationWords, opposites, toSet, universals } from './word-lists.ts'

/** The words of a text that mean something by themselves, in lower case. */
export function toContentWords(tokens: readonly Token[]): string[] {
  const isContent = (word: string) => word.length >= 3 && !functionWords.has(word) && !negationWords.has(word)
  return tokens.flatMap(toWords).filter(isContent)
}

/** The words that a token holds: a name of code is made of some. */
export function toWords({ kind, text, lower }: Token): string[] {
  if (kind === 'word') return [withoutEnding(lower)]
  if (kind !== 'code') return []
  const parts = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return parts.match(/\p{L}+/gu) ?? []
}

/** A word without the mark of a possessor, or an article that is written onto it. */
export function withoutEnding(word: string): string {
  return word.replace(/'s$|s'$|'$/u, '').replace(/^(?:[ldnsjmtc]|qu|dell|all|nell|sull|dall|un)'(?=\p{L})/iu, '')
}

/** Whether two words are forms of one, as far as letters tell. */
export function isKin(one: string, other: string): boolean {
  if (one === other) return true
  const longest = Math.max(one.length, other.length)
  let same = 0
  while (same < longest && one[same] === other[same]) same++
  return same >= 4 && same >= longest * 0.6
}

export function hasKin(tokens: readonly Token[], word: string): boolean {
  return tokens.some((token) => toWords(token).some((one) => isKin(word, one)))
}

/** How many of the words of a claim are in its evidence, in some form. */
export function toShare(claim: readonly string[], evidence: readonly string[]): { found: number; total: number } {
  const words = [...new Set(claim)]
  return { found: words.filter((word) => evidence.some((one) => isKin(word, one))).length, total: words.length }
}

/** A pair of words of which the claim says one and its evidence only the other. */
export function findOpposite(claim: readonly Token[], evidence: readonly Token[]): string | undefined {
  pairs ??= opposites.map(([one, other]) => [toMatcher(one), toMatcher(other)])
  const said = claim.flatMap(toWords)
  const quoted = evidence.flatMap(toWords)
  for (const [one, other] of pairs) {
    for (const [mine, contrary] of [
      [one, other],
      [other, one],
    ] as const) {
      const word = said.find(mine)
      if (word && !quoted.some(mine) && quoted.some(contrary) && !said.some(contrary)) return word
    }
  }
  return undefined
}

/** The first word for everything or nothing else that evidence lacks. */
export function findUniversal(claim: readonly Token[], evidence: readonly Token[]): string | undefined {
  const isUniversal = ({ lower }: Token) => universals.has(lower)
  return evidence.some(isUniversal) ? undefined : claim.find(isUniversal)?.lower
}

type Matcher = (word: string) => boolean
let pairs: readonly (readonly [Matcher, Matcher])[] | undefined

function toMatcher(list: string): Matcher {
  const words = toSet(list)
  const stems = [...words].filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))
  return (word) => words.has(word) || stems.some((stem) => word.startsWith(stem))
}
