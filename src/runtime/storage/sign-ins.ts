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
  /** Of the console's token when the link was made: if that token is replaced, the session ends. */
  readonly tokenDigest: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Number of links, and of sessions, that are stored. */
export const maxSignIns = 256
