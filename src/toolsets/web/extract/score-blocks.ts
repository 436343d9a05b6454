import { featureNames, forEachBlock } from './block-features.ts'
import { base, trees } from './block-model.ts'
import type { MeasuredPage } from './measure-page.ts'

/** How likely each block is a part of what the page is about, 0 to 1. */
export function scoreBlocks(measured: MeasuredPage): number[] {
  model ??= trees.trim().split('\n').map(readTree)
  const all = model
  const scores: number[] = []
  forEachBlock(measured, (features) => {
    let sum = base
    for (const tree of all) sum += follow(tree, features)
    scores.push(1 / (1 + Math.exp(-sum)))
  })
  return scores
}

/** Nodes in the order of their line: what comes if the answer is no follows its question, what comes if it is yes is at `yes`. */
interface Tree {
  /** Which feature is asked for; -1 at an answer. */
  readonly feature: Int16Array
  /** What it is compared with, or the answer. */
  readonly value: Float64Array
  readonly yes: Int16Array
}

let model: readonly Tree[] | undefined

function follow({ feature, value, yes }: Tree, features: Float64Array): number {
  let at = 0
  while (feature[at]! >= 0) at = features[feature[at]!]! >= value[at]! ? yes[at]! : at + 1
  return value[at]!
}

/** `size>80 -0.1 0.2`: 0.2 if the size is 80 or more, else -0.1; a question may stand in place of an answer. */
function readTree(line: string): Tree {
  const words = line.trim().split(' ')
  const feature = new Int16Array(words.length).fill(-1)
  const value = new Float64Array(words.length)
  const yes = new Int16Array(words.length)
  /** Questions whose first answer is being read. */
  const waiting: number[] = []
  words.forEach((word, at) => {
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
  return { feature, value, yes }
}
