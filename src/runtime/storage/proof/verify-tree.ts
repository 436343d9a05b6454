/**
 * Verification of Merkle proofs (RFC 6962) with WebCrypto alone, so that the command, a receiving server and a browser run
 * the same code. A proof comes from elsewhere: its length is checked before it is used.
 */
const maxProofHashes = 63

/** Whether `proof` shows that the tree with this root contains the leaf. */
export async function verifyInclusion(
  leaf: Uint8Array,
  { index, size, root, proof }: { index: number; size: number; root: Uint8Array; proof: readonly Uint8Array[] },
): Promise<boolean> {
  if (!isSize(size) || !Number.isSafeInteger(index) || index < 0 || index >= size || !areHashes(proof)) return false
  let node = leaf
  let [at, last] = [index, size - 1]
  for (const sibling of proof) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      node = await hashNode(sibling, node)
      // Levels at which this node has no sibling.
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else node = await hashNode(node, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(node, root)
}

export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

/** Whether `proof` shows that the later tree begins with the earlier one. */
export async function verifyConsistency(
  earlier: TreeHead,
  later: TreeHead,
  proof: readonly Uint8Array[],
): Promise<boolean> {
  if (!isSize(earlier.size) || !isSize(later.size) || earlier.size > later.size || !areHashes(proof)) return false
  if (earlier.size === later.size) return proof.length === 0 && isSame(earlier.root, later.root)
  if (earlier.size === 0) return proof.length === 0 && isSame(earlier.root, await sha256(new Uint8Array()))
  let [at, last] = [earlier.size - 1, later.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  // A complete subtree as the earlier tree is not repeated in the proof.
  const [first, rest] = at === 0 ? [earlier.root, proof] : [proof[0], proof.slice(1)]
  if (!first) return false
  let [old, fresh] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      old = await hashNode(sibling, old)
      fresh = await hashNode(sibling, fresh)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else fresh = await hashNode(fresh, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && isSame(old, earlier.root) && isSame(fresh, later.root)
}

/** The hash of a leaf, from the hash of a ledger entry in hex. */
export async function hashLeaf(entryHash: string): Promise<Uint8Array> {
  const bytes = entryHash.match(/../g)!.map((pair) => Number.parseInt(pair, 16))
  return sha256(Uint8Array.of(0, ...bytes))
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

function hashNode(left: Uint8Array, right: Uint8Array): Promise<Uint8Array> {
  return sha256(Uint8Array.of(1, ...left, ...right))
}

/** Sizes may exceed 32 bits, so no shifts. */
function half(value: number): number {
  return Math.floor(value / 2)
}

function isSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0
}

function areHashes(proof: readonly Uint8Array[]): boolean {
  return proof.length <= maxProofHashes && proof.every(({ length }) => length === 32)
}
