import type { Token } from './read-tokens.ts'
import { functionWords, negationWords, opposites, toSet, universals } from './word-lists.ts'

/** The content words of a text, in lower case. */
export function toContentWords(tokens: readonly Token[]): string[] {
  const isContent = (word: string) => word.length >= 3 && !functionWords.has(word) && !negationWords.has(word)
  return tokens.flatMap(toWords).filter(isContent)
}

/** The words of a token: an identifier contains several. */
export function toWords({ kind, text, lower }: Token): string[] {
  if (kind === 'word') return [withoutEnding(lower)]
  if (kind !== 'code') return []
  const parts = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase()
  return parts.match(/\p{L}+/gu) ?? []
}

/** A word without a possessive ending or an attached article. */
export function withoutEnding(word: string): string {
  return word.replace(/'s$|s'$|'$/u, '').replace(/^(?:[ldnsjmtc]|qu|dell|all|nell|sull|dall|un)'(?=\p{L})/iu, '')
}

/** Whether two words are forms of the same word, judged by their letters. */
export function isKin(one: string, other: string): boolean {
  if (one === other) return true
  const longest = Math.max(one.length, other.length)
  if (toBase(one) === toBase(other)) return true
  let same = 0
  while (same < longest && one[same] === other[same]) same++
  return same >= 4 && same >= longest * 0.6
}

/** The stem of a word, or the verb of an irregular form: "own" for "owns" and "owned", "grow" for "grew". */
function toBase(word: string): string {
  const verb = irregular.get(word)
  if (verb) return verb
  return word.length > 4 ? word.replace(/ies$/, 'y').replace(/(?:ed|es|s)$/, '') : word.replace(/(?<=...)s$/, '')
}

const irregular: ReadonlyMap<string, string> = new Map(
  'grew grow grown grow rose rise risen rise fell fall fallen fall shrank shrink sank sink spent spend sold sell bought buy made make paid pay held hold won win lost lose built build began begin took take gave give kept keep left leave led lead met meet sent send ran run drove drive flew fly found find thought think brought bring wrote write broke break chose choose spoke speak drew draw knew know threw throw ate eat slept sleep died die dying die deaths death'
    .split(' ')
    .flatMap((word, index, all): [string, string][] => (index % 2 === 0 ? [[word, all[index + 1]!]] : [])),
)

export function hasKin(tokens: readonly Token[], word: string): boolean {
  return tokens.some((token) => toWords(token).some((one) => isKin(word, one)))
}

/** How many words of a claim are in its evidence, in some form. */
export function toShare(claim: readonly string[], evidence: readonly string[]): { found: number; total: number } {
  const words = [...new Set(claim)]
  return { found: words.filter((word) => evidence.some((one) => isKin(word, one))).length, total: words.length }
}

/** A pair of opposites: the claim has one, and its evidence only the other. */
export function findOpposite(claim: readonly Token[], evidence: readonly Token[]): string | undefined {
  pairs ??= opposites.map(([one, other]) => [toMatcher(one), toMatcher(other)])
  const said = toDirections(claim)
  const quoted = toDirections(evidence)
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

/**
 * The words of a text without those of bounds ("up to 5", "more than 5"), and with one word for each phrase that
 * expresses a direction.
 */
function toDirections(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1]?.lower ?? ''
    if (token.lower === 'up' && next === 'to') return []
    if (/^(?:more|less|fewer|higher|lower)$/.test(token.lower) && next === 'than' && isNumeric(tokens, at + 2))
      return []
    if (/^(?:over|under|above|below)$/.test(token.lower) && isNumeric(tokens, at + 1)) return []
    if (next === 'back' && /^(?:pull|cut|scal|dial|roll|hold|held)/.test(token.lower)) return ['reduced']
    return toWords(token)
  })
}

/** Whether a number starts here, possibly after a currency sign. */
function isNumeric(tokens: readonly Token[], at: number): boolean {
  return tokens[tokens[at]?.kind === 'sign' ? at + 1 : at]?.kind === 'number'
}

/** Whether a word expresses a rise or fall. */
export function isDirection(word: string): boolean {
  pairs ??= opposites.map(([one, other]) => [toMatcher(one), toMatcher(other)])
  return pairs[0]!.some((isOne) => isOne(word))
}

/** The first absolute word (everything, only) that the evidence lacks. */
export function findUniversal(claim: readonly Token[], evidence: readonly Token[]): string | undefined {
  const isUniversal = ({ lower }: Token) => universals.has(lower)
  // "Only 5 percent" says that 5 percent are few.
  const isMeasure = (at: number) =>
    (claim[at]!.lower === 'only' && isNumeric(claim, at + 1)) ||
    (claim[at]!.lower === 'every' && /^(?:hour|day|night|week|month|quarter|year)$/.test(claim[at + 1]?.lower ?? ''))
  return evidence.some(isUniversal) ? undefined : claim.find((token, at) => isUniversal(token) && !isMeasure(at))?.lower
}

type Matcher = (word: string) => boolean
let pairs: readonly (readonly [Matcher, Matcher])[] | undefined

function toMatcher(list: string): Matcher {
  const words = toSet(list)
  const stems = [...words].filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))
  return (word) => words.has(word) || stems.some((stem) => word.startsWith(stem))
}
