import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { type CallProof, type ConsistencyProof, maxProofCharacters, maxProofEntries } from './proof-file.ts'
import type { ProofStore, ProvableEntry, StoredCheckpoint } from './proof-store.ts'
import { proveConsistency, proveInclusions } from './proofs.ts'
import { toBase64 } from './signed-note.ts'

/** Proves that the entries of a call are in the ledger, under its newest checkpoint. */
export async function proveCall(
  store: ProofStore,
  call: string,
  { entries, publicKey }: { readonly entries: readonly ProvableEntry[]; readonly publicKey: string },
): Promise<CallProof> {
  // An agent run can have more, and a verifier accepts no more.
  if (entries.length > maxProofEntries) throw toTooLong(call)
  const { note, size } = await readNewest(store)
  const unsealed = entries.find(({ index }) => index >= size)
  if (unsealed) throw new ToolpactError('not_found', `Entry ${unsealed.seq} is not sealed yet: the next checkpoint covers it. Try again in a few seconds.`) // biome-ignore format: one line
  const indexes = entries.map(({ index }) => index)
  const proofs = await proveInclusions(store.tile, indexes, size)
  const proven = entries.map(({ seq, index, previous, text }, position) => ({
    seq,
    index,
    previous,
    record: text,
    proof: proofs[position]!.map(toBase64),
  }))
  const proof: CallProof = { format: 'toolpact-proof', version: 1, call, entries: proven, checkpoint: note, publicKey }
  // As the command and the console write it; the console escapes what is not ASCII.
  const escaped = JSON.stringify(proof, null, 2).replace(/[^\n\x20-\x7e]/g, '\\u0000')
  if (escaped.length >= maxProofCharacters) throw toTooLong(call)
  return proof
}

function toTooLong(call: string): ToolpactError {
  return new ToolpactError('too_large', `The records of the call ${call} do not fit in one proof, which has at most ${maxProofEntries} records and ${maxProofCharacters / 1_048_576} MB. Prove the calls that it made, one by one.`) // biome-ignore format: one line
}

/** Proves that this ledger still begins with what an earlier checkpoint covers. */
export async function proveContinued(store: ProofStore, note: string, publicKey: string): Promise<ConsistencyProof> {
  const from = parseCheckpoint(note)
  if (!from) throw new ToolpactError('invalid_option', 'That is not a checkpoint.')
  const newest = await readNewest(store)
  const { origin, size } = parseCheckpoint(newest.note)!
  if (from.origin !== origin) throw new ToolpactError('not_found', `The checkpoint is of another ledger: it names ${from.origin}, and this one is ${origin}.`) // biome-ignore format: one line
  if (from.size > size) throw new ToolpactError('not_found', `The checkpoint covers ${from.size} entries, and this ledger has ${size} sealed ones: it was truncated or rolled back. Run toolpact ledger --verify.`) // biome-ignore format: one line
  const proof = (await proveConsistency(store.tile, from.size, size)).map(toBase64)
  return { format: 'toolpact-consistency-proof', version: 1, from: note, to: newest.note, proof, publicKey }
}

async function readNewest(store: ProofStore): Promise<StoredCheckpoint> {
  const [newest] = await store.checkpoints({ limit: 1 })
  if (newest) return newest
  throw new ToolpactError('not_found', 'Nothing is sealed yet: the first checkpoint is made a few seconds after the first call.') // biome-ignore format: one line
}
