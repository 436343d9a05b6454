import type { Checkpoint } from '../../runtime/storage/proof/checkpoint.ts'
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/config-error.ts'

type Place = NonNullable<NonNullable<Config['ledger']>['checkpoints']>[number]

/** A checkpoint on its way to a place. */
export interface SentCheckpoint {
  readonly checkpoint: Checkpoint
  /** The whole signed note. */
  readonly note: string
  readonly publicKey: string
  /** Proof that this checkpoint continues one of `size` entries: hashes in base64. */
  prove(size: number): Promise<string[]>
  /** The root of this ledger's tree when it had `size` entries; undefined if it never had as many. */
  rootAt(size: number): Promise<Uint8Array | undefined>
}

/** Where checkpoints are kept. */
export interface CheckpointPlace {
  /** For messages: `the file /mnt/audit/checkpoints`. */
  readonly name: string
  /** Rejects if it was not taken. Resolves with cosignatures, if the place adds some. */
  send(sent: SentCheckpoint, signal: AbortSignal): Promise<string | undefined>
  /** What it kept of this ledger: undefined if it cannot be asked. Rejects if that fails. */
  read?(origin: string, signal: AbortSignal): Promise<readonly Checkpoint[]>
}

export interface PlaceOptions {
  readonly allowHosts: readonly string[] | undefined
}

/** The place refused the checkpoint because it contradicts what it has: the ledger was truncated, rolled back or rewritten. */
export class ContradictionError extends Error {
  override readonly name = 'ContradictionError'
}

/** Opens the places of `ledger.checkpoints`. */
export async function openPlaces(places: readonly Place[], options: PlaceOptions): Promise<CheckpointPlace[]> {
  return Promise.all(
    places.map(async (place) => {
      requireOne(place)
      const { file, write, webhook, toolpact, witness } = place
      if (file !== undefined) return (await import('./file-place.ts')).openFilePlace(file, write ?? 'append')
      const remote = await import('./remote-places.ts')
      if (webhook !== undefined) return remote.openWebhookPlace(webhook, { ...options, secretEnv: place.secretEnv })
      if (toolpact !== undefined) return remote.openToolpactPlace(toolpact, { ...options, tokenEnv: place.tokenEnv })
      return remote.openWitnessPlace(witness!, { ...options, publicKey: place.publicKey })
    }),
  )
}

const belongs = { file: ['write'], webhook: ['secretEnv'], toolpact: ['tokenEnv'], witness: ['publicKey'] } as const

function requireOne(place: Place) {
  const kinds = (Object.keys(belongs) as (keyof typeof belongs)[]).filter((kind) => place[kind] !== undefined)
  const allowed: readonly string[] = kinds.length === 1 ? [kinds[0]!, ...belongs[kinds[0]!]] : []
  const odd = Object.keys(place).find((key) => !allowed.includes(key))
  if (kinds.length !== 1)
    throw new ConfigError('Each entry of ledger.checkpoints in the config needs one of file, webhook, toolpact and witness.') // biome-ignore format: one line
  if (odd !== undefined) throw new ConfigError(`ledger.checkpoints in the config: ${odd} does not belong to a ${kinds[0]}.`) // biome-ignore format: one line
}
