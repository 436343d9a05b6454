import { hashBytes, type Tree, tileHeight, tileWidth, toNodeHash, toRoot } from './tree.ts'

/** Returns a tile; it may contain more than is needed. Undefined if there is none. */
export type ReadTile = (level: number, index: number) => Promise<Uint8Array | undefined>

/** A part of the tree that is needed is not stored. */
export class MissingTileError extends Error {
  override readonly name = 'MissingTileError'
}

/** Proof that the tree of `size` leaves contains the leaf at `index`: siblings from the leaf up (RFC 6962, 2.1.1). */
export async function proveInclusion(read: ReadTile, index: number, size: number): Promise<Uint8Array[]> {
  const [proof] = await proveInclusions(read, [index], size)
  return proof!
}

/** Proofs of several leaves. Reads each tile and hashes each subtree once: for 10,000 leaves a thirtieth of the hashes. */
export async function proveInclusions(
  read: ReadTile,
  indexes: readonly number[],
  size: number,
): Promise<Uint8Array[][]> {
  const outside = indexes.find((index) => !(index >= 0 && index < size))
  if (outside !== undefined) throw new RangeError(`The tree of ${size} leaves has no leaf ${outside}.`)
  const tree = remember(read)
  return Promise.all(indexes.map((index) => toPath(tree, index, [0, size])))
}

/** Proof that the tree of `to` leaves begins with the tree of `from` leaves (RFC 6962, 2.1.2). */
export async function proveConsistency(read: ReadTile, from: number, to: number): Promise<Uint8Array[]> {
  if (!(from >= 0 && from <= to)) throw new RangeError(`A tree of ${to} leaves has no part of ${from} leaves.`)
  if (from === 0 || from === to) return []
  return toSubproof(remember(read), from, { range: [0, to], isWhole: true })
}

/** The root of the tree when it had `size` leaves. */
export async function findRoot(read: ReadTile, size: number): Promise<Uint8Array> {
  return toRoot(await findTree(read, size))
}

/** The tree when it had `size` leaves. */
export async function findTree(read: ReadTile, size: number): Promise<Tree> {
  const frontier: Uint8Array[] = []
  const remembered = remember(read)
  for (let start = 0; start < size; ) {
    const count = 2 ** Math.floor(Math.log2(size - start))
    frontier.push(await toHash(remembered, [start, start + count]))
    start += count
  }
  return { size, frontier }
}

type Range = readonly [start: number, end: number]

/** What was read and hashed of a stored tree. */
interface KnownTree {
  readonly read: ReadTile
  readonly hashes: Map<string, Promise<Uint8Array>>
}

async function toPath(tree: KnownTree, index: number, [start, end]: Range): Promise<Uint8Array[]> {
  if (end - start === 1) return []
  const middle = start + toSplit(end - start)
  const isLeft = index < middle
  const path = await toPath(tree, index, isLeft ? [start, middle] : [middle, end])
  path.push(await toHash(tree, isLeft ? [middle, end] : [start, middle]))
  return path
}

async function toSubproof(
  tree: KnownTree,
  size: number,
  { range: [start, end], isWhole }: { range: Range; isWhole: boolean },
): Promise<Uint8Array[]> {
  if (size === end) return isWhole ? [] : [await toHash(tree, [start, end])]
  const middle = start + toSplit(end - start)
  const isLeft = size <= middle
  const range: Range = isLeft ? [start, middle] : [middle, end]
  const proof = await toSubproof(tree, size, { range, isWhole: isWhole && isLeft })
  proof.push(await toHash(tree, isLeft ? [middle, end] : [start, middle]))
  return proof
}

/** The hash of leaves that form a subtree. */
function toHash(tree: KnownTree, range: Range): Promise<Uint8Array> {
  const key = range.join('-')
  const hash = tree.hashes.get(key) ?? findHash(tree, range)
  tree.hashes.set(key, hash)
  return hash
}

/** Read if the subtree is complete, otherwise computed from its halves. */
async function findHash(tree: KnownTree, [start, end]: Range): Promise<Uint8Array> {
  const count = end - start
  const split = toSplit(count)
  if (count > 1 && split * 2 !== count)
    return toNodeHash(await toHash(tree, [start, start + split]), await toHash(tree, [start + split, end]))
  const height = Math.round(Math.log2(count))
  const level = Math.floor(height / tileHeight)
  const inTile = 2 ** (height % tileHeight)
  const first = start / 2 ** (level * tileHeight)
  const tile = await tree.read(level, Math.floor(first / tileWidth))
  const at = (first % tileWidth) * hashBytes
  const hashes = tile?.subarray(at, at + inTile * hashBytes)
  if (hashes?.length !== inTile * hashBytes)
    throw new MissingTileError(`The tree has no hashes of leaves ${start} to ${end - 1}.`)
  return fold(hashes)
}

function fold(hashes: Uint8Array): Uint8Array {
  if (hashes.length === hashBytes) return hashes
  const middle = hashes.length / 2
  return toNodeHash(fold(hashes.subarray(0, middle)), fold(hashes.subarray(middle)))
}

/** The largest power of two below `count`. */
function toSplit(count: number): number {
  return count <= 1 ? 1 : 2 ** Math.floor(Math.log2(count - 1))
}

/** A proof needs several hashes of the same tile. */
function remember(read: ReadTile): KnownTree {
  const tiles = new Map<string, ReturnType<ReadTile>>()
  return {
    hashes: new Map(),
    read(level, index) {
      const key = `${level}/${index}`
      const tile = tiles.get(key) ?? read(level, index)
      tiles.set(key, tile)
      return tile
    },
  }
}
