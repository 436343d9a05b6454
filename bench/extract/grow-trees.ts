/** Feature rows quantized into at most `maxBins` bins, so that splits compare small integers. */
export interface Binned {
  readonly names: readonly string[]
  /** The bin of each row, by feature. */
  readonly bins: readonly Uint8Array[]
  /** Upper bin boundaries, by feature. */
  readonly cuts: readonly (readonly number[])[]
}

export interface Example {
  readonly row: number
  readonly isText: boolean
  readonly weight: number
}

/** In heap order: the children of node n are at 2n + 1 (no) and 2n + 2 (yes). */
interface Tree {
  readonly feature: Int16Array
  readonly bin: Int16Array
  readonly answer: Float64Array
}

export interface Forest {
  readonly base: number
  readonly trees: readonly Tree[]
}

const maxBins = 40
const levels = 3
const rate = 0.08
/** Regularization against leaves with few blocks. */
const caution = 3
const minInside = 2
/** Subsampling of examples and features per tree. */
const shareOfRows = 0.7
const shareOfFeatures = 0.3

/** Derives bin boundaries from a sample of rows. */
export function toBinned(
  rows: readonly Float64Array[],
  typical: readonly Float64Array[],
  names: readonly string[],
): Binned {
  const cuts = names.map((_, feature) => toCuts(Float64Array.from(typical, (row) => row[feature]!).sort()))
  const bins = cuts.map((ofFeature, feature) =>
    Uint8Array.from(rows, (row) => ofFeature.filter((cut) => row[feature]! >= cut).length),
  )
  return { names, bins, cuts }
}

/** Gradient boosting: each tree fits the residuals of the previous ones. Deterministic. */
export function growTrees({ bins, cuts }: Binned, examples: readonly Example[], count: number): Forest {
  const random = toRandom()
  const all = examples.reduce((sum, { weight }) => sum + weight, 0)
  const text = examples.reduce((sum, { isText, weight }) => sum + (isText ? weight : 0), 0)
  const base = Math.log(text / (all - text))
  const sums = new Float64Array(examples.length).fill(base)
  const trees: Tree[] = []
  while (trees.length < count) {
    const slopes = new Float64Array(examples.length)
    const bends = new Float64Array(examples.length)
    const seen: number[] = []
    examples.forEach(({ isText, weight }, at) => {
      const chance = 1 / (1 + Math.exp(-sums[at]!))
      slopes[at] = (Number(isText) - chance) * weight
      bends[at] = chance * (1 - chance) * weight
      if (random() < shareOfRows) seen.push(at)
    })
    const features = bins.flatMap((_, feature) => (random() < shareOfFeatures ? [feature] : []))
    const size = 2 ** (levels + 1) - 1
    const tree: Tree = {
      feature: new Int16Array(size).fill(-1),
      bin: new Int16Array(size),
      answer: new Float64Array(size),
    }
    let groups = new Map([[0, seen]])
    for (let level = 0; level <= levels; level++) {
      const next = new Map<number, number[]>()
      for (const [node, members] of groups) {
        const best = level < levels ? findQuestion(members) : undefined
        if (!best) {
          const [slope, bend] = sumUp(members)
          tree.answer[node] = (rate * slope) / (bend + caution)
          continue
        }
        tree.feature[node] = best.feature
        tree.bin[node] = best.bin
        const isYes = (at: number) => bins[best.feature]![examples[at]!.row]! > best.bin
        next.set(
          2 * node + 1,
          members.filter((at) => !isYes(at)),
        )
        next.set(2 * node + 2, members.filter(isYes))
      }
      groups = next
    }
    trees.push(tree)
    examples.forEach(({ row }, at) => {
      sums[at]! += ask(tree, bins, row)
    })

    function sumUp(members: readonly number[]): [number, number] {
      let [slope, bend] = [0, 0]
      for (const at of members) {
        slope += slopes[at]!
        bend += bends[at]!
      }
      return [slope, bend]
    }

    function findQuestion(members: readonly number[]): { feature: number; bin: number } | undefined {
      const [slope, bend] = sumUp(members)
      let most = slope ** 2 / (bend + caution) + 0.01
      let best: { feature: number; bin: number } | undefined
      const slopeOf = new Float64Array(maxBins + 1)
      const bendOf = new Float64Array(maxBins + 1)
      for (const feature of features) {
        slopeOf.fill(0)
        bendOf.fill(0)
        const ofFeature = bins[feature]!
        for (const at of members) {
          const bin = ofFeature[examples[at]!.row]!
          slopeOf[bin]! += slopes[at]!
          bendOf[bin]! += bends[at]!
        }
        let [slopeNo, bendNo] = [0, 0]
        for (let bin = 0; bin < cuts[feature]!.length; bin++) {
          slopeNo += slopeOf[bin]!
          bendNo += bendOf[bin]!
          if (bendNo < minInside || bend - bendNo < minInside) continue
          const gain = slopeNo ** 2 / (bendNo + caution) + (slope - slopeNo) ** 2 / (bend - bendNo + caution)
          if (gain > most) {
            most = gain
            best = { feature, bin }
          }
        }
      }
      return best
    }
  }
  return { base, trees }
}

/** The probability that a row is content. */
export function askAll({ base, trees }: Forest, { bins }: Binned, row: number): number {
  return 1 / (1 + Math.exp(-trees.reduce((sum, tree) => sum + ask(tree, bins, row), base)))
}

/** One line per tree, in the format of `score-blocks.ts`. */
export function toLines({ trees }: Forest, { names, cuts }: Binned): string[] {
  return trees.map((tree) => toLine(tree, 0))

  function toLine({ feature, bin, answer }: Tree, node: number): string {
    const asked = feature[node]!
    if (asked < 0) return String(Number(answer[node]!.toPrecision(3)))
    const answers = [2 * node + 1, 2 * node + 2].map((next) => toLine({ feature, bin, answer }, next))
    return `${names[asked]}>${cuts[asked]![bin[node]!]} ${answers.join(' ')}`
  }
}

function ask({ feature, bin, answer }: Tree, bins: Binned['bins'], row: number): number {
  let node = 0
  while (feature[node]! >= 0) node = 2 * node + (bins[feature[node]!]![row]! > bin[node]! ? 2 : 1)
  return answer[node]!
}

function toCuts(sorted: Float64Array): number[] {
  const distinct = [...new Set(sorted)]
  if (distinct.length <= maxBins) return distinct.slice(1)
  const cuts = new Set<number>()
  for (let bin = 1; bin < maxBins; bin++)
    cuts.add(Number(sorted[Math.floor((bin * sorted.length) / maxBins)]!.toPrecision(3)))
  return [...cuts].sort((a, b) => a - b)
}

function toRandom(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
