import type { OAuthFetch } from '../../identity/oauth/discover.ts'
import { sendRequest } from '../notify/send-request.ts'

/** Metadata and answers of issuers are small. */
const maxBytes = 262_144

/**
 * Sends requests of OAuth under the rules of `web.fetch`: addresses are checked when they are connected to, redirects are not
 * followed, size and time are bounded. `allowHosts`: hosts that the operator named, whatever their address.
 */
export function createOAuthFetch(allowHosts: readonly string[]): OAuthFetch {
  return async (url, { method, headers, body, signal }) => {
    const outcome = await sendRequest({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body !== undefined && { body }),
      allowHosts,
      signal: signal ?? AbortSignal.timeout(60_000),
      maxBytes: maxBytes + 1,
    })
    if ('fault' in outcome) throw new Error(outcome.fault)
    if (outcome.text.length > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`)
    const { status, text, headers: answered } = outcome
    const shown = new Headers()
    for (const name of ['content-type', 'www-authenticate', 'cache-control'] as const) {
      const value = answered[name]
      if (value !== undefined) shown.set(name, value)
    }
    return new Response(status === 204 || status === 205 || status === 304 ? null : text, { status: status < 200 ? 502 : status, headers: shown }) // biome-ignore format: one line
  }
}
