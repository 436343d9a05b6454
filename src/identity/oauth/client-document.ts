/** The path at which a server publishes the metadata of its client. */
const clientDocumentPath = '/.well-known/oauth-client.json'

/** The path of the console that browsers return to after a login. */
const connectedPath = '/console/connected'

/** Metadata of a client, which issuers read at its id (OAuth Client ID Metadata Document). */
export interface ClientDocument {
  readonly client_id: string
  readonly redirect_uris: readonly string[]
  readonly [name: string]: string | readonly string[]
}

/** The document of the server that people reach at this address. Undefined unless issuers can trust it: it must be https. */
export function toClientDocument(publicUrl: string | undefined): ClientDocument | undefined {
  if (publicUrl?.startsWith('https://') !== true) return undefined
  return {
    client_id: `${publicUrl}${clientDocumentPath}`,
    client_name: 'Toolpact',
    client_uri: publicUrl,
    redirect_uris: [`${publicUrl}${connectedPath}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
}
