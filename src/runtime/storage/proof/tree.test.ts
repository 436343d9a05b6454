import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  findRoot,
  MissingTileError,
  proveConsistency,
  proveInclusion,
  proveInclusions,
  type ReadTile,
} from './proofs.ts'
import { emptyTree, growTree, type Tree, toLeafHash, toNodeHash, toRoot } from './tree.ts'
import { hashLeaf, verifyConsistency, verifyInclusion } from './verify-tree.ts'

test('has the roots of the reference implementation of RFC 6962', () => {
  const data = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const leaves = data.map((hex) => hash('sha256', Buffer.from(`00${hex}`, 'hex'), 'buffer'))
  for (const [size, root] of roots.entries()) {
    const { tree } = growTree(emptyTree, leaves.slice(0, size), () => undefined)
    expect(Buffer.from(toRoot(tree)).toString('hex')).toBe(root)
  }
})

test('hashes a leaf alike with Node and with WebCrypto', async () => {
  const entry = hash('sha256', 'entry')
  expect(Buffer.from(await hashLeaf(entry))).toEqual(Buffer.from(toLeafHash(entry)))
  expect(() => toLeafHash('12')).toThrow(RangeError)
})

test('equals a tree that is computed naively, in whatever steps it grows', () => {
  const random = seeded(7)
  const leaves = makeLeaves(700)
  for (let round = 0; round < 20; round++) {
    const grown = grow(leaves.slice(0, 1 + random(700)), () => 1 + random(300))
    expect(toRoot(grown.tree)).toEqual(naiveRoot(leaves.slice(0, grown.tree.size)))
  }
})

test('proves the inclusion of every leaf in trees of every size', async () => {
  const leaves = makeLeaves(70)
  const { read } = grow(leaves, () => 13)
  for (let size = 1; size <= leaves.length; size++) {
    const root = naiveRoot(leaves.slice(0, size))
    expect(await findRoot(read, size)).toEqual(root)
    for (let index = 0; index < size; index++) {
      const proof = await proveInclusion(read, index, size)
      expect(await verifyInclusion(leaves[index]!, { index, size, root, proof })).toBe(true)
    }
  }
})

test('proves several leaves at once, and reads each tile once', async () => {
  const leaves = makeLeaves(600)
  const { read } = grow(leaves, () => 100)
  const tiles: string[] = []
  const reading: ReadTile = (level, index) => {
    tiles.push(`${level}/${index}`)
    return read(level, index)
  }
  const indexes = leaves.map((_, index) => index)
  const proofs = await proveInclusions(reading, indexes, leaves.length)
  expect(tiles.sort()).toEqual(['0/0', '0/1', '0/2', '1/0'])
  for (const index of indexes.filter((index) => index % 37 === 0))
    expect(proofs[index]).toEqual(await proveInclusion(read, index, leaves.length))
  await expect(proveInclusions(read, [0, 600], 600)).rejects.toThrow('no leaf 600')
})

test('proves in large trees with a few tiles, across tile levels', async () => {
  const random = seeded(11)
  const leaves = makeLeaves(140_000)
  const { read, tree, reads } = grow(leaves, () => 5000)
  const root = toRoot(tree)
  for (let round = 0; round < 30; round++) {
    const index = random(leaves.length)
    reads.clear()
    const proof = await proveInclusion(read, index, leaves.length)
    expect(reads.size).toBeLessThan(12)
    expect(await verifyInclusion(leaves[index]!, { index, size: leaves.length, root, proof })).toBe(true)
    const from = 1 + random(leaves.length)
    const earlier = { size: from, root: await findRoot(read, from) }
    const consistency = await proveConsistency(read, from, leaves.length)
    expect(await verifyConsistency(earlier, { size: leaves.length, root }, consistency)).toBe(true)
  }
})

