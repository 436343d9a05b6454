import { printable } from '../../contract/text/printable.ts'
import { parseCheckpoint } from '../../runtime/storage/proof/checkpoint.ts'
import type { ProofStore, StoredCheckpoint } from '../../runtime/storage/proof/proof-store.ts'
import { findRoot, proveConsistency } from '../../runtime/storage/proof/proofs.ts'
import { toBase64 } from '../../runtime/storage/proof/signed-note.ts'
import type { CheckpointPlace, SentCheckpoint } from './checkpoint-places.ts'

/** Whether a place of `ledger.checkpoints` has the newest checkpoint. */
export interface PlaceStatus {
  /** For people: `the file /mnt/audit/checkpoints`. */
  readonly place: string
  /** Entries that its newest checkpoint covers; null before the first of this process. */
  readonly size: number | null
  /** Milliseconds since 1970. */
  readonly lastSentAt: number | null
  /** Why the last attempt failed; null if it did not. For operators only. */
  readonly fault: string | null
}

export interface Publisher {
  /** Sends the newest checkpoint to every place that does not have it and is not waiting after a failure. */
  publish(checkpoint: StoredCheckpoint): void
  status(): PlaceStatus[]
  /** Sends the last checkpoint, for a short time, and stops. */
  close(last: StoredCheckpoint | undefined): Promise<void>
}

interface PublisherOptions {
  readonly store: ProofStore
  readonly publicKey: () => Promise<string>
  readonly report: (message: string) => void
  /** Milliseconds before the next attempt after so many failures in a row; the last repeats. */
  readonly retryMs?: readonly number[]
}

const usualRetryMs = [5000, 10_000, 30_000, 60_000, 300_000]
const closeMs = 3000

/**
 * Sends checkpoints to their places, one at a time to each. Only the newest matters, so nothing queues up. A failure is reported
 * once, and tried again; nothing waits for it but `close`, and that not for long.
 */
export function openPublisher(
  places: readonly CheckpointPlace[],
  { store, publicKey, report, retryMs = usualRetryMs }: PublisherOptions,
): Publisher {
  const closed = new AbortController()
  const states = places.map((place) => ({
    place,
    size: null as number | null,
    lastSentAt: null as number | null,
    fault: null as string | null,
    failures: 0,
    notBefore: 0,
    sending: undefined as Promise<void> | undefined,
  }))

  async function send(state: (typeof states)[number], stored: StoredCheckpoint) {
    try {
      const cosignatures = await state.place.send(await toSent(stored), closed.signal)
      // The signatures of witnesses belong to the checkpoint.
      if (cosignatures) await addSignatures(stored.size, cosignatures)
      if (state.fault !== null) report(`Checkpoints reach ${state.place.name} again.`)
      Object.assign(state, { size: stored.size, lastSentAt: Date.now(), fault: null, failures: 0 })
    } catch (error) {
      const fault = printable((error as Error).message)
      if (state.fault !== fault && !closed.signal.aborted)
        report(`A checkpoint of the ledger did not reach ${state.place.name}: ${fault}.`)
      state.notBefore = performance.now() + retryMs[Math.min(state.failures, retryMs.length - 1)]!
      Object.assign(state, { fault, failures: state.failures + 1 })
    }
  }

  async function toSent({ note }: StoredCheckpoint): Promise<SentCheckpoint> {
    const checkpoint = parseCheckpoint(note)!
    return {
      checkpoint,
      note,
      publicKey: await publicKey(),
      prove: async (size) => (await proveConsistency(store.tile, size, checkpoint.size)).map(toBase64),
      rootAt: async (size) => ((await store.tree()).size < size ? undefined : findRoot(store.tile, size)),
    }
  }

  async function addSignatures(size: number, lines: string) {
    const [stored] = await store.checkpoints({ above: size - 1, below: size + 1, limit: 1 })
    if (stored && !stored.note.includes(lines))
      await store.addCheckpoint({ ...stored, note: `${stored.note}${lines}` }, { durable: false })
  }

  function publish(checkpoint: StoredCheckpoint, isLast = false) {
    for (const state of states) {
      const isWaiting = !isLast && performance.now() < state.notBefore
      if (state.sending || isWaiting || (state.size ?? -1) >= checkpoint.size) continue
      state.sending = send(state, checkpoint).finally(() => {
        state.sending = undefined
      })
    }
  }

  return {
    publish: (checkpoint) => publish(checkpoint),
    status: () => states.map(({ place, size, lastSentAt, fault }) => ({ place: place.name, size, lastSentAt, fault })),
    async close(last) {
      const timer = setTimeout(() => closed.abort(), closeMs)
      await Promise.all(states.map(({ sending }) => sending))
      if (last) publish(last, true)
      await Promise.all(states.map(({ sending }) => sending))
      clearTimeout(timer)
    },
  }
}
