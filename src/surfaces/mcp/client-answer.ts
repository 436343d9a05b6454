import { isObject, type JsonValue } from '../../contract/json.ts'
import type { DirectAnswer } from '../../runtime/approval/consume-answer.ts'

/** No person reads what a call would do and refuses it in less time. */
export const minReadingMs = 2000

/**
 * What a client's answer to a question means. Headless clients declare elicitation and refuse by themselves within
 * milliseconds, so a refusal that comes sooner than a person can read the question means that no person was asked.
 * `elapsedMs`: since the question was sent.
 */
export function readClientAnswer(result: JsonValue, elapsedMs: number, caller: string): DirectAnswer {
  const action = isObject(result) ? result.action : undefined
  const decision = isObject(result) && isObject(result.content) ? result.content.decision : undefined
  const isFast = elapsedMs < minReadingMs
  const took = `${Math.max(0, Math.round(elapsedMs))} ms`
  if (action === 'accept' && (decision === 'approve' || decision === 'approve_tool')) {
    // The client may have answered without asking: record the client, not a person, and save no rule.
    const by = isFast ? `the client of ${caller}, after ${took}` : `the user of ${caller}`
    return { kind: 'yes', by, forTool: decision === 'approve_tool' && !isFast }
  }
  if (isFast) {
    const said = action === 'accept' ? 'deny' : action === 'decline' || action === 'cancel' ? action : 'no valid answer'
    return { kind: 'not_asked', note: `the client answered ${said} after ${took}, before a person could read the question` } // biome-ignore format: one line
  }
  return { kind: 'no', by: action === 'cancel' ? `the user of ${caller}, who dismissed the question` : `the user of ${caller}` } // biome-ignore format: one line
}
