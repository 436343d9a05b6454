import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { toFetchFailed } from './web-error.ts'

/** Maximum number of interim responses (status 1xx). */
const maxInterim = 16

/** Sends one GET over an open connection and returns the response with its body unread. The connection is used once. */
export function exchange(
  socket: Socket,
  { url, headers, signal }: { url: URL; headers: Record<string, string>; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0
    const asked = request({
      // Without an agent there is neither a pool nor a proxy.
      createConnection: () => socket,
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...headers, connection: 'close' },
      setHost: false,
      maxHeaderSize: 32_768,
      insecureHTTPParser: false,
      signal,
    })
    asked.once('response', (response) => {
      // An unread body may be aborted.
      response.on('error', () => {})
      resolve(response)
    })
    asked.on('information', () => {
      if (++interim > maxInterim) asked.destroy(toFetchFailed('the server sends only interim responses'))
    })
    asked.once('upgrade', (_, upgraded) => {
      upgraded.destroy()
      reject(toFetchFailed('the server switched protocols'))
    })
    asked.on('error', reject)
    asked.end()
  })
}
