import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpErrorCode } from './http-errors.ts'
import { type ProblemOptions, sendProblem } from './send-problem.ts'

/** How long a refused client may keep sending, so that it can read the response. */
const lingerMs = 2000

/** Answers with an error before the body is read. The rest of the body is discarded, for a limited time. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  code: HttpErrorCode,
  options?: ProblemOptions,
): void {
  sendProblem(response, code, options)
  discardBody(request)
}

/** The same for unauthenticated clients: the connection is closed. */
export function refuseAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  code: HttpErrorCode,
  options?: ProblemOptions,
): void {
  sendProblem(response, code, { ...options, headers: { ...options?.headers, Connection: 'close' }, endsLater: true })
  discardBody(request, () => response.end())
}

function discardBody(request: IncomingMessage, then?: () => void) {
  if (request.complete) return then?.()
  // Closing now would reset the connection before the client reads the response.
  const timer = setTimeout(() => request.socket.destroy(), lingerMs)
  const done = () => {
    clearTimeout(timer)
    then?.()
  }
  request.once('end', done).once('close', done).resume()
}
