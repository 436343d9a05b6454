import type { LiveCall } from '../../api/api.ts'
import type { CallRow } from '../../api/calls.ts'

/** A running page keeps this many calls; older ones are on the page Calls. */
export const maxLiveCalls = 1000

/** A call that is not in the ledger yet, as the row that it will become. */
export function fromLiveCall(call: LiveCall): CallRow {
  const { ended } = call
  return {
    seq: 0,
    callId: call.callId,
    at: call.startedAt,
    tool: call.tool,
    caller: call.caller,
    state: ended === undefined ? 'running' : ended.code === null ? 'succeeded' : ended.ran ? 'failed' : 'refused',
    code: ended?.code ?? null,
    durationMs: ended?.durationMs ?? null,
    checks: call.checks,
    isRun: false,
    isViolation: false,
    inputText: call.about ?? '',
    approvedBy: null,
  }
}

/**
 * Applies updates, oldest first, to rows, newest first. A known call keeps its place, so that no row jumps. A call that has
 * ended stays so, since older reports can arrive later; the row of the ledger replaces the observed one.
 */
export function mergeCalls(
  rows: readonly CallRow[],
  updates: readonly CallRow[],
  limit = maxLiveCalls,
): readonly CallRow[] {
  const latest = new Map<string, CallRow>()
  for (const update of updates) latest.set(update.callId, choose(latest.get(update.callId), update))
  const kept = rows.map((row) => {
    const update = latest.get(row.callId)
    latest.delete(row.callId)
    return choose(update === undefined ? undefined : row, update ?? row)
  })
  return [...[...latest.values()].reverse(), ...kept].slice(0, limit)
}

function choose(before: CallRow | undefined, update: CallRow): CallRow {
  if (before === undefined) return update
  const isOpen = before.state === 'running'
  if (update.state === 'running') return isOpen && before.seq === 0 ? update : before
  return isOpen || update.seq > 0 ? update : before
}
