import type { CallEvent } from '../../runtime/pipeline/call-event.ts'
import type { CheckState, LiveCall } from './api/api.ts'
import type { CallEvents } from './call-events.ts'

const everyMs = 100
/** Calls in one message. Those that are left out have ended, and come with the ledger's entries. */
const maxCalls = 200

interface Followed {
  readonly callId: string
  tool: string
  readonly caller: string
  readonly startedAt: number
  readonly checks: { [check: string]: CheckState }
  ended?: LiveCall['ended']
}

/** Follows the checks of calls, and reports those that advanced, at most ten times a second. */
export function createLiveCalls(calls: CallEvents, report: (changed: readonly LiveCall[]) => void) {
  const followed = new Map<string, Followed>()
  const changed = new Set<Followed>()
  let timer: NodeJS.Timeout | undefined

  function take(event: CallEvent) {
    const { callId, tool, caller, at } = event
    let call = followed.get(callId)
    if (!call) {
      call = { callId, tool, caller: caller.name, startedAt: at, checks: {} }
      followed.set(callId, call)
    }
    call.tool = tool
    if (event.kind === 'check') call.checks[event.check] = event.outcome
    else {
      const { code, ran, durationMs } = event
      call.ended = { code, ran, durationMs }
      followed.delete(callId)
    }
    changed.add(call)
    timer ??= setTimeout(flush, everyMs)
  }

  function flush() {
    timer = undefined
    const all = [...changed]
    changed.clear()
    const open = all.filter(({ ended }) => !ended)
    const kept = all.length <= maxCalls ? all : [...all.filter(({ ended }) => ended), ...open].slice(-maxCalls)
    report(kept.map(toLiveCall))
  }

  const stopListening = calls.listen(take)
  return {
    stop() {
      stopListening()
      clearTimeout(timer)
    },
  }
}

function toLiveCall({ callId, tool, caller, startedAt, checks, ended }: Followed): LiveCall {
  return { callId, tool, caller, startedAt: new Date(startedAt).toISOString(), checks, ...(ended && { ended }) }
}
