import { featureNames, forEachBlock } from './block-features.ts'
import { base, trees } from './block-model.ts'
import type { MeasuredPage } from './measure-page.ts'

/** How likely each block is a part of what the page is about, 0 to 1. */
export function scoreBlocks(measured: MeasuredPage): number[] {
  forest ??= readForest(trees.trim().split('\n'))
  const all = forest
  const scores: number[] = []
  forEachBlock(measured, (features) => scores.push(1 / (1 + Math.exp(-addAnswers(all, features)))))
  return scores
}

/** Trees one after the other, their nodes as they are written: what comes if the answer is no follows its question. */
interface Forest {
  /** Where each tree begins. */
  readonly roots: Int32Array
  /** Which feature is asked for; -1 at an answer. */
  readonly feature: Int16Array
  /** What it is compared with, or the answer. */
  readonly value: Float64Array
  /** Where to go on if the answer is yes. */
  readonly yes: Int32Array
}

let forest: Forest | undefined

function addAnswers({ roots, feature, value, yes }: Forest, features: Float64Array): number {
  // The sign tells V8 that it is a number: else each sum is a box in memory of its own.
  let sum = +base
  for (let tree = 0; tree < roots.length; tree++) {
    let at = roots[tree]!
    while (feature[at]! >= 0) at = features[feature[at]!]! >= value[at]! ? yes[at]! : at + 1
    sum += value[at]!
  }
  return sum
}

/** `size>80 -0.1 0.2`: 0.2 if the size is 80 or more, else -0.1; a question may stand in place of an answer. */
function readForest(lines: readonly string[]): Forest {
  const words = lines.map((line) => line.trim().split(' '))
  const all = words.flat()
  const roots = new Int32Array(lines.length)
  const feature = new Int16Array(all.length).fill(-1)
  const value = new Float64Array(all.length)
  const yes = new Int32Array(all.length)
  for (let tree = 1; tree < roots.length; tree++) roots[tree] = roots[tree - 1]! + words[tree - 1]!.length
  /** Questions whose first answer is being read; none is left at the end of a tree. */
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
