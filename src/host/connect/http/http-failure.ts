import type { IncomingMessage } from 'node:http'
import { UpstreamFailure } from '../client.ts'
import type { Quote } from '../transport.ts'

/** No server at this address, as opposed to one that does not answer. */
const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']

/** For a request without a response. */
export function toConnectFailure(cause: Error & { code?: string }, url: URL): UpstreamFailure {
  const what = cause.code ?? cause.message
  const advice = unreachable.includes(what) ? 'Check that it is running and that the URL is correct.' : adviceFor(what)
  return new UpstreamFailure('unavailable', `The server at ${toPlace(url)} cannot be reached (${what}). ${advice}`, {
    cause,
  })
}

/** Whether there is no server at the address, so that the connection is lost, not only one response. */
export function isUnreachable({ cause }: UpstreamFailure): boolean {
  return cause instanceof Error && unreachable.includes((cause as Error & { code?: string }).code ?? '')
}

function adviceFor(what: string): string {
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED|ALTNAME/.test(what))
    return 'Its certificate is not trusted. Fix the certificate of the server.'
  if (/INVALID_(?:CHAR|HTTP_TOKEN)/.test(what)) return 'A header in the config is not valid. Correct it.'
  return 'Try again.'
}

/** For a response with an error status. */
export function toStatusFailure(response: IncomingMessage, body: string, quote: Quote): UpstreamFailure {
  const status = response.statusCode ?? 0
  if (status >= 300 && status < 400) return toRedirect(status, response.headers.location)
  const words = quote(body.trim())
  const isOurs = status >= 400 && status < 500 && status !== 408 && status !== 429
  const message = `The server answered with HTTP ${status}.${status === 401 || status === 403 ? credential : ''}`
  const challenge = response.headers['www-authenticate']
  return new UpstreamFailure(isOurs ? 'refused' : 'unavailable', message, { status, words, challenge })
}

const credential = ' It requires a valid credential: set "headers" in the config.'

/** Redirects are not followed: they could send credentials and inputs to another host. */
function toRedirect(status: number, location: string | undefined): UpstreamFailure {
  const target = location !== undefined && URL.canParse(location) ? ` to ${toPlace(new URL(location))}` : ''
  const describe = (where: string) => `The server redirects${where} (HTTP ${status}), which is not followed.`
  const message = `${describe(target)} If this is correct, set "url" to it.`
  return new UpstreamFailure('unavailable', message, { plain: describe(''), status })
}

/** The URL without credentials and query, which may be secret. */
export function toPlace({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.slice(0, 300)
}
