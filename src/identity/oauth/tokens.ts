import type { AuthorizationServer, TokenEndpointResponse } from 'oauth4webapi'
import { callOAuth, type OAuthCall, toClientAuth } from './call-oauth.ts'
import type { StoredClient } from './find-client.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthSettings } from './oauth-settings.ts'

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

/** Where tokens are asked for, as which client, and for what. */
export interface TokenSource {
  readonly server: AuthorizationServer
  readonly client: StoredClient
  readonly settings: Pick<OAuthSettings, 'clientSecret' | 'privateKey'>
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
