import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { isLoopback, type OAuthFetch } from './discover.ts'
import type { StoredClient } from './find-client.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthSettings } from './oauth-settings.ts'

export interface OAuthCall {
  readonly fetch: OAuthFetch
  readonly signal?: AbortSignal | undefined
}

/** Options of a request of the library. Its own types differ by method and body. */
type RequestOptions = Record<never, never>

/** Sends a request to an authorization server, and explains a failure. `what` completes "could not …". */
export async function callOAuth<Value>(
  what: string,
  issuer: string,
  { fetch, signal }: OAuthCall,
  send: (options: RequestOptions) => Promise<Value>,
): Promise<Value> {
  const oauth = await loadOAuth()
  const options = {
    [oauth.customFetch]: (
      url: string,
      init: { method: string; headers: object; body?: unknown; signal?: AbortSignal },
    ) =>
      fetch(url, {
        method: init.method,
        headers: { ...init.headers },
        body: init.body === undefined || init.body === null ? undefined : String(init.body),
        signal: init.signal,
      }),
    [oauth.allowInsecureRequests]: isLoopback(new URL(issuer)),
    ...(signal && { signal }),
  }
  try {
    return await send(options)
  } catch (cause) {
    signal?.throwIfAborted()
    throw cause instanceof OAuthError ? cause : toOAuthError(what, issuer, cause as Error)
  }
}

/** What an issuer says is text from elsewhere. */
function toOAuthError(what: string, issuer: string, cause: Error): OAuthError {
  const { error, error_description: description } = cause as { error?: unknown; error_description?: unknown }
  const code = typeof error === 'string' ? printable(shorten(error, 100)) : undefined
  const words = typeof description === 'string' && description !== '' ? `: ${printable(shorten(description, 300))}` : ''
  const why = code === undefined ? printable(shorten(cause.message, 300)) : `it answered ${code}${words}`
  const hint = words.includes('AADSTS9010010') ? ' Set "authorization": { "resource": false } of the server in the config.' : '' // biome-ignore format: one line
  return new OAuthError(`${`The issuer ${issuer} could not ${what}: ${why}.`.replace(/\.\.$/, '.')}${hint}`, {
    cause,
    ...(code !== undefined && { code }),
    isFinal: code === 'invalid_grant' || code === 'invalid_client' || code === 'unauthorized_client',
  })
}

/** The client in the form of the library, and how it authenticates. */
export async function toClientAuth(
  stored: StoredClient,
  settings: Pick<OAuthSettings, 'clientSecret' | 'privateKey'>,
  server: AuthorizationServer,
): Promise<{ readonly client: Client; readonly auth: ClientAuth }> {
  const oauth = await loadOAuth()
  const client: Client = { client_id: stored.clientId }
  if (stored.method !== 'configured') {
    if (stored.method === 'none' || stored.clientSecret === undefined) return { client, auth: oauth.None() }
    const isBasic = stored.method === 'client_secret_basic'
    return { client, auth: isBasic ? toBasic(stored.clientSecret) : oauth.ClientSecretPost(stored.clientSecret) } // biome-ignore format: one line
  }
  const { clientSecret, privateKey } = settings
  if (privateKey !== undefined) return { client, auth: oauth.PrivateKeyJwt(await importKey(privateKey)) }
  if (clientSecret === undefined) return { client, auth: oauth.None() }
  const methods = server.token_endpoint_auth_methods_supported
  const isPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic')
  return { client, auth: isPost ? oauth.ClientSecretPost(clientSecret) : toBasic(clientSecret) }
}

/**
 * `client_secret_basic` with as few escapes as RFC 6749 allows: the library escapes hyphens too, and many issuers compare
 * without decoding.
 */
function toBasic(secret: string): ClientAuth {
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%20', '+')
  return (_server, { client_id: id }, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`)
  }
}

/** A PEM key as WebCrypto wants it. */
async function importKey(pem: string) {
  const { createPrivateKey } = await import('node:crypto')
  let key: ReturnType<typeof createPrivateKey>
  try {
    key = createPrivateKey(pem)
  } catch (cause) {
    throw new OAuthError('The private key of the client is not a key in PEM. Set "authorization.privateKey" to one.', { cause }) // biome-ignore format: one line
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const algorithm =
    type === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : type === 'ec'
        ? { name: 'ECDSA', namedCurve: details?.namedCurve === 'secp384r1' ? 'P-384' : 'P-256' }
        : { name: 'Ed25519' }
  const bytes = key.export({ type: 'pkcs8', format: 'der' })
  return crypto.subtle.importKey('pkcs8', Uint8Array.from(bytes), algorithm, false, ['sign'])
}
