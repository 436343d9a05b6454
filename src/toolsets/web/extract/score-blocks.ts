import { featureNames, forEachBlock } from './block-features.ts'
import { base, cuts, nodes, words } from './block-model.ts'
import type { MeasuredPage } from './measure-page.ts'
import { readWeights, type WordWeights } from './weigh-words.ts'

/** The probability that each block is content. */
export function scoreBlocks(measured: MeasuredPage): number[] {
  forest ??= readForest(cuts, nodes)
  weights ??= readWeights(words)
  const all = forest
  const scores: number[] = []
  forEachBlock(measured, weights, (features) => scores.push(1 / (1 + Math.exp(-addAnswers(all, features)))))
  return scores
}

/** Flattened decision trees in prefix order: the branch below a threshold follows its question. */
interface Forest {
  /** Index of the root of each tree. */
  readonly roots: readonly number[]
  /** Feature index of a question; `leafMark` for a leaf. */
  readonly feature: Uint8Array
  /** Threshold of a question, or value of a leaf. */
  readonly value: Float64Array
  /** How far away the branch at or above the threshold is. Small numbers, because the forest should fit a processor's cache. */
  readonly upper: Uint8Array
}

let forest: Forest | undefined
let weights: WordWeights | undefined

function addAnswers({ roots, feature, value, upper }: Forest, features: Float32Array): number {
  // The unary plus keeps V8 from boxing each intermediate sum.
  let sum = +base
  for (let tree = 0; tree < roots.length; tree++) {
    let at = roots[tree]!
    for (let asked = feature[at]!; asked !== leafMark; asked = feature[at]!)
      at += features[asked]! >= value[at]! ? upper[at]! : 1
    sum += value[at]!
  }
  return sum
}

/**
 * Format: a question is two bytes, the line of its feature in `cuts` and the first bin of its upper branch. A leaf is 255 and
 * two bytes, its value in ten thousandths.
 */
function readForest(cuts: string, nodes: string): Forest {
  const lines = cuts
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const indexes = lines.map(([name]) => featureNames.indexOf(name!))
  const bytes = Uint8Array.from(atob(nodes), (character) => character.charCodeAt(0))
  const roots: number[] = []
  const feature = new Uint8Array(bytes.length / 2).fill(leafMark)
  const value = new Float64Array(feature.length)
  const upper = new Uint8Array(feature.length)
  /** Questions whose lower branch is being read. */
  const waiting: number[] = []
  /** Branches of the tree that are still to come. */
  let missing = 0
  for (let at = 0, node = 0; at < bytes.length; node++) {
    if (missing === 0) {
      roots.push(node)
      missing = 1
    }
    const first = bytes[at]!
    if (first !== leafMark) {
      feature[node] = indexes[first]!
      value[node] = Number(lines[first]![bytes[at + 1]!])
      waiting.push(node)
      missing++
      at += 2
      continue
    }
    value[node] = (((bytes[at + 1]! << 24) >> 16) | bytes[at + 2]!) / leafSteps
    at += 3
    missing--
    const question = waiting.pop()
    if (question !== undefined) upper[question] = node + 1 - question
  }
  return { roots, feature, value, upper }
}

const leafMark = 255
const leafSteps = 10_000
