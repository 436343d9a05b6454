import type { AuthorizationServer, Client } from 'oauth4webapi'
import { isObject } from '../../contract/json.ts'
import { callOAuth, type OAuthCall } from './call-oauth.ts'
import { loadOAuth } from './load-oauth.ts'
import { OAuthError } from './oauth-error.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { findQuirks } from './quirks.ts'

/** A client at an issuer, as it is stored with a connection. */
export interface StoredClient {
  readonly clientId: string
  readonly clientSecret?: string
  /** How it authenticates at the token endpoint. `configured`: with what the config says. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post' | 'configured'
}

export interface FindClientOptions extends OAuthCall {
  readonly server: AuthorizationServer
  readonly settings: Pick<OAuthSettings, 'clientId' | 'quirks'>
  /** Undefined for a login without a redirect. */
  readonly redirectUri: string | undefined
  /** The address of published metadata about a client with this redirect URI, which is its id. */
  readonly published?: string | undefined
  readonly scope?: string | undefined
  /** The name of the server in the config, for messages. */
  readonly name: string
}

/** Chooses the client: a configured one, else the published one where the issuer reads such metadata, else one that it registers. */
export async function findClient(options: FindClientOptions): Promise<StoredClient> {
  const { server, settings } = options
  if (settings.clientId !== undefined) return { clientId: settings.clientId, method: 'configured' }
  if (options.published !== undefined && server.client_id_metadata_document_supported === true)
    return { clientId: options.published, method: 'none' }
  const { clientFrom } = findQuirks(server.issuer, settings.quirks)
  if (server.registration_endpoint !== undefined && clientFrom === undefined) return register(options)
  throw toUnregistered(options)
}

async function register({ server, redirectUri, scope, ...call }: FindClientOptions): Promise<StoredClient> {
  const oauth = await loadOAuth()
  const methods = server.token_endpoint_auth_methods_supported
  const method = !methods || methods.includes('none') ? 'none' : methods.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post' // biome-ignore format: one line
  const metadata: Partial<Client> = {
    client_name: 'Toolpact',
    client_uri: 'https://www.npmjs.com/package/toolpact',
    redirect_uris: redirectUri === undefined ? [] : [redirectUri],
    grant_types: [redirectUri === undefined ? deviceGrant : 'authorization_code', 'refresh_token'],
    response_types: redirectUri === undefined ? [] : ['code'],
    token_endpoint_auth_method: method,
    application_type: redirectUri?.startsWith('https:') ? 'web' : 'native',
    ...(scope !== undefined && { scope }),
  }
  const registered = await callOAuth('register a client', server.issuer, call, async (options) =>
    oauth.processDynamicClientRegistrationResponse(
      await withExpiry(await oauth.dynamicClientRegistrationRequest(server, metadata as never, options)),
    ),
  )
  const { client_id: clientId, client_secret: clientSecret } = registered
  if (typeof clientSecret !== 'string') return { clientId, method: 'none' }
  const granted = registered.token_endpoint_auth_method
  const used = granted === 'client_secret_post' || granted === 'none' ? granted : 'client_secret_basic'
  return { clientId, clientSecret, method: used }
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** RFC 7591 requires issuers to say when a secret expires. Many do not, and mean never. */
async function withExpiry(response: Response): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (!isObject(body) || body.client_secret === undefined || body.client_secret_expires_at !== undefined)
    return response
  return Response.json({ ...body, client_secret_expires_at: 0 }, { status: response.status })
}

function toUnregistered({ server, name, redirectUri, settings }: FindClientOptions): OAuthError {
  const { clientFrom = 'its administration' } = findQuirks(server.issuer, settings.quirks)
  const how = redirectUri === undefined ? 'that may use the device flow' : `with the redirect URI ${redirectUri}`
  return new OAuthError(`The issuer ${server.issuer} registers no clients by itself. Create one in ${clientFrom}, as a native or public client ${how}, then set its id as "authorization": { "clientId": "…" } of the server ${name} in the config.`) // biome-ignore format: one line
}
