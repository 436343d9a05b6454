import { cleanTurns } from '../../src/toolsets/transcript/rules/clean-turns.ts'
import { isNegation, isNumberWord, languages } from '../../src/toolsets/transcript/rules/languages.ts'
import { isNumeric, toPassage } from '../../src/toolsets/transcript/words.ts'
import type { Kind, Pair } from './make-pairs.ts'

export interface PairScore {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Share of the words that were meant and are lost. */
  readonly lost: number
  /** Numbers, negations and names among them. */
  readonly protectedLost: number
  /** Per kind, the share of words that should go and went, among the pairs with only this kind. */
  readonly recalls: ReadonlyMap<Kind, number>
}

/** Compares the words that the rules drop with the words that were inserted. */
export function scorePairs(pairs: readonly Pair[], onMiss?: (pair: Pair, cleaned: string) => void): PairScore {
  const total = { deleted: 0, right: 0, inserted: 0, meant: 0, protectedLost: 0 }
  const kinds = new Map<Kind, { right: number; inserted: number }>()
  for (const pair of pairs) {
    const said = toKeys(pair.said)
    const meant = toKeys(pair.meant)
    const { turns } = cleanTurns([{ text: pair.said, apart: false }])
    const cleaned = turns.flatMap(({ passage }) => passage.words.map(({ key }) => key))
    const lost = findLost(meant, cleaned)
    const deleted = said.length - cleaned.length
    const right = deleted - lost.length
    total.deleted += deleted
    total.right += right
    total.inserted += said.length - meant.length
    total.meant += meant.length
    total.protectedLost += lost.filter((key) => isKept(key, pair)).length
    if (new Set(pair.kinds).size === 1) {
      const kind = kinds.get(pair.kinds[0]!) ?? { right: 0, inserted: 0 }
      kind.right += right
      kind.inserted += said.length - meant.length
      kinds.set(pair.kinds[0]!, kind)
    }
    if (cleaned.join(' ') !== meant.join(' ')) onMiss?.(pair, cleaned.join(' '))
  }
  const precision = total.right / total.deleted
  const recall = total.right / total.inserted
  return {
    precision,
    recall,
    f1: (2 * precision * recall) / (precision + recall),
    lost: (total.deleted - total.right) / total.meant,
    protectedLost: total.protectedLost,
    recalls: new Map([...kinds].map(([kind, { right, inserted }]) => [kind, right / inserted])),
  }
}

function toKeys(text: string): string[] {
  return toPassage(text).words.map(({ key }) => key)
}

/** The words that were meant and are not in the result, in order: what is left of them beside the longest common sequence. */
function findLost(meant: readonly string[], cleaned: readonly string[]): string[] {
  const lengths = Array.from({ length: meant.length + 1 }, () => new Array<number>(cleaned.length + 1).fill(0))
  for (let one = meant.length - 1; one >= 0; one--) {
    for (let other = cleaned.length - 1; other >= 0; other--) {
      lengths[one]![other] =
        meant[one] === cleaned[other]
          ? lengths[one + 1]![other + 1]! + 1
          : Math.max(lengths[one + 1]![other]!, lengths[one]![other + 1]!)
    }
  }
  const lost: string[] = []
  let other = 0
  for (let one = 0; one < meant.length; one++) {
    if (meant[one] === cleaned[other]) other++
    else if (lengths[one + 1]![other]! >= (lengths[one]![other + 1] ?? -1)) lost.push(meant[one]!)
    else {
      other++
      one--
    }
  }
  return lost
}

/** Numbers, negations, and words with a capital, German nouns included. */
function isKept(key: string, { language: name, meant }: Pair): boolean {
  const language = languages.find((one) => one.name === name)
  if (isNumeric(key) || isNumberWord(key, language) || isNegation(key, language)) return true
  return toPassage(meant).words.some((word) => word.key === key && !word.first && /^\p{Lu}/u.test(word.text))
}
