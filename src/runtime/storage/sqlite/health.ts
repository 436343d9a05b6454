import type { StorageHealth } from '../storage.ts'

export interface HealthTracker {
  succeeded(): void
  failed(error: Error): void
  now(): StorageHealth
}

/** A storage that fails and recovers in quick turns reports the same failure once in this time. */
const repeatAfterMs = 60_000

/** Remembers whether commits succeed. Reports each failure to the operator once, and the recovery. */
export function trackHealth(report: (message: string) => void = () => {}): HealthTracker {
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
    report(`Calls are refused because they cannot be recorded. ${message}`)
  }

  return { succeeded, failed, now: () => ({ isWritable, lastCommitAt, lastFailure }) }
}
