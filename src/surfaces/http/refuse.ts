import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpErrorCode } from './http-errors.ts'
import { type ProblemOptions, sendProblem } from './send-problem.ts'

/** How long a client that was refused may go on sending, so that it gets to read why. */
const lingerMs = 2000

/** Answers with an error before the body was read. What still comes of it is thrown away, for a while. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  code: HttpErrorCode,
  options?: ProblemOptions,
): void {
  sendProblem(response, code, options)
  if (request.complete) return
  // To close at once would reset the connection, and the client would never see the answer.
  const timer = setTimeout(() => request.socket.destroy(), lingerMs)
  const done = () => clearTimeout(timer)
  request.once('end', done).once('close', done).resume()
}
