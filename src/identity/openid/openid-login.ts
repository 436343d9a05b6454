import { hkdfSync, timingSafeEqual } from 'node:crypto'
import type { AuthorizationServer, Client } from 'oauth4webapi'
import { isObject, type JsonObject } from '../../contract/json.ts'
import { callOAuth, toClientAuth } from '../oauth/call-oauth.ts'
import { discoverIssuer, type OAuthFetch } from '../oauth/discover.ts'
import { loadOAuth } from '../oauth/load-oauth.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { createVault } from '../vault/vault.ts'
import { type OpenIdPerson, toOpenIdPerson } from './openid-person.ts'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Besides `openid`. */
  readonly scopes: readonly string[]
  readonly nameClaim: string
  readonly groupsClaim: string
}

export interface OpenIdLoginOptions {
  readonly settings: OpenIdSettings
  readonly fetch: OAuthFetch
  readonly now?: () => number
}

/** Signs people in by OpenID Connect: authorization code with PKCE, state and nonce. */
export interface OpenIdLogin {
  /** The page of the issuer to send the browser to, and what the browser keeps meanwhile, encrypted. */
  begin(place: LoginPlace): Promise<{ readonly url: string; readonly pending: string }>
  /** Who logged in, by what the issuer sent the browser back with. Rejects with an `OAuthError`. */
  finish(pending: string | undefined, answer: URLSearchParams): Promise<FinishedLogin>
}

interface LoginPlace {
  readonly redirectUri: string
  /** Where the person wanted to go. Kept as it is: the caller checks it. */
  readonly returnTo: string
}

interface FinishedLogin {
  readonly person: OpenIdPerson
  readonly returnTo: string
}

/** A login that has begun. */
interface Pending extends LoginPlace {
  readonly issuer: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly expiresAt: number
}

/** A person may have to find a second factor. */
const loginMs = 600_000
/** Metadata is read again after this time, and after a failure sooner. */
const metadataMs = 600_000
const retryMs = 2000

/**
 * What a login needs to finish is in a cookie, encrypted with a key that follows from the client's secret: any replica finishes
 * it, nothing is stored for people who never return, and a browser that did not begin a login cannot finish one.
 */
export function createOpenIdLogin({ settings, fetch, now = Date.now }: OpenIdLoginOptions): OpenIdLogin {
  const { issuer, clientId, clientSecret } = settings
  const vault = createVault([new Uint8Array(hkdfSync('sha256', clientSecret, `${issuer} ${clientId}`, 'toolpact sign-in', 32))]) // biome-ignore format: one line
  let metadata: { readonly until: number; readonly server: Promise<AuthorizationServer> } | undefined

  function readMetadata(): Promise<AuthorizationServer> {
    if (metadata && now() < metadata.until) return metadata.server
    const server = discoverIssuer(issuer, { fetch, signal: AbortSignal.timeout(20_000) })
    metadata = { until: now() + metadataMs, server }
    server.catch(() => {
      metadata = { until: now() + retryMs, server }
    })
    return server
  }

  function openPending(sealed: string | undefined, answer: URLSearchParams): Pending {
    const pending = (sealed === undefined ? undefined : vault.open(sealed, context)) as unknown as Pending | undefined
    if (!pending) throw new OAuthError('This browser has not begun to sign in here, or did so too long ago.')
    if (pending.issuer !== issuer || now() >= pending.expiresAt) throw new OAuthError('The sign-in took too long, or the settings have changed meanwhile.') // biome-ignore format: one line
    // Compared here too, because an error of the issuer is shown, and must be an answer to this login.
    if (!isSame(answer.get('state') ?? '', pending.state)) throw new OAuthError('The answer belongs to another sign-in than the one that this browser began last.') // biome-ignore format: one line
    return pending
  }

  return {
    async begin({ redirectUri, returnTo }) {
      const oauth = await loadOAuth()
      const server = await readMetadata()
      if (server.authorization_endpoint === undefined || server.jwks_uri === undefined) throw new OAuthError(`The issuer ${issuer} cannot sign people in: its metadata names no ${server.jwks_uri === undefined ? 'jwks_uri' : 'authorization_endpoint'}.`) // biome-ignore format: one line
      const [state, nonce, verifier] = [oauth.generateRandomState(), oauth.generateRandomNonce(), oauth.generateRandomCodeVerifier()] // biome-ignore format: one line
      const url = new URL(server.authorization_endpoint)
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      const pending: Pending = { issuer, state, nonce, verifier, redirectUri, returnTo, expiresAt: now() + loginMs }
      return { url: url.href, pending: vault.seal(pending as unknown as JsonObject, context) }
    },
    async finish(sealed, answer) {
      const pending = openPending(sealed, answer)
      const server = await readMetadata()
      const claims = await requestClaims(server, settings, { fetch, pending, answer })
      return { person: toOpenIdPerson(claims, settings), returnTo: pending.returnTo }
    },
  }
}

const context = 'sign-in'

interface Exchange {
  readonly fetch: OAuthFetch
  readonly pending: Pending
  readonly answer: URLSearchParams
}

/** Exchanges the code for an ID token, and checks it: issuer, audience, nonce, times and signature. */
async function requestClaims(
  server: AuthorizationServer,
  settings: OpenIdSettings,
  { fetch, pending, answer }: Exchange,
): Promise<JsonObject> {
  const oauth = await loadOAuth()
  const { issuer } = settings
  const call = { fetch, signal: AbortSignal.timeout(20_000) }
  const stored = { clientId: settings.clientId, method: 'configured' } as const
  const { client: plain, auth } = await toClientAuth(stored, settings, server)
  const client: Client = { ...plain, [oauth.clockTolerance]: 30 }
  const parameters = await callOAuth('sign you in', issuer, call, async () =>
    oauth.validateAuthResponse(server, client, answer, pending.state),
  )
  return callOAuth('sign you in', issuer, call, async (options) => {
    const { redirectUri, verifier, nonce } = pending
    const response = await oauth.authorizationCodeGrantRequest(server, client, auth, parameters, redirectUri, verifier, options) // biome-ignore format: one line
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true }) // biome-ignore format: one line
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)! as unknown as JsonObject
    if (server.userinfo_endpoint === undefined || hasAll(claims, settings)) return claims
    const asked = await oauth.userInfoRequest(server, client, tokens.access_token, options)
    const more: unknown = await oauth.processUserInfoResponse(server, client, claims.sub as string, asked)
    return { ...(isObject(more) && more), ...claims }
  })
}

/** Some issuers tell a name and groups only if they are asked for more about the person. */
function hasAll(claims: JsonObject, { nameClaim, groupsClaim }: OpenIdSettings): boolean {
  return [nameClaim, groupsClaim].every((name) => Object.hasOwn(claims, name.split('.')[0]!) || Object.hasOwn(claims, name)) // biome-ignore format: one line
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
