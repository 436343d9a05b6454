import { isObject } from '../../contract/json.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { type Checkpoint, parseCheckpoint, parseCheckpoints } from '../../runtime/storage/proof/checkpoint.ts'
import type { ProofStore } from '../../runtime/storage/proof/proof-store.ts'
import { type Verifier, verifyNote } from '../../runtime/storage/proof/signed-note.ts'
import { verifySeals } from '../../runtime/storage/proof/verify-seals.ts'
import type { Storage } from '../../runtime/storage/storage.ts'
import type { Config } from '../config/config.ts'
import { openPlaces } from './checkpoint-places.ts'
import type { LedgerVerification, VerifyOptions } from './ledger-proof.ts'
import { findVerifiers } from './open-signer.ts'

interface LedgerToVerify {
  readonly storage: Storage & { readonly proof: ProofStore }
  readonly config: Config
  readonly signing: Parameters<typeof findVerifiers>[0]
}

/** The checkpoint that the last successful verification ended with. */
const verifiedNote = 'ledger.verified'
const placeMs = 10_000
/** Reading as many entries again takes about a second, so that is done unless it is declined. */
const alwaysFull = 100_000

/** Verifies the chain, the tree and every checkpoint that can be found, here and elsewhere. */
export async function verifyLedger(
  { storage, config, signing }: LedgerToVerify,
  { full, offline = false, kept: given = [] }: VerifyOptions,
): Promise<LedgerVerification> {
  const { ledger, notes, proof } = storage
  const found = await findVerifiers(signing)
  const verifiers = found.map(({ verifier }) => verifier)
  const before = full ? undefined : await readVerified(storage, verifiers)
  const verified = full === false || (before?.size ?? 0) >= alwaysFull ? before : undefined
  const origin = await findOrigin(proof, verifiers)
  const asked = origin === undefined ? [] : await askPlaces(config, { origin, offline })
  const kept = [...given.flatMap(toKept), ...asked.flatMap(({ kept }) => kept)]
  const chain = await ledger.verify(verified && { afterSeq: (await proof.base()) + verified.size })
  const lastSeq = (await ledger.head()).seq
  const seals = await verifySeals({ store: proof, verifiers, kept, verified, lastSeq })
  const intact = chain.intact && seals.faults.length === 0
  // A state that is only read remembers nothing.
  if (intact && seals.newest) await notes.set(verifiedNote, { note: seals.newest.note, at: Date.now() }).catch(() => {})
  const isLocalKey = seals.newest !== null && found.filter(({ isLocal }) => !isLocal).every(({ verifier }) => !seals.keys.includes(`${verifier.name}+${verifier.keyId}`)) // biome-ignore format: one line
  return {
    intact,
    chain,
    seals,
    places: asked.map(({ place, kept, fault }) => ({ place, checkpoints: kept.length, fault })),
    isLocalKey,
    limits: toLimits({ isLocalKey, isCompared: kept.length > 0, place: proof.ownKey ? 'database' : 'state directory' }),
  }
}

function toLimits({ isLocalKey, isCompared, place }: { isLocalKey: boolean; isCompared: boolean; place: string }) {
  return [
    ...(isLocalKey
      ? [
          `The key that signs is in the ${place}: someone who can write there can also sign a forged ledger. Set ledger.signing in the config to keep it elsewhere.`,
        ]
      : []),
    ...(isCompared
      ? []
      : [
          `Nothing that is kept elsewhere was compared: if the whole ${place} was put back to an earlier time, this does not notice it. Set ledger.checkpoints in the config.`,
        ]),
  ]
}

/** Undefined unless it is a checkpoint of a known key: then everything is verified. */
async function readVerified({ notes }: Storage, verifiers: readonly Verifier[]): Promise<Checkpoint | undefined> {
  const noted = await notes.get(verifiedNote)
  const note = isObject(noted) ? noted.note : undefined
  const checkpoint = typeof note === 'string' ? parseCheckpoint(note) : undefined
  return checkpoint && (await verifyNote(checkpoint.note, verifiers)).length > 0 ? checkpoint : undefined
}

/** The name of this ledger in its newest checkpoint; before the first, that of the configured key. */
async function findOrigin(proof: ProofStore, verifiers: readonly Verifier[]): Promise<string | undefined> {
  const [newest] = await proof.checkpoints({ limit: 1 })
  return (newest && parseCheckpoint(newest.note)?.origin) ?? verifiers[0]?.name
}

function toKept({ place, text }: { readonly place: string; readonly text: string }) {
  const checkpoints = parseCheckpoints(text)
  if (!checkpoints) throw new ToolpactError('invalid_option', `${place} is not a checkpoint.`)
  return checkpoints.map((checkpoint) => ({ place, checkpoint }))
}

interface Asked {
  readonly place: string
  readonly kept: readonly { readonly place: string; readonly checkpoint: Checkpoint }[]
  readonly fault: string | null
}

/** What the places of `ledger.checkpoints` keep of this ledger. */
async function askPlaces(config: Config, { origin, offline }: { origin: string; offline: boolean }): Promise<Asked[]> {
  const wanted = (config.ledger?.checkpoints ?? []).filter(({ file }) => !offline || file !== undefined)
  const places = await openPlaces(wanted, { allowHosts: config.policy?.allowHosts })
  return Promise.all(
    places
      .filter(({ read }) => read)
      .map(async ({ name: place, read }) => {
        try {
          const checkpoints = await read!(origin, AbortSignal.timeout(placeMs))
          return { place, kept: checkpoints.map((checkpoint) => ({ place, checkpoint })), fault: null }
        } catch (error) {
          return { place, kept: [], fault: (error as Error).message }
        }
      }),
  )
}
