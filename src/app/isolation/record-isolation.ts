import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../contract/json.ts'
import type { Refused, RefusedConnection, RefusedFile } from '../../host/connect/confinement.ts'
import { toHostEntry } from '../../policy/granted-hosts.ts'
import { isoTime } from '../../runtime/pipeline/iso-time.ts'
import type { LedgerRecord, RefusalRecord } from '../../runtime/storage/ledger-record.ts'
import type { Ledger } from '../../runtime/storage/storage.ts'
import type { IsolationEvent } from './create-isolation.ts'

/** The caller of what a server does by itself. No caller of tools can have this name. */
const toCaller = (server: string, of: IsolationEvent['of'] = 'server') => ({ name: `${of}:${server}` })

/** Records what was refused to a server, or that it runs unconfined. A ledger that is unavailable must not stop servers. */
export function recordIsolation(ledger: Pick<Ledger, 'append'>, event: IsolationEvent): void {
  ledger.append(toRecord(event), { durable: false }).catch(() => {})
}

function toRecord(event: IsolationEvent): RefusalRecord {
  const { server } = event
  const refused = event.kind === 'refused' ? event.refused : undefined
  return {
    kind: 'refusal',
    callId: randomUUID(),
    at: isoTime(),
    caller: toCaller(server, event.of),
    tool: `${server}.${refused ? ('path' in refused ? 'open' : 'connect') : 'confine'}`,
    contractDigest: null,
    inputDigest: null,
    input: refused ? toInput(refused) : {},
    checks: { isolation: 'failed' },
    decision: {
      action: 'deny',
      rule: 'isolation',
      reason: event.kind === 'refused' ? event.refused.reason : event.reason,
    },
    approval: null,
    errorCode: refused ? 'not_granted' : 'not_confined',
    durationMs: 0,
  }
}

function toInput(refused: Refused): JsonObject {
  if (!('path' in refused)) return { host: refused.host, port: refused.port ?? null }
  const { path, access, grant } = refused
  return { path, access, grant }
}

type Recorded<Value extends Refused> = Omit<Value, 'reason' | 'count'> & { readonly server: string }

/** What was refused to a server, from the ledger. */
export type RecordedRefusal = Recorded<RefusedConnection> | Recorded<RefusedFile>

/** What a record says was refused to a server; undefined for any other record. */
export function toRecordedRefusal(record: LedgerRecord): RecordedRefusal | undefined {
  if (record.kind !== 'refusal' || record.errorCode !== 'not_granted') return undefined
  const { at } = record
  const server = record.caller.name.slice('server:'.length)
  if (record.caller.name !== toCaller(server).name) return undefined
  const { host, port, path, access, grant } = Object(record.input) as { [key: string]: unknown }
  if (typeof host === 'string') {
    const target = { host, ...(typeof port === 'number' && { port }) }
    return { server, ...target, grant: toHostEntry(target), at }
  }
  if (typeof path !== 'string' || typeof grant !== 'string') return undefined
  return { server, path, grant, access: access === 'write' ? 'write' : 'read', at }
}
