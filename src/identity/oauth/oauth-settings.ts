/** How Toolpact authenticates at an MCP server by OAuth: the config entry `authorization` of a server. */
export interface OAuthSettings {
  /**
   * `user`: each caller with their own connection. `service`: one for all, by client credentials. `exchange`: each caller's own
   * token is exchanged for one for the server.
   */
  readonly mode: 'user' | 'service' | 'exchange'
  /** The issuer of tokens. Default: as the server says. */
  readonly issuer?: string
  /** How the issuer differs from the specification. Default: by its host. */
  readonly quirks?: QuirksName
  /** A client that was created at the issuer. Default: the published metadata of this server, else the issuer registers one. */
  readonly clientId?: string
  readonly clientSecret?: string
  /** PEM of a private key, for `private_key_jwt`. */
  readonly privateKey?: string
  /** Default: as the server's challenge says, else all that it lists. */
  readonly scopes?: readonly string[]
  /** The identifier of the server at the issuer; false: it is not sent. Default: as the server says. */
  readonly resource?: string | false
  /** The logical name of the server at the issuer, for `exchange`. */
  readonly audience?: string
}

export type QuirksName = 'none' | 'entra' | 'google'
