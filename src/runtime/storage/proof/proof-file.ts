import { parseCheckpoint } from './checkpoint.ts'
import { fromBase64, type Verifier, verifyNote } from './signed-note.ts'
import { hashLeaf, verifyConsistency, verifyInclusion } from './verify-tree.ts'

/**
 * Proof files, verified with WebCrypto alone: offline with only a public key, in the command and in a browser. Everything in a
 * file is untrusted until its checkpoint is verified.
 */
export type ProofFile = CallProof | ConsistencyProof

/** The records of a call, and proof that the ledger contained them when the checkpoint was signed. */
export interface CallProof {
  readonly format: 'toolpact-proof'
  readonly version: 1
  readonly call: string
  readonly entries: readonly ProvenEntry[]
  /** The signed note. */
  readonly checkpoint: string
  /** The key that signed, for information: a verifier must know it from elsewhere. */
  readonly publicKey: string
}

interface ProvenEntry {
  readonly seq: number
  /** Position in the tree. */
  readonly index: number
  /** Hash of the entry before it. */
  readonly previous: string
  /** The record as stored: its hash covers exactly this text. */
  readonly record: string
  /** Hashes in base64, from the leaf up. */
  readonly proof: readonly string[]
}

/** Proof that the ledger of the later checkpoint begins with that of the earlier one. */
export interface ConsistencyProof {
  readonly format: 'toolpact-consistency-proof'
  readonly version: 1
  readonly from: string
  readonly to: string
  readonly proof: readonly string[]
  readonly publicKey: string
}

export type ProofVerdict =
  | {
      readonly valid: true
      readonly kind: 'call'
      readonly call: string
      readonly records: readonly object[]
      readonly origin: string
      /** Entries that the checkpoint covers. */
      readonly size: number
      /** Who signed: names and ids of keys. */
      readonly signedBy: readonly string[]
    }
  | {
      readonly valid: true
      readonly kind: 'consistency'
      readonly origin: string
      readonly from: number
      readonly size: number
      readonly signedBy: readonly string[]
    }
  | { readonly valid: false; readonly reason: string }

/** One check of a verification. The first that fails ends it. */
export type ProofStep = { readonly passed: boolean } & (
  | {
      readonly check: 'signature'
      readonly origin: string
      readonly size: number
      readonly signedBy: readonly string[]
    }
  /** `hash` of the entry is computed from its record. */
  | { readonly check: 'inclusion'; readonly seq: number; readonly index: number; readonly hash: string }
  | { readonly check: 'call'; readonly seq: number }
  | { readonly check: 'consistency'; readonly from: number; readonly size: number }
)

type OnStep = (step: ProofStep) => void

export const maxProofCharacters = 16_777_216
/** Of a call, in a proof file. */
export const maxProofEntries = 10_000

/** Verifies a proof file. One of the keys must be the ledger's own; those of witnesses count in addition. */
export async function verifyProofFile(
  text: string,
  verifiers: readonly Verifier[],
  onStep: OnStep = () => {},
): Promise<ProofVerdict> {
  const file = parseProofFile(text)
  if (!file) return invalid('It is not a Toolpact proof file.')
  if (file.format === 'toolpact-consistency-proof') return verifyBoth(file, verifiers, onStep)
  const checked = await check(file.checkpoint, verifiers, onStep)
  if ('reason' in checked) return checked
  const { checkpoint, signedBy } = checked
  const records: object[] = []
  for (const { seq, index, previous, record, proof } of file.entries) {
    const entryHash = await hashText(`${previous}${record}`)
    const isIncluded = await verifyInclusion(await hashLeaf(entryHash), {
      ...checkpoint,
      index,
      proof: toHashes(proof),
    })
    onStep({ check: 'inclusion', passed: isIncluded, seq, index, hash: entryHash })
    if (!isIncluded) return invalid(`Entry ${seq} is not in the ledger that the checkpoint covers: it was changed, or the proof is for another one.`) // biome-ignore format: one line
    const parsed = parseRecord(record)
    const isOfCall = parsed?.callId === file.call
    onStep({ check: 'call', passed: isOfCall, seq })
    if (!parsed || !isOfCall) return invalid(`Entry ${seq} is not a record of the call ${file.call}.`)
    records.push(parsed)
  }
  const { origin, size } = checkpoint
  return { valid: true, kind: 'call', call: file.call, records, origin, size, signedBy }
}

