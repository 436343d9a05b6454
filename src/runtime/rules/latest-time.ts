import type { JsonValue } from '../../contract/json.ts'
import type { Notes } from '../storage/storage.ts'

export interface LatestTimeOptions {
  readonly notes: Notes
  /** Time of the last ledger entry; 0 if there is none. */
  readonly lastRecorded: () => Promise<number>
}

/** A monotonic clock across processes: the latest time that any of them observed, in milliseconds since 1970. */
export interface LatestTime {
  /** Rejects if the storage cannot be read. */
  load(): Promise<void>
  /** After `load`, includes times that other processes observed. */
  now(): number
  /** Forgets a recorded time that is more than a minute ahead of the clock. */
  reset(): Promise<ClockReset>
}

/** The result of forgetting a time that was recorded while the clock was wrong. */
export interface ClockReset {
  /** The recorded time and the time of the clock, ISO. */
  readonly noted: string
  readonly now: string
  readonly isReset: boolean
}

/** Opens a clock that never goes back, so that setting the system clock back does not revive expired rules. Persisted once a minute. */
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
      // Ledger entries cannot be changed, so their time range is recorded as wrong.
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
        // If it cannot be stored, this process still has it in memory.
        notes.set(key, latest).catch(() => {})
      }
      return latest
    },
    reset,
  }
}

/** Whether a time lies in the range that a reset marked as wrong. */
function isWithin(time: number, wrong: JsonValue | undefined): boolean {
  const { after, until } = (wrong ?? {}) as { after?: number; until?: number }
  return after !== undefined && until !== undefined && time > after && time <= until
}

const key = 'latest time'
const wrongKey = 'wrong times'
const keepEveryMs = 60_000
