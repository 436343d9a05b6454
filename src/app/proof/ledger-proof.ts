import type { CallProof, ConsistencyProof } from '../../runtime/storage/proof/proof-file.ts'
import type { ProofStore, ReceivedCheckpoints, StoredCheckpoint } from '../../runtime/storage/proof/proof-store.ts'
import type { SealVerdict } from '../../runtime/storage/proof/verify-seals.ts'
import type { LedgerVerdict, Storage } from '../../runtime/storage/storage.ts'
import type { Config } from '../config/config.ts'
import type { Sealing, SealingStatus } from './sealing.ts'

/** Proofs of the ledger, for people who do not trust this machine. */
export interface LedgerProof {
  /** The key that signs checkpoints, as text of a C2SP signed note. */
  publicKey(): Promise<string>
  /** Proves that the records of a call are in the ledger. Seals them first if they are not sealed yet. */
  proveCall(callId: string): Promise<CallProof>
  /** Where the newest entries of a call are in the tree. */
  findSeal(callId: string): Promise<CallSeal>
  /** The newest checkpoint, of any process; undefined before the first. */
  checkpoint(): Promise<SealedState | undefined>
  /** Proves that the ledger still begins with what an earlier checkpoint covers. */
  proveConsistency(checkpoint: string): Promise<ConsistencyProof>
  /** Seals what is new, and verifies the chain, the tree, and every checkpoint that is kept here or elsewhere. */
  verify(options?: VerifyOptions): Promise<LedgerVerification>
  /** Checkpoints of other ledgers that were sent here to be kept. */
  readonly received: ReceivedCheckpoints
  /** Undefined if the ledger cannot be sealed. */
  status(): SealingStatus | undefined
}

/** How much of the ledger was sealed, and when. */
type SealedState = Pick<StoredCheckpoint, 'size' | 'at'>

/** Whether the entries of a call are sealed. */
interface CallSeal {
  readonly entries: readonly { readonly seq: number; readonly index: number }[]
  /** The newest one. An entry whose index is below its size is sealed. */
  readonly checkpoint: SealedState | undefined
}

/** What to verify. */
export interface VerifyOptions {
  /** Checks every entry again, or only those after the last verification. Default: every one unless there are 100,000. */
  readonly full?: boolean
  /** Does not ask other machines for the checkpoints that they keep. */
  readonly offline?: boolean
  /** Further checkpoints to compare with, as text, and where they are from. */
  readonly kept?: readonly { readonly place: string; readonly text: string }[]
}

/** What a verification of the ledger found. */
export interface LedgerVerification {
  readonly intact: boolean
  readonly chain: LedgerVerdict
  readonly seals: SealVerdict
  /** Where checkpoints are kept, and whether they could be compared. */
  readonly places: readonly { readonly place: string; readonly checkpoints: number; readonly fault: string | null }[]
  /** Whether a key signs that is kept with the ledger: in the state directory, or in the database. */
  readonly isLocalKey: boolean
  /** What this does not prove, and what to do about it. */
  readonly limits: readonly string[]
}

export interface LedgerProofOptions {
  readonly storage: Storage & { readonly proof: ProofStore; readonly sealing?: Sealing }
  readonly config: () => Config
  readonly stateDirectory: string
}

/** An agent run can have thousands of entries; a seal of its last ones covers the others. */
const maxSealEntries = 1000

/** What is rarely used is loaded with its first use. */
export function openLedgerProof(options: LedgerProofOptions): LedgerProof {
  const { storage, config, stateDirectory } = options
  const toSigning = () => ({
    signing: config().ledger?.signing,
    stateDirectory,
    proof: storage.proof,
    keepEnvironment: config().policy?.keepEnvironment,
  })

  async function publicKey(): Promise<string> {
    const { openSigner } = await import('./open-signer.ts')
    const { toVerifierKey } = await import('../../runtime/storage/proof/signed-note.ts')
    return toVerifierKey((await openSigner(toSigning())).verifier)
  }

  async function checkpoint(): Promise<SealedState | undefined> {
    const [newest] = await storage.proof.checkpoints({ limit: 1 })
    return newest && { size: newest.size, at: newest.at }
  }

  return {
    publicKey,
    checkpoint,
    async findSeal(callId) {
      const newest = await checkpoint()
      const stored = (await storage.ledger.read({ callId })).slice(-maxSealEntries)
      const found = await Promise.all(stored.map((entry) => storage.proof.find(entry)))
      const entries = found.filter((entry) => entry !== undefined).map(({ seq, index }) => ({ seq, index }))
      return { entries, checkpoint: newest }
    },
    async proveCall(callId) {
      const { findEntries } = await import('./find-entries.ts')
      const { proveCall } = await import('../../runtime/storage/proof/prove.ts')
      await storage.sealing?.sealNow()
      return proveCall(storage.proof, callId, { entries: await findEntries(storage, callId), publicKey: await publicKey() }) // biome-ignore format: one line
    },
    async proveConsistency(checkpoint) {
      const { proveContinued } = await import('../../runtime/storage/proof/prove.ts')
      await storage.sealing?.sealNow()
      return proveContinued(storage.proof, checkpoint, await publicKey())
    },
    async verify(what = {}) {
      const { verifyLedger } = await import('./verify-ledger.ts')
      // What short commands left. If it fails, the verification names what is not sealed.
      await storage.sealing?.sealNow().catch(() => {})
      return verifyLedger({ storage, config: config(), signing: toSigning() }, what)
    },
    received: storage.proof.received,
    status: () => storage.sealing?.status(),
  }
}
