import { hash } from 'node:crypto'

/**
 * The Merkle tree of RFC 6962 as it grows: a leaf is hashed once, and nothing is hashed again. Complete subtrees are stored in
 * tiles of 256 hashes, as C2SP's tlog-tiles defines them, so that a proof reads a few rows of any tree.
 */
export interface Tree {
  readonly size: number
  /** Roots of the complete subtrees that the tree consists of, largest first: one for each bit of the size. */
  readonly frontier: readonly Uint8Array[]
}

/** Hashes of complete subtrees of 256 ** level leaves, side by side. Only the last tile of a level has fewer than 256. */
export interface Tile {
  readonly level: number
  readonly index: number
  readonly hashes: Uint8Array
}

export const hashBytes = 32
export const tileHeight = 8
export const tileWidth = 2 ** tileHeight
export const emptyTree: Tree = { size: 0, frontier: [] }

/** Adds leaves, given by their hashes. `readTile` returns the stored last tile of a level, if it is not full. */
export function growTree(
  tree: Tree,
  leaves: readonly Uint8Array[],
  readTile: (level: number, index: number) => Uint8Array | undefined,
): { readonly tree: Tree; readonly tiles: Tile[] } {
  const frontier = [...tree.frontier]
  const tiles = new Map<string, { level: number; index: number; parts: Uint8Array[] }>()
  let { size } = tree

  function put(level: number, position: number, node: Uint8Array) {
    const index = Math.floor(position / tileWidth)
    const key = `${level}/${index}`
    let tile = tiles.get(key)
    if (!tile) {
      const before = position % tileWidth === 0 ? undefined : readTile(level, index)
      tile = { level, index, parts: before ? [before] : [] }
      tiles.set(key, tile)
    }
    tile.parts.push(node)
  }

  for (const leaf of leaves) {
    put(0, size, leaf)
    let node = leaf
    // Each trailing one of the size is a complete subtree that this one completes a larger one with.
    let height = 0
    for (let rest = size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = toNodeHash(frontier.pop()!, node)
      height += 1
      if (height % tileHeight === 0) put(height / tileHeight, (size + 1) / 2 ** height - 1, node)
    }
    frontier.push(node)
    size += 1
  }
  const made = [...tiles.values()].map(({ level, index, parts }) => ({ level, index, hashes: Buffer.concat(parts) }))
  return { tree: { size, frontier }, tiles: made }
}

/** The root of the whole tree. */
export function toRoot({ frontier }: Tree): Uint8Array {
  if (frontier.length === 0) return hash('sha256', '', 'buffer')
  return frontier.reduceRight((right, left) => toNodeHash(left, right))
}

/** A leaf is the hash of a ledger entry: it covers the record, and all entries before it in the same chain. */
export function toLeafHash(entryHash: string): Uint8Array {
  if (leafInput.write(entryHash, 1, 'hex') !== hashBytes) throw new RangeError('An entry hash has 64 hex digits.')
  return toHash(leafInput)
}

export function toNodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + hashBytes)
  return toHash(nodeInput)
}

/** Used again for each hash: 0.36 µs instead of 0.50 µs. The first byte is the kind of hash, by RFC 6962. */
const leafInput = Buffer.alloc(1 + hashBytes, 0)
const nodeInput = Buffer.alloc(1 + 2 * hashBytes, 1)

/** By way of a string, which takes half the time of a buffer. */
function toHash(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary')
}
