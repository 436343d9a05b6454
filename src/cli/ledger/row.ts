import type { CallRecord } from '../../runtime/storage/calls.ts'
import { type Part, paint } from '../terminal/terminal.ts'
import { toDuration, toLocalTime } from '../terminal/time.ts'

/** A call as a row: time, id, tool, caller, outcome. */
export function toCallRow(call: CallRecord): Part[] {
  const { at, callId, tool, caller, durationMs, approval } = call
  return [
    paint('dim', toLocalTime(at)),
    callId.slice(0, 8),
    tool,
    caller?.name ?? '?',
    toOutcome(call),
    durationMs === null ? '' : toDuration(durationMs),
    approval ? toAnswer(approval) : '',
  ]
}

/** The answer, who gave it and through which surface. */
export function toAnswer({ answer, by, via }: NonNullable<CallRecord['approval']>): string {
  return `${answer}, by ${by}${via === undefined ? '' : ` (${via})`}`
}

export function toOutcome({ state, errorCode }: CallRecord): Part {
  switch (state) {
    case 'succeeded':
      return paint('green', 'succeeded')
    case 'interrupted':
      return paint('magenta', 'interrupted')
    case 'failed':
      return paint('red', `failed: ${errorCode}`)
    case 'refused':
      return paint('yellow', `refused: ${errorCode}`)
  }
}
