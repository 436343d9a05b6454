import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type HttpErrorCode, httpErrors } from './http-errors.ts'

/** Answers with an error of the HTTP layer, as RFC 9457 problem details. */
export function sendProblem(response: ServerResponse, code: HttpErrorCode, options: ProblemOptions = {}): void {
  const body = toProblem(code, options)
  response.writeHead(httpErrors[code].status, {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...options.headers,
  })
  if (options.endsLater) response.write(body)
  else response.end(body)
}

export interface ProblemOptions {
  /** What happened just now, where the table's general words say too little. */
  readonly detail?: string
  readonly suggestion?: string
  readonly headers?: OutgoingHttpHeaders
  /** Send everything, and leave it to the caller to end the response. */
  readonly endsLater?: boolean
}

/** The members that a failed call has too, so that a client reads both in the same way. */
export function toProblem(code: HttpErrorCode, { detail, suggestion }: ProblemOptions = {}): string {
  const { status, when, suggestion: usual } = httpErrors[code]
  return JSON.stringify({
    type: `urn:toolpact:error:${code}`,
    title: code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase()),
    status,
    detail: detail ?? when,
    code,
    suggestion: suggestion ?? usual,
    fixable: status < 500,
  })
}
