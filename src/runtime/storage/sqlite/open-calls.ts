import type { StatementSync } from 'node:sqlite'
import type { OpenCall, OpenCalls } from '../follow-calls.ts'

type Sql = (text: string) => StatementSync

/** Calls of the indexed entries that have not ended there, with the changes that further entries make. */
export interface IndexedCalls extends OpenCalls {
  /** Stores the changes. Must run within a transaction. */
  store(): void
}

export function followIndexed(sql: Sql): IndexedCalls {
  const changed = new Map<string, OpenCall | undefined>()
  const stored = new Set<string>()

  function get(callId: string): OpenCall | undefined {
    if (changed.has(callId)) return changed.get(callId)
    const row = sql('SELECT first, waited_ms AS waitedMs, has_failed AS hasFailed FROM ledger_open WHERE call_id = ?').get(callId) // biome-ignore format: one line
    if (!row) return undefined
    stored.add(callId)
    return { ...(row as unknown as OpenCall), hasFailed: row.hasFailed === 1 }
  }

  function store() {
    const insert = sql('INSERT OR REPLACE INTO ledger_open VALUES (?, ?, ?, ?)')
    for (const [callId, call] of changed) {
      if (call) insert.run(callId, call.first, call.waitedMs, Number(call.hasFailed))
      else sql('DELETE FROM ledger_open WHERE call_id = ?').run(callId)
    }
  }

  return {
    get,
    set: (callId, call) => changed.set(callId, call),
    delete: (callId) => (stored.has(callId) ? changed.set(callId, undefined) : changed.delete(callId)),
    store,
  }
}

/** After archiving: what remains of a call whose first entries are gone begins with its next entry. */
export function forgetArchived(sql: Sql, last: number): void {
  sql('DELETE FROM ledger_late WHERE seq <= ?').run(last)
  const cut = sql('SELECT first, min(seq) AS next FROM ledger_late WHERE first <= ? GROUP BY first').all(last)
  for (const { first, next } of cut as unknown as { first: number; next: number }[]) {
    sql('DELETE FROM ledger_late WHERE seq = ?').run(next)
    sql('UPDATE ledger_late SET first = ? WHERE first = ?').run(next, first)
    sql('UPDATE ledger_open SET first = ? WHERE first = ?').run(next, first)
  }
  sql('DELETE FROM ledger_open WHERE first <= ?').run(last)
}
