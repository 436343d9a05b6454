/**
 * Gradient-boosted decision trees by histograms, as in LightGBM: features are quantized, each tree grows at the leaf that
 * gains most. Deterministic, so that a model can be reproduced.
 */

/** Feature rows quantized into at most `maxBins` bins: a split compares small integers. */
export interface Binned {
  readonly features: number
  /** Row by row. */
  readonly bins: Uint8Array
  /** Lower bounds of all bins but the first, by feature. */
  readonly cuts: readonly (readonly number[])[]
}

/** What to learn from some rows. */
export interface Examples {
  readonly rows: Int32Array
  /** From 0 to 1. */
  readonly targets: Float32Array
  readonly weights: Float32Array
}

/** Prefix order: the branch below a cut follows its question. */
type Tree = readonly TreeNode[]
interface TreeNode {
  /** -1 for a leaf. */
  readonly feature: number
  /** Of a question: the first bin of the upper branch. Of a leaf: what it adds to the log odds. */
  readonly value: number
  /** Index of the upper branch. */
  readonly upper: number
}

export interface Forest {
  readonly base: number
  readonly trees: readonly Tree[]
}

export interface Growth {
  readonly trees: number
  readonly leaves: number
  readonly rate: number
  /** Subsampling of examples and features, per tree. */
  readonly shareOfRows: number
  readonly shareOfFeatures: number
  /** Regularization against leaves with few examples. */
  readonly caution: number
  readonly minInLeaf: number
}

export const maxBins = 64

export function toCuts(sorted: Float32Array): number[] {
  const distinct = [...new Set(sorted)]
  if (distinct.length <= maxBins) return distinct.slice(1).map(round)
  const cuts = new Set<number>()
  for (let bin = 1; bin < maxBins; bin++) cuts.add(round(sorted[Math.floor((bin * sorted.length) / maxBins)]!))
  return [...cuts].sort((a, b) => a - b)
}

/** Rounding keeps the file of the model short. */
function round(value: number): number {
  return Number(value.toPrecision(3))
}

/** The bin of a value: the number of cuts at or below it. */
export function toBin(cuts: readonly number[], value: number): number {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (value >= cuts[middle]!) low = middle + 1
    else high = middle
  }
  return low
}

export function growTrees(binned: Binned, examples: Examples, growth: Growth): Forest {
  const random = toRandom()
  const { rows, targets, weights } = examples
  let [all, text] = [0, 0]
  for (let at = 0; at < rows.length; at++) {
    all += weights[at]!
    text += weights[at]! * targets[at]!
  }
  const base = Math.log(text / (all - text))
  const sums = new Float64Array(rows.length).fill(base)
  const slopes = new Float64Array(rows.length)
  const bends = new Float64Array(rows.length)
  const trees: Tree[] = []
  while (trees.length < growth.trees) {
    const members: number[] = []
    for (let at = 0; at < rows.length; at++) {
      const chance = 1 / (1 + Math.exp(-sums[at]!))
      slopes[at] = (targets[at]! - chance) * weights[at]!
      bends[at] = chance * (1 - chance) * weights[at]!
      if (random() < growth.shareOfRows) members.push(at)
    }
    const features: number[] = []
    for (let at = 0; at < binned.features; at++) if (random() < growth.shareOfFeatures) features.push(at)
    const tree = growTree({ binned, rows, slopes, bends, members: Int32Array.from(members), features }, growth)
    trees.push(tree)
    for (let at = 0; at < rows.length; at++) sums[at]! += ask(tree, binned, rows[at]!)
  }
  return { base, trees }
}

interface Ground {
  readonly binned: Binned
  readonly rows: Int32Array
  readonly slopes: Float64Array
  readonly bends: Float64Array
  /** Examples, ordered by leaf while the tree grows. */
  readonly members: Int32Array
  readonly features: readonly number[]
}

interface Leaf {
  readonly from: number
  readonly to: number
  /** Slope and bend by feature and bin. */
  readonly sums: Float64Array
  readonly slope: number
  readonly bend: number
  readonly best: { readonly gain: number; readonly feature: number; readonly bin: number } | undefined
  branches?: readonly [Leaf, Leaf]
}

