import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi'
import { callOAuth, type OAuthCall, toClientAuth } from './call-oauth.ts'
import type { StoredClient } from './find-client.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { findQuirks } from './quirks.ts'

/** What an issuer granted. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string
  /** When it was issued, in milliseconds since 1970. */
  readonly issuedAt: number
  /** Milliseconds since 1970; undefined if the issuer does not say. */
  readonly expiresAt?: number
  readonly scope?: string
}

/** What is not stored with a connection. */
export type ClientSettings = Pick<OAuthSettings, 'clientSecret' | 'privateKey' | 'quirks'>

/** Where tokens are asked for, as which client, and for what. */
export interface TokenSource {
  readonly server: AuthorizationServer
  readonly client: StoredClient
  readonly settings: ClientSettings
  /** Sent with every request; undefined if the issuer does not take it. */
  readonly resource?: string | undefined
}

/** Renews tokens. A rotated refresh token replaces the one that was used. */
export async function refreshTokens(source: TokenSource, refreshToken: string, call: OAuthCall): Promise<Tokens> {
  const oauth = await loadOAuth()
  const { server, resource } = source
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  const response = await callOAuth('renew the token', server.issuer, call, async (options) =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, {
        ...options,
        ...(resource !== undefined && { additionalParameters: { resource } }),
      }),
    ),
  )
  return { refreshToken, ...toTokens(response) }
}

/** Client credentials: for Toolpact itself, not for a user. */
export async function requestServiceToken(
  source: TokenSource & { readonly scope?: string | undefined },
  call: OAuthCall,
): Promise<Tokens> {
  const oauth = await loadOAuth()
  const { server, resource, scope } = source
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  const parameters = { ...(resource !== undefined && { resource }), ...(scope !== undefined && { scope }) }
  const response = await callOAuth('issue a token', server.issuer, call, async (options) =>
    oauth.processClientCredentialsResponse(
      server,
      client,
      await oauth.clientCredentialsGrantRequest(server, client, auth, parameters, options),
    ),
  )
  return toTokens(response)
}

/**
 * Exchanges a token of a caller for one for the server: by RFC 8693, or by the grant of the issuer. The token of the caller goes
 * to the issuer alone.
 */
export async function exchangeToken(
  source: TokenSource & { readonly scope?: string | undefined; readonly audience?: string | undefined },
  callerToken: string,
  call: OAuthCall,
): Promise<Tokens> {
  const oauth = await loadOAuth()
  const { server, resource, scope, audience } = source
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  const isOnBehalf = findQuirks(server.issuer, source.settings.quirks).exchangesOnBehalf
  const grant = isOnBehalf
    ? 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    : 'urn:ietf:params:oauth:grant-type:token-exchange'
  const parameters = {
    ...(isOnBehalf
      ? { assertion: callerToken, requested_token_use: 'on_behalf_of' }
      : {
          subject_token: callerToken,
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        }),
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  }
  const response = await callOAuth('exchange the token of the caller', server.issuer, call, async (options) =>
    oauth.processGenericTokenEndpointResponse(
      server,
      client,
      await oauth.genericTokenEndpointRequest(server, client, auth, grant, parameters, options),
    ),
  )
  const tokens = toTokens(response)
  // Otherwise the server would get what was meant for Toolpact.
  if (tokens.accessToken === callerToken)
    throw new OAuthError(`The issuer ${server.issuer} returned the token of the caller itself, which is not passed on. Set "audience" or "resource" of the server.`) // biome-ignore format: one line
  return tokens
}

/** Tells the issuer that the tokens are no longer used. False if it takes no such requests. */
export async function revokeTokens(source: TokenSource, tokens: Tokens, call: OAuthCall): Promise<boolean> {
  const { server } = source
  if (server.revocation_endpoint === undefined) return false
  const oauth = await loadOAuth()
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  const { refreshToken, accessToken } = tokens
  for (const token of refreshToken === undefined ? [accessToken] : [refreshToken, accessToken])
    await callOAuth('revoke the token', server.issuer, call, async (options) =>
      oauth.processRevocationResponse(await oauth.revocationRequest(server, client, auth, token, options)),
    ).catch((error: OAuthError) => {
      // Access tokens that are signed end by themselves; their grant ended with the refresh token.
      if (token === refreshToken || error.code !== 'unsupported_token_type') throw error
    })
  return true
}

export function toTokens(response: TokenEndpointResponse): Tokens {
  const {
    access_token: accessToken,
    token_type: type,
    refresh_token: refreshToken,
    expires_in: seconds,
    scope,
  } = response
  if (type.toLowerCase() !== 'bearer')
    throw new OAuthError('The issuer sent a token that is no bearer token, which this version cannot use.')
  // It becomes a header.
  if (!/^[\x21-\x7e]{1,16384}$/.test(accessToken))
    throw new OAuthError('The issuer sent a token that no header can carry.')
  const issuedAt = Date.now()
  return {
    accessToken,
    issuedAt,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(seconds !== undefined && { expiresAt: issuedAt + seconds * 1000 }),
    ...(scope !== undefined && { scope }),
  }
}
