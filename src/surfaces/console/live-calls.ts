import type { CallEvent } from '../../runtime/pipeline/call-event.ts'
import type { CheckState, LiveCall } from './api/api.ts'
import type { CallEvents } from './call-events.ts'

const everyMs = 200
/** New calls in one message. More cannot be read; they come with the ledger's entries, and cost nothing here. */
const maxCalls = 10

interface Followed {
  readonly callId: string
  tool: string
  readonly caller: string
  readonly startedAt: number
  readonly checks: { [check: string]: CheckState }
  ended?: LiveCall['ended']
}

/** Follows the checks of calls, and reports those that advanced, at most five times a second. */
export function createLiveCalls(calls: CallEvents, report: (changed: readonly LiveCall[]) => void) {
  const followed = new Map<string, Followed>()
  const changed = new Set<Followed>()
  let timer: NodeJS.Timeout | undefined
  let began = 0

  function take(event: CallEvent) {
    const { callId, tool, caller, at } = event
    let call = followed.get(callId)
    if (!call) {
      // Its beginning was not observed.
      if (event.kind === 'ended' || event.check !== 'resolve' || began >= maxCalls) return
      began++
      if (began === maxCalls) listening.pause(true)
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
    if (began >= maxCalls) listening.pause(false)
    began = 0
    const all = [...changed]
    changed.clear()
    report(all.map(toLiveCall))
  }

  const listening = calls.listen(take)
  return {
    /** The calls that are followed now. */
    list: () => [...followed.values()].map(toLiveCall),
    has: (callId: string) => followed.has(callId),
    stop() {
      listening.stop()
      clearTimeout(timer)
    },
  }
}

function toLiveCall({ callId, tool, caller, startedAt, checks, ended }: Followed): LiveCall {
  return { callId, tool, caller, startedAt: new Date(startedAt).toISOString(), checks, ...(ended && { ended }) }
}
