import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthorizationServer } from 'oauth4webapi'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { callOAuth, type OAuthCall, toClientAuth } from './call-oauth.ts'
import { isUsable } from './discover.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'
import { type TokenSource, type Tokens, toTokens } from './tokens.ts'

/** A login on another device that has begun (RFC 8628). */
export interface PendingDevice {
  /** What the person types on the page. */
  readonly userCode: string
  readonly url: string
  /** The same page with the code already filled in. */
  readonly completeUrl?: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly deviceCode: string
  readonly intervalMs: number
}

/** Asks the issuer for a code that a person enters on any device. */
export async function beginDevice(
  source: TokenSource,
  { scope, ...call }: OAuthCall & { readonly scope?: string | undefined },
): Promise<PendingDevice> {
  const oauth = await loadOAuth()
  const { server, resource } = source
  const { issuer } = server
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  const parameters = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) }
  const begun = await callOAuth('begin the login', issuer, call, async (options) =>
    oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(server, client, auth, parameters, options),
    ),
  )
  const { verification_uri: url, verification_uri_complete: complete, user_code: userCode } = begun
  if (!isUsable(URL.parse(url)) || (complete !== undefined && !isUsable(URL.parse(complete))))
    throw new OAuthError(`The issuer ${issuer} names a page to log in that is no https address: ${printable(shorten(url, 200))}`) // biome-ignore format: one line
  return {
    userCode: printable(shorten(userCode, 100)),
    url,
    ...(complete !== undefined && { completeUrl: complete }),
    expiresAt: Date.now() + begun.expires_in * 1000,
    deviceCode: begun.device_code,
    intervalMs: Math.max(1, begun.interval ?? 5) * 1000,
  }
}

/** Throws if the issuer has no logins on other devices. */
export function requireDevice({ issuer, device_authorization_endpoint: endpoint }: AuthorizationServer): void {
  if (endpoint === undefined) throw new OAuthError(`The issuer ${issuer} offers no login on another device: it names no device_authorization_endpoint. Leave --device out.`) // biome-ignore format: one line
}

/** RFC 8628: added each time that the issuer wants to be asked less often. */
const slowDownMs = 5000

/** Asks until the person has finished, refused, or the code has expired. */
export async function pollDevice(source: TokenSource, pending: PendingDevice, call: OAuthCall): Promise<Tokens> {
  const oauth = await loadOAuth()
  const { server, resource } = source
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  let { intervalMs } = pending
  for (;;) {
    if (Date.now() + intervalMs > pending.expiresAt) throw toExpired()
    await sleep(intervalMs, undefined, call.signal && { signal: call.signal })
    try {
      const response = await callOAuth('issue a token', server.issuer, call, async (options) =>
        oauth.processDeviceCodeResponse(
          server,
          client,
          await oauth.deviceCodeGrantRequest(server, client, auth, pending.deviceCode, {
            ...options,
            ...(resource !== undefined && { additionalParameters: { resource } }),
          }),
        ),
      )
      return toTokens(response)
    } catch (error) {
      const code = error instanceof OAuthError ? error.code : undefined
      if (code === 'slow_down') intervalMs += slowDownMs
      else if (code === 'expired_token') throw toExpired()
      else if (code === 'access_denied') throw new OAuthError('The login was refused on the other device.')
      else if (code !== 'authorization_pending') throw error
    }
  }
}

function toExpired(): OAuthError {
  return new OAuthError('The code has expired before the login was finished. Run the command again.')
}
