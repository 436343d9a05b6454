import { hashSize } from '../../src/toolsets/web/extract/find-words.ts'
import { type WordPlace, type WordWeights, weightStep, wordPlaces } from '../../src/toolsets/web/extract/weigh-words.ts'
import type { Lesson } from './lessons.ts'

/** The words of a page's blocks in one place, block after block. */
export interface WordRows {
  readonly hashes: Int32Array
  /** Where the words of each block begin, and the end. */
  readonly starts: Int32Array
}

interface Rates {
  readonly rate: number
  /** Words below this evidence get no weight, which keeps the model small. */
  readonly least: number
}

const settings: Record<WordPlace, Rates> = {
  names: { rate: 0.02, least: 30 },
  text: { rate: 0.02, least: 20 },
  heading: { rate: 0.05, least: 10 },
}

/** A word must occur on this many sites. */
const minSites = 10
const rounds = 4
const caution = 1
/** Of an example, times the mean. */
const maxWeight = 20

/** The weight of each word: a logistic regression per place, by FTRL-proximal, in a fixed random order of the pages. */
export function learnWords(lessons: readonly Lesson[]): WordWeights {
  const weights = new Map<number, number>()
  for (const place of wordPlaces) {
    for (const [word, weight] of learnPlace(lessons, place)) {
      const steps = Math.max(-127, Math.min(127, Math.round(weight / weightStep)))
      if (steps !== 0) weights.set(word, steps * weightStep)
    }
  }
  return weights
}

/** The sum of the weights of each block's words. */
export function weighRows({ hashes, starts }: WordRows, weights: WordWeights): Float32Array {
  const sums = new Float32Array(starts.length - 1)
  for (let row = 0; row < sums.length; row++) {
    let sum = 0
    for (let at = starts[row]!; at < starts[row + 1]!; at++) sum += weights.get(hashes[at]!) ?? 0
    sums[row] = sum
  }
  return sums
}

function learnPlace(lessons: readonly Lesson[], place: WordPlace): [number, number][] {
  const { rate, least } = settings[place]
  const words = findCommon(lessons, place)
  const indexOf = new Int32Array(hashSize).fill(-1)
  words.forEach((word, at) => {
    indexOf[word] = at
  })
  const slopes = new Float64Array(words.length)
  const squares = new Float64Array(words.length)
  const weights = new Float64Array(words.length)
  const scale = 1 / meanWeight(lessons)
  const random = toRandom()
  const order = [...lessons]
  for (let round = 0; round < rounds; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      const lesson = order[at]!
      order[at] = order[other]!
      order[other] = lesson
    }
    for (const lesson of order) readPage(lesson)
  }
  return words.map((word, at) => [word, weights[at]!])

  function readPage({ targets, words: { [place]: rows } }: Lesson) {
    targets.forEach((target, row) => {
      if (!target || target.weight <= 0) return
      const [from, to] = [rows.starts[row]!, rows.starts[row + 1]!]
      let sum = 0
      for (let at = from; at < to; at++) {
        const index = indexOf[rows.hashes[at]!]!
        if (index >= 0) sum += weights[index]!
      }
      const slope = (1 / (1 + Math.exp(-sum)) - target.target) * Math.min(maxWeight, target.weight * scale)
      for (let at = from; at < to; at++) {
        const index = indexOf[rows.hashes[at]!]!
        if (index >= 0) update(index, slope)
      }
    })
  }

  function update(index: number, slope: number) {
    const square = squares[index]!
    const next = square + slope * slope
    slopes[index]! += slope - ((Math.sqrt(next) - Math.sqrt(square)) / rate) * weights[index]!
    squares[index] = next
    const sum = slopes[index]!
    weights[index] =
      Math.abs(sum) <= least ? 0 : -(sum - Math.sign(sum) * least) / ((1 + Math.sqrt(next)) / rate + caution)
  }
}

/** The words that occur on enough sites. */
function findCommon(lessons: readonly Lesson[], place: WordPlace): number[] {
  const counts = new Uint16Array(hashSize)
  const last = new Int32Array(hashSize).fill(-1)
  const bySite = Map.groupBy(lessons, ({ site }) => site)
  let site = 0
  for (const pages of bySite.values()) {
    for (const { words } of pages)
      for (const word of words[place].hashes)
        if (last[word] !== site) {
          last[word] = site
          counts[word]!++
        }
    site++
  }
  const words: number[] = []
  for (let word = 0; word < hashSize; word++) if (counts[word]! >= minSites) words.push(word)
  return words
}

function meanWeight(lessons: readonly Lesson[]): number {
  let [sum, count] = [0, 0]
  for (const { targets } of lessons)
    for (const target of targets)
      if (target && target.weight > 0) {
        sum += target.weight
        count++
      }
  return sum / Math.max(1, count)
}

function toRandom(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
