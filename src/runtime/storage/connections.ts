/**
 * Connections of callers to MCP servers that require a login. Their secrets are encrypted before they get here. Tokens are
 * renewed by one process at a time: the one that has the lease.
 */
export interface Connections {
  find(key: ConnectionKey): Promise<StoredConnection | undefined>
  /** By owner, then server. */
  list(query?: ConnectionsQuery): Promise<StoredConnection[]>
  /** Stores a connection in place of an earlier one. False if there are too many. */
  save(connection: NewConnection): Promise<boolean>
  /** Whether the caller may renew the connection, which is still at `version`: no other process has the lease. */
  lease(key: ConnectionKey, lease: ConnectionLease, now: number): Promise<boolean>
  /** Replaces the secret and ends the lease. False, with nothing stored, if the connection is no longer at `version`. */
  replace(key: ConnectionKey, change: ConnectionChange): Promise<boolean>
  /** False if there is no such connection. */
  remove(key: ConnectionKey): Promise<boolean>
}

/** Whose connection to which server. */
export interface ConnectionKey {
  /** The principal: never another one gets the connection. */
  readonly owner: string
  /** Name of the server in the config. */
  readonly server: string
}

/** Selects connections. */
export interface ConnectionsQuery {
  readonly owner?: string
  readonly server?: string
}

/** A connection to store. */
export interface NewConnection extends ConnectionKey {
  /** Who issued the tokens. */
  readonly issuer: string
  /** The encrypted secret. */
  readonly sealed: string
  /** Milliseconds since 1970. */
  readonly connectedAt: number
}

/** A stored connection. */
export interface StoredConnection extends NewConnection {
  /** Changes with the secret. */
  readonly version: number
  readonly renewedAt?: number
  /** Why it cannot be used any more: the owner must connect again. */
  readonly fault?: string
}

/** The right of one process to renew a connection. */
export interface ConnectionLease {
  readonly version: number
  readonly holder: string
  readonly until: number
}

/** What a renewal changed. */
export interface ConnectionChange {
  /** As it was read. */
  readonly version: number
  readonly sealed: string
  /** Milliseconds since 1970. */
  readonly renewedAt: number
  readonly fault?: string
}

/** Number of connections that are stored. */
export const maxConnections = 50_000
