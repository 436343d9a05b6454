import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { CallResult } from '../../contract/call-result.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import { toProblemDetails, toRetryAfter } from '../../projections/problem-details.ts'

/** What a caller is told, in a form that can be kept and sent again. */
export type Answer = {
  readonly status: number
  readonly body: string
  readonly callId?: string
  readonly retryAfter?: number
}

/** A success is the output and nothing else; a failure is a problem. */
export function toAnswer(result: CallResult): Answer {
  const { callId } = result
  if (!result.success) return { ...toProblemAnswer(result.error, callId), callId }
  return { status: 200, body: JSON.stringify(result.output), callId }
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
  const { status, body, callId, retryAfter } = answer
  response.writeHead(status, {
    'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...(callId !== undefined && { 'Toolpact-Call-Id': callId }),
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    ...more,
  })
  response.end(body)
}
