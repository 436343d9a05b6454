import type { CallRecord } from '../../runtime/storage/calls.ts'
import { type Part, paint } from '../terminal/terminal.ts'

/** A call in one line: when, which, who, what became of it. */
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

/** Who answered, and where. */
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

export function toLocalTime(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export function toDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
