import type { Ledger } from '../../runtime/storage/storage.ts'

interface CallEnd {
  readonly callId: string
  readonly tool: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Null for a success. */
  readonly errorCode: string | null
  /** The person who says so. */
  readonly by?: string
}

/** Records how a call ended whose process ended before it could. Nothing is recorded if the ledger knows of no call, or of its end. */
export async function recordEnd(ledger: Ledger, { startedAt, errorCode, ...end }: CallEnd): Promise<void> {
  const records = (await ledger.read({ callId: end.callId })).map(({ record }) => record)
  const isOpen = records.some(({ kind }) => kind === 'intent') && !records.some(({ kind }) => kind === 'outcome')
  if (!isOpen) return
  const now = Date.now()
  const success = errorCode === null
  const more = {
    at: new Date(now).toISOString(),
    violation: null,
    durationMs: Math.max(now - startedAt, 0),
    checks: {},
  }
  await ledger.append({ kind: 'outcome', ...end, success, errorCode, ...more }, { durable: true })
}
