import type { QuirksName } from './oauth-settings.ts'

/** How an issuer differs from the specification. Settings of the server override it. */
export interface Quirks {
  /** It rejects the parameter `resource` (RFC 8707). */
  readonly refusesResource?: true
  /** It has no registration of clients: the operator must create one. `where`: in which place. */
  readonly clientFrom?: string
  /** If no scopes are configured, all that the client was granted, by this scope of the resource. */
  readonly defaultScope?: (resource: string) => string
  /** It issues refresh tokens only for this scope, although it may not list it. */
  readonly needsOfflineAccess?: true
  /** Further parameters of the authorization request. */
  readonly parameters?: { readonly [name: string]: string }
  /** It exchanges tokens by its own grant, on behalf of the user, and not by RFC 8693. */
  readonly exchangesOnBehalf?: true
}

const entra: Quirks = {
  refusesResource: true,
  clientFrom: 'the Microsoft Entra admin center (App registrations)',
  defaultScope: (resource) => `${resource}/.default`,
  needsOfflineAccess: true,
  exchangesOnBehalf: true,
}

const google: Quirks = {
  refusesResource: true,
  clientFrom: 'the Google Cloud console (APIs & Services, Credentials)',
  parameters: { access_type: 'offline', prompt: 'consent' },
}

const known: readonly (readonly [host: RegExp, quirks: Quirks])[] = [
  [/^(?:login\.(?:microsoftonline\.(?:com|us)|windows\.net|chinacloudapi\.cn)|sts\.windows\.net)$/, entra],
  [/^[a-z0-9-]+\.ciamlogin\.com$/, entra],
  [/^accounts\.google\.com$/, google],
]

const named: { readonly [Name in QuirksName]: Quirks } = { none: {}, entra, google }

/** What is known about an issuer. `name`: as the operator says, whatever its host. */
export function findQuirks(issuer: string, name?: QuirksName): Quirks {
  if (name !== undefined) return named[name]
  const host = URL.parse(issuer)?.hostname ?? ''
  return known.find(([form]) => form.test(host))?.[1] ?? {}
}