function growTree(ground: Ground, growth: Growth): Tree {
  const root = toLeaf(ground, growth, [0, ground.members.length], undefined)
  const leaves = [root]
  while (leaves.length < growth.leaves) {
    let most: Leaf | undefined
    for (const leaf of leaves) if (leaf.best && leaf.best.gain > (most?.best?.gain ?? 0)) most = leaf
    if (!most) break
    most.branches = split(ground, growth, most)
    leaves.splice(leaves.indexOf(most), 1, ...most.branches)
  }
  const nodes: { feature: number; value: number; upper: number }[] = []
  write(root)
  return nodes

  function write(leaf: Leaf) {
    if (!leaf.branches) {
      nodes.push({ feature: -1, value: (growth.rate * leaf.slope) / (leaf.bend + growth.caution), upper: 0 })
      return
    }
    const node = { feature: leaf.best!.feature, value: leaf.best!.bin, upper: 0 }
    nodes.push(node)
    write(leaf.branches[0])
    node.upper = nodes.length
    write(leaf.branches[1])
  }
}

function split(ground: Ground, growth: Growth, leaf: Leaf): [Leaf, Leaf] {
  const { binned, rows, members } = ground
  const { feature, bin } = leaf.best!
  const upper: number[] = []
  let middle = leaf.from
  for (let at = leaf.from; at < leaf.to; at++) {
    const member = members[at]!
    if (binned.bins[rows[member]! * binned.features + feature]! >= bin) upper.push(member)
    else members[middle++] = member
  }
  members.set(upper, middle)
  const lower: [number, number] = [leaf.from, middle]
  const higher: [number, number] = [middle, leaf.to]
  // Only the smaller branch is counted; the other one is what remains.
  if (middle - leaf.from < leaf.to - middle) {
    const small = toLeaf(ground, growth, lower, undefined)
    return [small, toLeaf(ground, growth, higher, { leaf, small })]
  }
  const small = toLeaf(ground, growth, higher, undefined)
  return [toLeaf(ground, growth, lower, { leaf, small }), small]
}

function toLeaf(
  ground: Ground,
  growth: Growth,
  [from, to]: readonly [number, number],
  rest: { leaf: Leaf; small: Leaf } | undefined,
): Leaf {
  const { members, slopes, bends, features } = ground
  let [slope, bend] = [0, 0]
  for (let at = from; at < to; at++) {
    slope += slopes[members[at]!]!
    bend += bends[members[at]!]!
  }
  const sums = rest ? rest.leaf.sums.map((sum, at) => sum - rest.small.sums[at]!) : addUp(ground, from, to)
  let best: Leaf['best']
  const alone = slope ** 2 / (bend + growth.caution)
  features.forEach((feature, index) => {
    let [slopeBelow, bendBelow] = [0, 0]
    const cuts = ground.binned.cuts[feature]!.length
    for (let bin = 0; bin < cuts; bin++) {
      const at = (index * maxBins + bin) * 2
      slopeBelow += sums[at]!
      bendBelow += sums[at + 1]!
      if (bendBelow < growth.minInLeaf) continue
      if (bend - bendBelow < growth.minInLeaf) break
      const gain =
        slopeBelow ** 2 / (bendBelow + growth.caution) +
        (slope - slopeBelow) ** 2 / (bend - bendBelow + growth.caution) -
        alone
      if (gain > (best?.gain ?? 0.01)) best = { gain, feature, bin: bin + 1 }
    }
  })
  return { from, to, sums, slope, bend, best }
}

function addUp({ binned, rows, members, slopes, bends, features }: Ground, from: number, to: number): Float64Array {
  const sums = new Float64Array(features.length * maxBins * 2)
  const { bins } = binned
  for (let at = from; at < to; at++) {
    const member = members[at]!
    const row = rows[member]! * binned.features
    const slope = slopes[member]!
    const bend = bends[member]!
    for (let index = 0; index < features.length; index++) {
      const place = (index * maxBins + bins[row + features[index]!]!) * 2
      sums[place]! += slope
      sums[place + 1]! += bend
    }
  }
  return sums
}

/** The probability that a row is content. */
export function askAll({ base, trees }: Forest, binned: Binned, row: number): number {
  let sum = base
  for (const tree of trees) sum += ask(tree, binned, row)
  return 1 / (1 + Math.exp(-sum))
}

function ask(tree: Tree, { bins, features }: Binned, row: number): number {
  let node = 0
  for (;;) {
    const { feature, value, upper } = tree[node]!
    if (feature < 0) return value
    node = bins[row * features + feature]! >= value ? upper : node + 1
  }
}

function toRandom(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
