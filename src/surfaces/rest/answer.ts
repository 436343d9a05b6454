import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { CallResult } from '../../contract/call-result.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import { toProblemDetails, toRetryAfter } from '../../projections/problem-details.ts'

/** A response in a form that can be stored and sent again. */
export type Answer = {
  readonly status: number
  readonly body: string
  readonly callId?: string
  readonly retryAfter?: number
  /** The tool's notes, as ASCII JSON. */
  readonly notes?: string
  /** Where the run of a workflow is found that has not ended. */
  readonly location?: string
}

/** A success is the bare output; a failure is problem details. */
export function toAnswer(result: CallResult): Answer {
  const { callId } = result
  if (!result.success) return { ...toProblemAnswer(result.error, callId), callId }
  const { output, notes } = result
  return { status: 200, body: JSON.stringify(output), callId, ...(notes && { notes: toAscii(notes) }) }
}

export function toProblemAnswer(error: ErrorData, callId?: string): Answer {
  const retryAfter = toRetryAfter(error)
  return {
    status: error.status,
    body: JSON.stringify(toProblemDetails(error, callId)),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

export function sendAnswer(response: ServerResponse, answer: Answer, more: OutgoingHttpHeaders = {}): void {
  const { status, body, callId, retryAfter, notes, location } = answer
  response.writeHead(status, {
    'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(callId !== undefined && { 'Toolpact-Call-Id': callId }),
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    ...(notes !== undefined && { 'Toolpact-Notes': notes }),
    ...(location !== undefined && { Location: location }),
    ...more,
  })
  response.end(body)
}

/** Headers allow only ASCII. */
function toAscii(notes: JsonObject): string {
  return JSON.stringify(notes).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
