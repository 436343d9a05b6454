import type { JsonValue } from '../../contract/json.ts'
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
  /** Forgets a time that is ahead of the clock by more than a minute: it was noted while the clock was wrong. */
  reset(): Promise<ClockReset>
}

/** The result of forgetting a time that was recorded while the clock was wrong. */
export interface ClockReset {
  /** The latest time that was known, and the time by the clock: ISO. */
  readonly noted: string
  readonly now: string
  readonly isReset: boolean
}

/** Opens a clock that an expired rule cannot be revived by. What it has seen is kept to the minute. */
export function openLatestTime({ notes, lastRecorded }: LatestTimeOptions): LatestTime {
  let latest = 0
  let kept = 0
  let loading: Promise<void> | undefined

  async function load() {
    const [noted, recorded, wrong] = await Promise.all([notes.get(key), lastRecorded(), notes.get(wrongKey)])
    kept = typeof noted === 'number' ? noted : 0
    latest = Math.max(latest, kept, isWithin(recorded, wrong) ? 0 : recorded)
  }

  async function reset(): Promise<ClockReset> {
    await load()
    const now = Date.now()
    const before = Math.max(latest, now)
    const isReset = before - now > keepEveryMs
    if (isReset) {
      // The ledger keeps its entries, so their times are noted as wrong instead.
      await notes.set(wrongKey, { after: now, until: before })
      await notes.set(key, now)
      kept = now
      latest = now
    }
    return { noted: new Date(before).toISOString(), now: new Date(now).toISOString(), isReset }
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
    reset,
  }
}

/** Whether a time was recorded while the clock was wrong, as a reset has found. */
function isWithin(time: number, wrong: JsonValue | undefined): boolean {
  const { after, until } = (wrong ?? {}) as { after?: number; until?: number }
  return after !== undefined && until !== undefined && time > after && time <= until
}

const key = 'latest time'
const wrongKey = 'wrong times'
const keepEveryMs = 60_000
