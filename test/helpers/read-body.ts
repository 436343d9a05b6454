import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** The body of a request; undefined if its client has disconnected, as many do when a test ends. */
export function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return buffer(request).catch(() => undefined)
}
