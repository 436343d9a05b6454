import type { AuthorizationServer } from 'oauth4webapi'
import { callOAuth, type OAuthCall, toClientAuth } from './call-oauth.ts'
import type { Discovered } from './discover.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthSettings, QuirksName } from './oauth-settings.ts'
import { findQuirks } from './quirks.ts'
import { type TokenSource, type Tokens, toTokens } from './tokens.ts'

/** A login that has begun: everything that is needed to finish it, in any process. `verifier` and `state` are secret. */
export interface PendingLogin {
  readonly issuer: string
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Begins the authorization code flow with PKCE. A person must open `url`. */
export async function beginLogin(
  source: TokenSource,
  { redirectUri, scope }: { readonly redirectUri: string; readonly scope?: string | undefined },
): Promise<{ readonly url: string; readonly pending: PendingLogin }> {
  const oauth = await loadOAuth()
  const { server, client, resource } = source
  const { issuer, authorization_endpoint: endpoint } = server
  if (endpoint === undefined) throw new OAuthError(`The issuer ${issuer} offers no page to log in: it names no authorization_endpoint.`) // biome-ignore format: one line
  const challenges = server.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256'))
    throw new OAuthError(`The issuer ${issuer} does not support PKCE with S256, which protects the login.`)
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
    ...findQuirks(issuer, source.settings.quirks).parameters,
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  if (isOffline(scope) && !url.searchParams.has('prompt')) url.searchParams.set('prompt', 'consent')
  return { url: url.href, pending: { issuer, state, verifier, redirectUri } }
}

/** OpenID Connect grants offline access only if the person consents. */
function isOffline(scope: string | undefined): boolean {
  const scopes = scope?.split(' ') ?? []
  return scopes.includes('offline_access') && scopes.includes('openid')
}

/** Finishes a login with what the issuer sent to the redirect URI. Checks state and issuer before the code is used. */
export async function finishLogin(
  source: TokenSource,
  pending: PendingLogin,
  { answer, ...call }: OAuthCall & { readonly answer: URLSearchParams },
): Promise<Tokens> {
  const oauth = await loadOAuth()
  const { server, resource } = source
  const { client, auth } = await toClientAuth(source.client, source.settings, server)
  const parameters = await callOAuth('log you in', server.issuer, call, async () =>
    oauth.validateAuthResponse(server, client, answer, pending.state),
  )
  const response = await callOAuth('issue a token', server.issuer, call, async (options) =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth,
        parameters,
        pending.redirectUri,
        pending.verifier,
        {
          ...options,
          ...(resource !== undefined && { additionalParameters: { resource } }),
        },
      ),
    ),
  )
  return toTokens(response)
}

/** The identifier of the server that is sent to the issuer; undefined if it takes none. */
export function chooseResource(
  { resource, server }: Discovered,
  settings: Pick<OAuthSettings, 'resource' | 'quirks'>,
): string | undefined {
  // biome-ignore format: one line
  if (settings.resource === false) return undefined
  if (settings.resource !== undefined) return settings.resource
  return findQuirks(server.issuer, settings.quirks).refusesResource ? undefined : resource
}

/** The scopes to ask for, as one parameter: configured, else of the challenge, else all that the server lists. */
export function chooseScope(
  { resource, server, scopes }: Discovered,
  { scopes: configured, challenged, quirks }: ScopeOptions,
): string | undefined {
  const { defaultScope, needsOfflineAccess } = findQuirks(server.issuer, quirks)
  const listed = challenged?.split(/\s+/).filter((scope) => scope !== '') ?? scopes
  const chosen = configured ?? (listed.length > 0 ? listed : defaultScope ? [defaultScope(resource)] : [])
  const all = new Set(chosen)
  // Without it many issuers grant no refresh token, and the connection would end within the hour.
  if (needsOfflineAccess || (!configured && offersOffline(server))) all.add('offline_access')
  return all.size > 0 ? [...all].join(' ') : undefined
}

interface ScopeOptions {
  readonly scopes?: readonly string[] | undefined
  /** Of the server's challenge. */
  readonly challenged?: string | undefined
  readonly quirks?: QuirksName | undefined
}

function offersOffline({ scopes_supported: scopes }: AuthorizationServer): boolean {
  return scopes?.includes('offline_access') ?? false
}
