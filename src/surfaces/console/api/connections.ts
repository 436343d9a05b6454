/** The connections of the person who is signed in. */
export interface ConnectionList {
  /** Whose connections these are; null if this person makes no calls. */
  readonly owner: string | null
  readonly connections: readonly ConnectionRow[]
}

/** A server that callers log in to. */
export interface ConnectionRow {
  readonly server: string
  /** `ended`: the person must connect again. */
  readonly state: 'connected' | 'ended' | 'missing'
  readonly issuer: string | null
  readonly connectedAt: string | null
  readonly renewedAt: string | null
  /** Why it has ended. */
  readonly fault?: string
}

/** What connecting to a server would do. */
export interface ConnectOffer {
  readonly server: string
  /** The caller whose calls will use the account. */
  readonly owner: string
  /** Whether that is the person, and not a client of theirs. */
  readonly isOwn: boolean
  readonly issuer: string
  readonly scopes: readonly string[]
  /** Those of the scopes that a call lacked. */
  readonly missing: readonly string[]
  readonly state: ConnectionRow['state']
}

export interface ConnectRequest {
  /** Of the link, if it is for another caller than the person. */
  readonly for?: string
  readonly scope?: string
}

export interface ConnectResponse {
  /** The page of the issuer. */
  readonly url: string
  /** Brought back with its answer. Encrypted. */
  readonly pending: string
}

export interface ConnectedRequest {
  readonly pending: string
  /** The query that the issuer sent the browser back with. */
  readonly answer: string
}

export interface ConnectedResponse {
  readonly server: string
  readonly owner: string
  readonly issuer: string
}
