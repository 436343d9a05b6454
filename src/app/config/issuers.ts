import type { Config } from './config.ts'

type Auth = NonNullable<NonNullable<Config['http']>['auth']>
export type IssuerEntry = Exclude<Auth, readonly unknown[]>

/** The issuers whose tokens are accepted; empty if there are none. */
export function toIssuers(auth: Auth | undefined): readonly IssuerEntry[] {
  if (auth === undefined) return []
  return Array.isArray(auth) ? auth : [auth as IssuerEntry]
}
