import type { Notes } from '../storage/storage.ts'

export interface LatestTimeOptions {
  readonly notes: Notes
  /** The time of the ledger's last entry; 0 where it has none. */
  readonly lastRecorded: () => Promise<number>
}

/** The latest time that is known to have passed, in milliseconds since 1970. It does not go back with the clock. */
export interface LatestTime {
  /** Rejects where the storage cannot be read. */
  load(): Promise<void>
  /** Synchronous; after `load` it includes what other processes have seen. */
  now(): number
}

/** Opens a clock that an expired rule cannot be revived by. What it has seen is kept to the minute. */
export function openLatestTime({ notes, lastRecorded }: LatestTimeOptions): LatestTime {
  let latest = 0
  let kept = 0
  let loading: Promise<void> | undefined

  async function load() {
    const [noted, recorded] = await Promise.all([notes.get(key), lastRecorded()])
    kept = typeof noted === 'number' ? noted : 0
    latest = Math.max(latest, kept, recorded)
  }

  return {
    load() {
      loading ??= load().catch((cause) => {
        loading = undefined
        throw cause
      })
      return loading
    },
    now() {
      latest = Math.max(latest, Date.now())
      if (loading && latest - kept >= keepEveryMs) {
        kept = latest
        // Where it cannot be kept, this process still knows it.
        notes.set(key, latest).catch(() => {})
      }
      return latest
    },
  }
}

const key = 'latest time'
const keepEveryMs = 60_000
