/** A person's sign-in on a browser. */
export interface SessionRow {
  readonly id: string
  readonly person: string
  readonly rights: readonly ('connect' | 'view' | 'approve' | 'manage')[]
  /** The issuer that signed them in; null: by a one-time link. */
  readonly issuer: string | null
  /** Such as `Firefox on Linux`. */
  readonly browser: string
  /** Null if it began with an older version. */
  readonly startedAt: string | null
  /** To the minute. */
  readonly seenAt: string | null
  /** When it ends if it is not used. */
  readonly expiresAt: string
  /** Of the browser that asks. */
  readonly isThis: boolean
  /** Of the person who asks. */
  readonly isOwn: boolean
}

export interface SessionList {
  /** Newest first. Of all people for those who may manage, otherwise the person's own. */
  readonly sessions: readonly SessionRow[]
}

/** Which sessions end: these, or all others of the person who asks. */
export interface EndSessionsRequest {
  readonly ids?: readonly string[]
  readonly others?: true
}
