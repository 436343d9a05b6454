import { featureNames, forEachBlock } from './block-features.ts'
import { base, trees } from './block-model.ts'
import type { MeasuredPage } from './measure-page.ts'

/** The probability that each block is content. */
export function scoreBlocks(measured: MeasuredPage): number[] {
  forest ??= readForest(trees.trim().split('\n'))
  const all = forest
  const scores: number[] = []
  forEachBlock(measured, (features) => scores.push(1 / (1 + Math.exp(-addAnswers(all, features)))))
  return scores
}

/** Flattened decision trees in prefix order: the "no" branch follows its question. */
interface Forest {
  /** Index of the root of each tree. */
  readonly roots: Int32Array
  /** Feature index of a question; -1 for a leaf. */
  readonly feature: Int16Array
  /** Threshold of a question, or value of a leaf. */
  readonly value: Float64Array
  /** Index of the "yes" branch. */
  readonly yes: Int32Array
}

let forest: Forest | undefined

function addAnswers({ roots, feature, value, yes }: Forest, features: Float64Array): number {
  // The unary plus keeps V8 from boxing each intermediate sum.
  let sum = +base
  for (let tree = 0; tree < roots.length; tree++) {
    let at = roots[tree]!
    while (feature[at]! >= 0) at = features[feature[at]!]! >= value[at]! ? yes[at]! : at + 1
    sum += value[at]!
  }
  return sum
}

/** Format: `size>80 -0.1 0.2` means 0.2 if the size is 80 or more, else -0.1. A branch may be another question. */
function readForest(lines: readonly string[]): Forest {
  const words = lines.map((line) => line.trim().split(' '))
  const all = words.flat()
  const roots = new Int32Array(lines.length)
  const feature = new Int16Array(all.length).fill(-1)
  const value = new Float64Array(all.length)
  const yes = new Int32Array(all.length)
  for (let tree = 1; tree < roots.length; tree++) roots[tree] = roots[tree - 1]! + words[tree - 1]!.length
  /** Questions whose "no" branch is being read; empty at the end of a tree. */
  const waiting: number[] = []
  all.forEach((word, at) => {
    const [name, threshold] = word.split('>')
    if (threshold !== undefined) {
      feature[at] = featureNames.indexOf(name!)
      value[at] = Number(threshold)
      waiting.push(at)
      return
    }
    value[at] = Number(word)
    const question = waiting.pop()
    if (question !== undefined) yes[question] = at + 1
  })
  return { roots, feature, value, yes }
}
