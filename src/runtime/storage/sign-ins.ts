/**
 * One-time links to the console, and the sessions of people who are signed in. They are found by the hash of their secret, which
 * is never stored.
 */
export interface SignIns {
  /** Above `maxSignIns` of its kind, the oldest one ends. */
  add(signIn: StoredSignIn, now: number): Promise<void>
  find(key: SignInKey, now: number): Promise<StoredSignIn | undefined>
  /** Ends it and returns it: exactly one of any number of processes gets it. */
  take(key: SignInKey, now: number): Promise<StoredSignIn | undefined>
  /** Replaces what is stored of one that has not ended. False if it has: nothing brings it back. */
  renew(signIn: StoredSignIn, now: number): Promise<boolean>
  /** Those that have not ended, oldest first. */
  list(kind: SignInKey['kind'], now: number): Promise<readonly StoredSignIn[]>
}

/** What identifies a link or session. */
export interface SignInKey {
  readonly kind: 'link' | 'session'
  /** Of its secret. */
  readonly hash: string
}

/** A link or session, and whom it signs in. */
export interface StoredSignIn extends SignInKey {
  readonly person: string
  readonly rights: readonly string[]
  /** Milliseconds since 1970. A session that is used gets a later time, up to `endsAt`. */
  readonly expiresAt: number
  /** Who vouches for the person, and their claim `sub` and groups there. Absent: signed in by a link. */
  readonly issuer?: string
  readonly subject?: string
  readonly groups?: readonly string[]
  /** Of a session. Absent in those of an older version. */
  readonly session?: SessionFacts
}

/** Times are milliseconds since 1970. */
export interface SessionFacts {
  readonly startedAt: number
  /** Of the last request, to the minute. */
  readonly seenAt: number
  /** It expires then, however much it is used. */
  readonly endsAt: number
  /** In words, such as `Firefox on Linux`. */
  readonly browser: string
}

/** Number of links, and of sessions, that are stored. */
export const maxSignIns = 256
