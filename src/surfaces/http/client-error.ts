import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type HttpErrorCode, httpErrors } from './http-errors.ts'
import { toProblem } from './send-problem.ts'

const codes: { readonly [code: string]: HttpErrorCode } = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** How long a client has to read the error before the connection is destroyed. */
const lingerMs = 1000

/** Answers an invalid or incomplete request, and closes the connection. */
export function answerClientError(error: Error, socket: Duplex, inFlight: Iterable<ServerResponse>): void {
  const { code = '' } = error as NodeJS.ErrnoException
  // While a response is in flight, further bytes would be read as part of it.
  const isAnswering = [...inFlight].some(({ req, headersSent }) => req.socket === socket && (req.complete || headersSent)) // biome-ignore format: one line
  if (code === 'ECONNRESET' || !socket.writable || isAnswering || isHandshake(error)) {
    socket.destroy()
    return
  }
  endWithProblem(socket, codes[code] ?? 'bad_request')
}

/** No answer can be sent before both ends have agreed on keys. */
function isHandshake(error: Error): boolean {
  const { code = '', library } = error as NodeJS.ErrnoException & { library?: unknown }
  return library !== undefined || /^ERR_(?:SSL|TLS)_/.test(code)
}

/** Sends an error on a connection without a request, and closes it. */
export function endWithProblem(socket: Duplex, code: HttpErrorCode, fields: readonly string[] = []): void {
  socket.on('error', () => {}).end(toRawAnswer(code, fields))
  // Node no longer reads from it, so drain it until it closes.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer)).resume()
}

function toRawAnswer(code: HttpErrorCode, fields: readonly string[]): string {
  const body = toProblem(code)
  return [
    `HTTP/1.1 ${httpErrors[code].status} ${code.replaceAll('_', ' ')}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...fields,
    '',
    body,
  ].join('\r\n')
}
