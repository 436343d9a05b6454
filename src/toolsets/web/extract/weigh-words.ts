import type { Element } from '../../../tool-parts/html/tree.ts'
import { findHeadingWords, findNameWords, findTagWords, findTextWords, namesOf, ranges } from './find-words.ts'
import type { Line } from './measure-page.ts'

/** What a word adds to the log odds of being content, by its hash. */
export type WordWeights = ReadonlyMap<number, number>

/** Where words are: names of the elements around a block, its text, and the heading above it. */
export const wordPlaces = ['names', 'text', 'heading'] as const
export type WordPlace = (typeof wordPlaces)[number]
type Words = Readonly<Record<WordPlace, readonly number[]>>

/** The words of each block, to learn from. `toWeigher` weighs the same words. */
export function findWords(lines: readonly Line[]): Words[] {
  let heading = ''
  return lines.map((line): Words => {
    const { element } = line.block
    const names = findTagWords(element)
    forEachRange(element, (around, range) => names.push(...findNameWords(around)[range]!))
    const words = { names, text: [...findTextWords(line)], heading: isHeading(line) ? [] : findHeadingWords(heading) }
    if (isHeading(line)) heading = line.block.text
    return words
  })
}

export type Weights = Readonly<Record<WordPlace, number>>

/** Weighs the words of blocks in their order. Names and headings are shared by many blocks, so their sums are kept. */
export function toWeigher(weights: WordWeights): (line: Line) => Weights {
  const byNames = new Map<string, readonly number[]>()
  /** Most blocks share their ancestors. */
  const byElement = new Map<Element, readonly number[]>()
  let heading = sum(weights, findHeadingWords(''))
  return (line) => {
    const { element, text } = line.block
    let names = sum(weights, findTagWords(element))
    forEachRange(element, (around, range) => {
      names += weighNames(around)[range]!
    })
    const weighed = { names, text: sum(weights, findTextWords(line)), heading: isHeading(line) ? 0 : heading }
    if (isHeading(line)) heading = sum(weights, findHeadingWords(text))
    return weighed
  }

  function weighNames(element: Element): readonly number[] {
    const known = byElement.get(element)
    if (known) return known
    const key = `${element.tag} ${namesOf(element)}`
    let sums = byNames.get(key)
    if (!sums) {
      sums = findNameWords(element).map((words) => sum(weights, words))
      byNames.set(key, sums)
    }
    byElement.set(element, sums)
    return sums
  }
}

function isHeading({ block }: Line): boolean {
  return block.kind === 'heading'
}

function sum(weights: WordWeights, words: Iterable<number>): number {
  let total = 0
  for (const word of words) total += weights.get(word) ?? 0
  return total
}

/** An element and what is around it, with the index of the range that it is in. The root is left out. */
function forEachRange(element: Element, use: (around: Element, range: number) => void): void {
  let range = 0
  for (let at = element, level = 0; at.parent && level <= ranges[2]; at = at.parent, level++) {
    if (level > ranges[range]!) range++
    use(at, range)
  }
}

/**
 * Format: in the order of the hashes, the distance from the one before in groups of seven bits, the lowest first, with the
 * eighth bit set if more follow; and the weight, a signed byte in steps of `weightStep`.
 */
export function readWeights(encoded: string): WordWeights {
  const bytes = atob(encoded)
  const weights = new Map<number, number>()
  for (let at = 0, word = 0; at < bytes.length; at++) {
    let shift = 0
    for (; bytes.charCodeAt(at) >= 128; at++, shift += 7) word += (bytes.charCodeAt(at) - 128) << shift
    word += bytes.charCodeAt(at++) << shift
    weights.set(word, ((bytes.charCodeAt(at) << 24) >> 24) * weightStep)
  }
  return weights
}

export function writeWeights(weights: WordWeights): string {
  const bytes: number[] = []
  let before = 0
  for (const word of [...weights.keys()].sort((a, b) => a - b)) {
    let distance = word - before
    before = word
    for (; distance >= 128; distance >>= 7) bytes.push((distance & 127) | 128)
    bytes.push(distance, Math.round(weights.get(word)! / weightStep) & 255)
  }
  return Buffer.from(bytes).toString('base64')
}

/** Weights are rounded to it, and between -127 and 127 of it. */
export const weightStep = 0.02
