import type { StorageHealth } from './storage.ts'

export interface HealthTracker {
  succeeded(): void
  failed(error: Error): void
  now(): StorageHealth
}

/** Rate limit for repeated reports of the same failure, for a storage that fails and recovers in quick succession. */
const repeatAfterMs = 60_000

const refused = 'Calls are refused because they cannot be recorded.'

/** Tracks whether commits succeed. Reports each failure once, and the recovery. */
export function trackHealth(report: (message: string) => void = () => {}, consequence = refused): HealthTracker {
  let isWritable = true
  const reportedAt = new Map<string, number>()
  let lastCommitAt: number | null = null
  let lastFailure: StorageHealth['lastFailure'] = null
  let mustReportRecovery = false

  function succeeded() {
    lastCommitAt = Date.now()
    isWritable = true
    if (!mustReportRecovery) return
    mustReportRecovery = false
    report('The storage works again: calls are recorded and accepted.')
  }

  function failed({ message }: Error) {
    const at = Date.now()
    isWritable = false
    lastFailure = { at, message }
    if (at - (reportedAt.get(message) ?? Number.NEGATIVE_INFINITY) < repeatAfterMs) return
    reportedAt.set(message, at)
    mustReportRecovery = true
    report(`${consequence} ${message}`)
  }

  return { succeeded, failed, now: () => ({ isWritable, lastCommitAt, lastFailure }) }
}