test('proves the consistency of every pair of sizes', async () => {
  const leaves = makeLeaves(40)
  const { read } = grow(leaves, () => 9)
  const heads = await Promise.all(
    Array.from({ length: leaves.length + 1 }, async (_, size) => ({ size, root: await findRoot(read, size) })),
  )
  for (const later of heads)
    for (const earlier of heads.slice(0, later.size + 1)) {
      const proof = await proveConsistency(read, earlier.size, later.size)
      expect(await verifyConsistency(earlier, later, proof)).toBe(true)
    }
})

test('refuses a proof of another leaf, position, size or root, and one that is longer or shorter', async () => {
  const leaves = makeLeaves(21)
  const { read, tree } = grow(leaves, () => 21)
  const root = toRoot(tree)
  const proof = await proveInclusion(read, 12, 21)
  const right = { index: 12, size: 21, root, proof }
  expect(await verifyInclusion(leaves[12]!, right)).toBe(true)
  expect(await verifyInclusion(leaves[13]!, right)).toBe(false)
  for (const wrong of [
    { index: 13 },
    { index: -1 },
    { index: 21 },
    { index: 1.5 },
    { size: 13 },
    { size: Number.NaN },
    { root: leaves[0]! },
    { proof: proof.slice(1) },
    { proof: [...proof, proof[0]!] },
    { proof: [Uint8Array.of(1), ...proof.slice(1)] },
    { proof: Array(64).fill(proof[0]) },
  ])
    expect(await verifyInclusion(leaves[12]!, { ...right, ...wrong })).toBe(false)
})

test('refuses a consistency proof for other trees', async () => {
  const leaves = makeLeaves(30)
  const { read } = grow(leaves, () => 30)
  const other = grow(makeLeaves(30, 'other'), () => 30)
  const head = async (size: number, from = read) => ({ size, root: await findRoot(from, size) })
  const proof = await proveConsistency(read, 11, 30)
  expect(await verifyConsistency(await head(11), await head(30), proof)).toBe(true)
  expect(await verifyConsistency(await head(11, other.read), await head(30), proof)).toBe(false)
  expect(await verifyConsistency(await head(11), await head(30, other.read), proof)).toBe(false)
  expect(await verifyConsistency(await head(12), await head(30), proof)).toBe(false)
  expect(await verifyConsistency(await head(30), await head(11), proof)).toBe(false)
  expect(await verifyConsistency(await head(11), await head(30), [])).toBe(false)
  expect(await verifyConsistency(await head(11), await head(30), [...proof, proof[0]!])).toBe(false)
  expect(await verifyConsistency(await head(11), await head(11, other.read), [])).toBe(false)
  expect(await verifyConsistency({ size: 0, root: leaves[0]! }, await head(11), [])).toBe(false)
})

test('names what is missing if a tile was lost', async () => {
  const { read } = grow(makeLeaves(600), () => 600)
  const holed = async (level: number, index: number) => (index === 1 ? undefined : read(level, index))
  await expect(proveInclusion(holed, 300, 600)).rejects.toThrow(MissingTileError)
  await expect(proveInclusion(read, 600, 600)).rejects.toThrow(RangeError)
  await expect(proveConsistency(read, 601, 600)).rejects.toThrow(RangeError)
})

function grow(leaves: readonly Uint8Array[], step: () => number) {
  const stored = new Map<string, Uint8Array>()
  const reads = new Set<string>()
  let tree: Tree = emptyTree
  while (tree.size < leaves.length) {
    const next = leaves.slice(tree.size, tree.size + step())
    const grown = growTree(tree, next, (level, index) => stored.get(`${level}/${index}`))
    for (const { level, index, hashes } of grown.tiles) stored.set(`${level}/${index}`, hashes)
    tree = grown.tree
  }
  const read = async (level: number, index: number) => {
    reads.add(`${level}/${index}`)
    return stored.get(`${level}/${index}`)
  }
  return { tree, read, reads }
}

/** By the definition of RFC 6962, without any state. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return toNodeHash(naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split)))
}

function makeLeaves(count: number, word = 'leaf'): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => toLeafHash(hash('sha256', `${word} ${index}`)))
}

function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}
