import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpErrorCode } from './http-errors.ts'
import { type ProblemOptions, sendProblem } from './send-problem.ts'

/** How long a client that was refused may go on sending, so that it gets to read why. */
const lingerMs = 2000

/** Answers with an error before the body was read. What still comes of it is discarded, for a while. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  code: HttpErrorCode,
  options?: ProblemOptions,
): void {
  sendProblem(response, code, options)
  discardBody(request)
}

/** The same for callers that were not let in: their connection does not stay open. */
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
  // To close at once would reset the connection, and the client would never see the answer.
  const timer = setTimeout(() => request.socket.destroy(), lingerMs)
  const done = () => {
    clearTimeout(timer)
    then?.()
  }
  request.once('end', done).once('close', done).resume()
}
