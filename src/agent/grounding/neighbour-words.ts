import type { Statement } from './pairing.ts'
import type { Quantity } from './quantities.ts'
import type { Token } from './read-tokens.ts'
import { type Segment, tokensOf } from './segments.ts'
import { units } from './units.ts'
import { hasKin, isDirection, toContentWords } from './words.ts'

/** Whether the word that the claim counts is counted by another number: "40 teachers" for "3 teachers for 40 pupils". */
export function countsOther({ claim, quantity, evidence, places, quoted }: Statement): boolean {
  const next = claim[quantity.end]
  const [word] = next?.kind === 'word' ? toContentWords([next]) : []
  if (word === undefined) return false
  const counts = (one: Quantity, reach: number) => hasKin(evidence.slice(one.end, one.end + reach), word)
  // A number alone implies the word of an earlier one: "3 teachers in Lyon, 4 in Porto".
  const isAlone = (one: Quantity) => toContentWords(evidence.slice(one.end, one.end + 1)).length === 0
  return (
    quoted.some((one) => one.quantity.value !== quantity.value && counts(one.quantity, 1)) &&
    !places.some((one) => isAlone(one) || counts(one, 5))
  )
}

/** Whether no word of the claim belongs to the number in the evidence, and some belong to another number of any kind. */
export function fitsOnlyOther({ claim, said, evidence, homes }: Statement, others: readonly Segment[]): boolean {
  const words = toContentWords(tokensOf(claim, said)).filter((word) => !units.has(word))
  return homes.every((home) => {
    const own = [...home.lead, ...tokensOf(evidence, home)]
    if (words.some((word) => hasKin(own, word)) || toContentWords(own).every((word) => units.has(word))) return false
    return words.some((word) => others.some((other) => hasKin(tokensOf(evidence, other), word)))
  })
}

/** Whether the words of the claim belong to a rival, another number of the same kind, rather than to the number itself. */
export function fitsOther(statement: Statement, rivals: readonly Segment[]): boolean {
  const { places, homes } = statement
  return (
    rivals.length > 0 && places.every((place, index) => fitsRival(statement, rivals, { home: homes[index]!, place }))
  )
}

function fitsRival(
  { claim, said, quantity, evidence, topics }: Statement,
  rivals: readonly Segment[],
  { home, place }: { readonly home: Segment; readonly place: Quantity },
): boolean {
  const own = [...home.lead, ...tokensOf(evidence, home)]
  const isOfRival = (word: string) => rivals.some((rival) => hasKin(tokensOf(evidence, rival), word))
  const isOther = (word: string) => !units.has(word) && !topics.includes(word) && !hasKin(own, word) && isOfRival(word)
  const isOwnWord = (word: string) =>
    hasKin(tokensOf(evidence, home), word) &&
    !rivals.some((rival) => hasKin([...rival.lead, ...tokensOf(evidence, rival)], word))
  const words = toContentWords(tokensOf(claim, said)).filter(
    (word) => !units.has(word) && !isDirection(word) && !word.startsWith('compar'),
  )
  const [mine, others] = [words.filter(isOwnWord).length, words.filter(isOther).length]
  const isSaid = toContentWords(claim).some(isOwnWord)
  if (!isSaid && others > 0 && toContentWords(tokensOf(evidence, home)).some(isOwnWord)) return true
  // Words after the number that no rival has: the claim repeats one of them, or at least no word of a rival.
  const beyond = toContentWords(evidence.slice(place.end, home.end)).filter(
    (word) => !units.has(word) && !isOfRival(word),
  )
  const after = toContentWords(claim.slice(quantity.end, said.end))
  const isOtherAfter =
    beyond.length === 0 ? after.some(isOther) : !beyond.some((word) => hasKin(claim, word)) && words.some(isOther)
  const isEnough = mine >= 2 && mine >= others
  if (isOtherAfter && !isEnough) return true
  // "The placebo group" for "the treatment group": different words before one that both have.
  const heads = toContentWords(tokensOf(evidence, home)).filter((word) => !isDirection(word))
  const isSwapped = words.some((word, index) => {
    const head = heads.indexOf(words[index + 1] ?? '')
    return head > 0 && isOther(word) && !hasKin(claim, heads[head - 1]!) && !isPointing(evidence, heads[head - 1]!)
  })
  if (isSwapped) return true
  const subject = toContentWords(own).find((word) => !units.has(word))
  return words[0] !== undefined && isOther(words[0]) && subject !== undefined && !hasKin(claim, subject)
}

/** Whether a word refers to something said before: "of this cohort". */
function isPointing(tokens: readonly Token[], word: string): boolean {
  return tokens.some(
    ({ lower }, at) => lower === word && /^(?:this|these|those|such)$/.test(tokens[at - 1]?.lower ?? ''),
  )
}
