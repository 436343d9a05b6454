import { randomUUID } from 'node:crypto'
import { isoTime } from '../../runtime/pipeline/iso-time.ts'
import type { LedgerRecord, RefusalRecord } from '../../runtime/storage/ledger-record.ts'
import type { Ledger } from '../../runtime/storage/storage.ts'
import type { IsolationEvent } from './create-isolation.ts'

/** The caller of what a server does by itself. No caller of tools can have this name. */
const toCaller = (server: string) => ({ name: `server:${server}` })

/** Records what was refused to a server, or that it runs unconfined. A ledger that is unavailable must not stop servers. */
export function recordIsolation(ledger: Pick<Ledger, 'append'>, event: IsolationEvent): void {
  ledger.append(toRecord(event), { durable: false }).catch(() => {})
}

function toRecord(event: IsolationEvent): RefusalRecord {
  const { server } = event
  const isRefused = event.kind === 'refused'
  return {
    kind: 'refusal',
    callId: randomUUID(),
    at: isoTime(),
    caller: toCaller(server),
    tool: `${server}.${isRefused ? 'connect' : 'confine'}`,
    contractDigest: null,
    inputDigest: null,
    input: isRefused ? { host: event.refused.host, port: event.refused.port ?? null } : {},
    checks: { isolation: 'failed' },
    decision: { action: 'deny', rule: 'isolation', reason: isRefused ? event.refused.reason : event.reason },
    approval: null,
    errorCode: isRefused ? 'not_granted' : 'not_confined',
    durationMs: 0,
  }
}

/** A refused connection, from the ledger. */
export interface RecordedRefusal {
  readonly server: string
  readonly host: string
  readonly port?: number
  readonly at: string
}

/** The refused connection that a record is about; undefined for any other record. */
export function toRecordedRefusal(record: LedgerRecord): RecordedRefusal | undefined {
  if (record.kind !== 'refusal' || record.errorCode !== 'not_granted') return undefined
  const { host, port } = Object(record.input) as { host?: unknown; port?: unknown }
  const server = record.caller.name.slice('server:'.length)
  if (typeof host !== 'string' || record.caller.name !== toCaller(server).name) return undefined
  return { server, host, ...(typeof port === 'number' && { port }), at: record.at }
}