/** Undefined if it is not a proof file. Nothing is verified. */
export function parseProofFile(text: string): ProofFile | undefined {
  if (text.length > maxProofCharacters) return undefined
  const file = parseRecord(text) as { [key: string]: unknown } | undefined
  if (file?.version !== 1 || typeof file.publicKey !== 'string') return undefined
  if (file.format === 'toolpact-consistency-proof')
    return areTexts([file.from, file.to]) && isProof(file.proof) ? (file as unknown as ConsistencyProof) : undefined
  if (file.format !== 'toolpact-proof' || !areTexts([file.call, file.checkpoint])) return undefined
  const { entries } = file
  const isWhole =
    Array.isArray(entries) && entries.length > 0 && entries.length <= maxProofEntries && entries.every(isEntry)
  return isWhole ? (file as unknown as CallProof) : undefined
}

async function verifyBoth(
  file: ConsistencyProof,
  verifiers: readonly Verifier[],
  onStep: OnStep,
): Promise<ProofVerdict> {
  const from = await check(file.from, verifiers, onStep)
  if ('reason' in from) return from
  const to = await check(file.to, verifiers, onStep)
  if ('reason' in to) return to
  const [earlier, later] = [from.checkpoint, to.checkpoint]
  if (earlier.origin !== later.origin) return invalid('The checkpoints are of different ledgers.')
  const isContinued = await verifyConsistency(earlier, later, toHashes(file.proof))
  onStep({ check: 'consistency', passed: isContinued, from: earlier.size, size: later.size })
  if (!isContinued)
    return invalid(`The ledger of ${later.size} entries does not begin with that of ${earlier.size}: its history was rewritten, or the proof is for others.`) // biome-ignore format: one line
  return { valid: true, kind: 'consistency', origin: later.origin, from: earlier.size, size: later.size, signedBy: to.signedBy } // biome-ignore format: one line
}

async function check(note: string, verifiers: readonly Verifier[], onStep: OnStep) {
  const checkpoint = parseCheckpoint(note)
  if (!checkpoint) return invalid('Its checkpoint is malformed.')
  const signers = await verifyNote(checkpoint.note, verifiers)
  const isSigned = signers.some(({ kind }) => kind === 'note')
  const signedBy = signers.map(({ name, keyId }) => `${name}+${keyId}`)
  onStep({ check: 'signature', passed: isSigned, origin: checkpoint.origin, size: checkpoint.size, signedBy })
  if (!isSigned)
    return invalid('Its checkpoint is not signed by the given key: it was forged, or another key signed it.')
  return { checkpoint, signedBy }
}

function invalid(reason: string): { readonly valid: false; readonly reason: string } {
  return { valid: false, reason }
}

/** A malformed hash stays one that matches nothing. */
function toHashes(proof: readonly string[]): Uint8Array[] {
  return proof.map((text) => fromBase64(text) ?? new Uint8Array())
}

async function hashText(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function parseRecord(text: string): { readonly callId?: unknown } | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function isEntry(entry: unknown): boolean {
  const { seq, index, previous, record, proof } = (entry ?? {}) as { [key: string]: unknown }
  const isPlaced = Number.isSafeInteger(seq) && Number.isSafeInteger(index) && areTexts([previous, record])
  return isPlaced && /^[0-9a-f]{64}$/.test(previous as string) && isProof(proof)
}

function isProof(proof: unknown): boolean {
  return Array.isArray(proof) && proof.length <= 63 && areTexts(proof)
}

function areTexts(values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string')
}
