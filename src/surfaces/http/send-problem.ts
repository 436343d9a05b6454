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
  /** A specific message instead of the general one in the table. */
  readonly detail?: string
  readonly suggestion?: string
  readonly headers?: OutgoingHttpHeaders
  /** Write the body, but let the caller end the response. */
  readonly endsLater?: boolean
}

/** The same members as those of a failed call, so that clients read both alike. */
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
