import { shorten } from '../../contract/text/shorten.ts'
import { isoTime } from '../../runtime/pipeline/iso-time.ts'
import type { AnswerEntry, ResultEntry } from './chat-entry.ts'
import { makeBoundary, toData } from './to-data.ts'

interface Fault {
  readonly code: string
  readonly message: string
  readonly suggestion: string
}

export const maxResultCharacters = 16_000

/** Per answer. Further calls are refused, each with a result that says so. */
export const maxCalls = 16

/** Error codes of calls that the policy or a person did not allow. */
export const refusals: ReadonlySet<string> = new Set([
  'denied',
  'not_read_only',
  'approval_denied',
  'approval_timeout',
  'approval_required',
  'tool_withheld',
])

export const interrupted: Fault = {
  code: 'interrupted',
  message: 'The session ended while this call was under way. It may have run, or not, or in part.',
  suggestion: 'Look at what it should have changed before you call it again.',
}

export const stopped: Fault = {
  code: 'cancelled',
  message: 'The person stopped the step before this call.',
  suggestion: 'Wait for what the person says next.',
}

export const tooMany: Fault = {
  code: 'too_many_calls',
  message: `An answer may make ${maxCalls} calls, and this one is beyond them. It did not run.`,
  suggestion: 'Make it in your next answer.',
}

/** The result of a call that was not made. */
export function toFailed(step: number, { id, name }: AnswerEntry['calls'][number], error: Fault): ResultEntry {
  return {
    ...{ kind: 'result', at: isoTime(), step, id, name: shorten(name, 80), tool: null, callId: null },
    ...{ success: false, code: error.code },
    data: toData({ success: false, error }, maxResultCharacters),
    boundary: makeBoundary(),
  }
}
