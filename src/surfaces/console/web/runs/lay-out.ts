/** A step to draw: it stands below all steps that end before it begins. */
export interface GraphStep {
  readonly key: string
  readonly after: readonly string[]
}

/** Where the boxes of steps are, and the lines between them. */
export interface Graph {
  readonly width: number
  readonly height: number
  readonly boxes: ReadonlyMap<string, { readonly x: number; readonly y: number }>
  readonly lines: readonly { readonly from: string; readonly to: string; readonly path: string }[]
}

export const boxSize = { width: 200, height: 52 } as const
const gap = { x: 24, y: 36 } as const
/** A line that passes a layer takes a narrow place in it. */
const passWidth = 24
const edge = 4

/** A place in a layer: a step, or a line that passes between two of its neighbours. */
interface Place {
  readonly key?: string
  readonly above: Place[]
  readonly below: Place[]
  x: number
  order: number
}

/**
 * Lays steps out in layers, from top to bottom: a step is one layer below the last of those that end before it. Lines that
 * others imply are left out. Each layer is ordered by its neighbours' middle, which keeps lines short and mostly uncrossed.
 */
export function layOut(steps: readonly GraphStep[]): Graph {
  const edges = reduce(steps)
  const layerOf = toLayers(edges)
  const layers: Place[][] = []
  const places = new Map<string, Place>()
  const add = (layer: number, key?: string): Place => {
    const place: Place = { ...(key !== undefined && { key }), above: [], below: [], x: 0, order: 0 }
    layers[layer] ??= []
    layers[layer].push(place)
    if (key !== undefined) places.set(key, place)
    return place
  }
  for (const { key } of steps) add(layerOf.get(key)!, key)
  const chains: { readonly from: string; readonly to: string; readonly through: readonly Place[] }[] = []
  for (const [to, froms] of edges) {
    for (const from of froms) {
      const through = [places.get(from)!]
      for (let layer = layerOf.get(from)! + 1; layer < layerOf.get(to)!; layer++) through.push(add(layer))
      through.push(places.get(to)!)
      for (const [n, place] of through.slice(1).entries()) {
        through[n]!.below.push(place)
        place.above.push(through[n]!)
      }
      chains.push({ from, to, through })
    }
  }
  order(layers)
  const width = place(layers)
  const yOf = (layer: number) => edge + layer * (boxSize.height + gap.y)
  return {
    width,
    height: yOf(layers.length - 1) + boxSize.height + edge,
    boxes: new Map([...places].map(([key, { x }]) => [key, { x: x - boxSize.width / 2, y: yOf(layerOf.get(key)!) }])),
    lines: chains.map(({ from, to, through }) => ({ from, to, path: toPath(through, yOf(layerOf.get(from)!)) })),
  }
}

/** The direct predecessors of each step, in the order of the document, without unknown ones and those that others imply. */
function reduce(steps: readonly GraphStep[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set<string>()
  /** All that end before a step. */
  const before = new Map<string, ReadonlySet<string>>()
  const edges = new Map<string, readonly string[]>()
  for (const { key, after } of steps) {
    const direct = [...new Set(after)].filter((one) => known.has(one))
    const implied = new Set(direct.flatMap((one) => [...before.get(one)!]))
    edges.set(
      key,
      direct.filter((one) => !implied.has(one)),
    )
    before.set(key, new Set([...implied, ...direct]))
    known.add(key)
  }
  return edges
}

function toLayers(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const layers = new Map<string, number>()
  for (const [key, froms] of edges) layers.set(key, Math.max(-1, ...froms.map((from) => layers.get(from)!)) + 1)
  return layers
}

const sweeps = 4

function order(layers: readonly Place[][]): void {
  const number = (layer: Place[]) => {
    for (const [n, place] of layer.entries()) place.order = n
  }
  for (const layer of layers) number(layer)
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isDown = sweep % 2 === 0
    for (const layer of isDown ? layers : layers.toReversed()) {
      const middles = new Map(
        layer.map((place) => [place, middle(isDown ? place.above : place.below) ?? place.order] as const),
      )
      layer.sort((one, other) => middles.get(one)! - middles.get(other)! || one.order - other.order)
      number(layer)
    }
  }
}

function middle(neighbours: readonly Place[]): number | undefined {
  if (neighbours.length === 0) return undefined
  return neighbours.reduce((sum, { order }) => sum + order, 0) / neighbours.length
}

/** Gives each place its middle: layers are centred. Returns the width of the widest. */
function place(layers: readonly Place[][]): number {
  const widthOf = ({ key }: Place) => (key === undefined ? passWidth : boxSize.width)
  const widths = layers.map((layer) => layer.reduce((sum, one) => sum + widthOf(one) + gap.x, -gap.x))
  const widest = Math.max(boxSize.width, ...widths)
  for (const [n, layer] of layers.entries()) {
    let x = edge + (widest - widths[n]!) / 2
    for (const one of layer) {
      one.x = x + widthOf(one) / 2
      x += widthOf(one) + gap.x
    }
  }
  return widest + 2 * edge
}

function toPath([first, ...others]: readonly Place[], top: number): string {
  let [x, y] = [first!.x, top + boxSize.height]
  let path = `M${x} ${y}`
  for (const place of others) {
    const bend = y + gap.y / 2
    y += gap.y
    path += ` C${x} ${bend} ${place.x} ${bend} ${place.x} ${y}`
    x = place.x
    if (place.key !== undefined) break
    y += boxSize.height
    path += ` V${y}`
  }
  return path
}
