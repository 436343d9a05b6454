import { groupPrefix } from '../../contract/principal.ts'
import type { OpenIdLogin, OpenIdSettings } from '../../identity/openid/openid-login.ts'
import type { OpenIdPerson } from '../../identity/openid/openid-person.ts'
import type { Config } from '../config/config.ts'
import { expandVariables } from '../config/expand-variables.ts'

/** Signs people in by OpenID Connect, as `http.signIn` of the config says. */
export interface OpenIdSignIn extends OpenIdLogin {
  readonly issuer: string
  /** What people know the issuer as. */
  readonly name: string
  /** What a person may do now; nothing if they may not sign in. */
  rightsOf(person: Pick<OpenIdPerson, 'name' | 'groups'>): readonly Right[]
}

export type { OpenIdPerson }

/** `connect`: only to connect to servers, which everyone else may too. */
type Right = 'connect' | 'view' | 'approve' | 'manage'

const allRights: readonly Right[] = ['view', 'approve', 'manage']

interface SignInOptions {
  readonly config: () => Config
}

/** What the config says at the moment of each call. OAuth is loaded with the first login. */
export function openSignIn({ config }: SignInOptions): () => OpenIdSignIn | undefined {
  let opened: { readonly of: string; readonly signIn: OpenIdSignIn } | undefined
  return () => {
    const { http, groups, policy } = config()
    if (!http?.signIn) return undefined
    const of = JSON.stringify([http.signIn, groups, policy?.allowHosts])
    if (opened?.of !== of) opened = { of, signIn: toSignIn(http.signIn, config()) }
    return opened.signIn
  }
}

type Settings = NonNullable<NonNullable<Config['http']>['signIn']>

function toSignIn(settings: Settings, { groups = {}, policy }: Config): OpenIdSignIn {
  const { issuer, rights } = settings
  const { host, hostname } = new URL(issuer)
  let login: Promise<OpenIdLogin> | undefined
  async function load(): Promise<OpenIdLogin> {
    const { createOpenIdLogin } = await import('../../identity/openid/openid-login.ts')
    const { createOAuthFetch } = await import('./oauth-fetch.ts')
    const fetch = createOAuthFetch([...(policy?.allowHosts ?? []), hostname])
    return createOpenIdLogin({ settings: toSettings(settings), fetch })
  }
  const open = () => {
    login ??= load()
    login.catch(() => {
      login = undefined
    })
    return login
  }
  return {
    issuer,
    name: settings.name ?? host,
    begin: async (place) => (await open()).begin(place),
    finish: async (pending, answer) => (await open()).finish(pending, answer),
    rightsOf({ name, groups: own }) {
      const listed = Object.keys(groups).filter((group) => groups[group]!.includes(name))
      const keys = new Set(['*', ...[...own, ...listed].map((group) => `${groupPrefix}${group}`)])
      // Somebody may be named like a group.
      if (!name.startsWith(groupPrefix)) keys.add(name)
      const given = new Set(Object.entries(rights).flatMap(([key, some]) => (keys.has(key) ? some : [])))
      const isConnecting = given.delete('connect')
      if (given.size === 0) return isConnecting ? ['connect'] : []
      return allRights.filter((right) => right === 'view' || given.has(right))
    },
  }
}

/** Throws a ConfigError if the secret is in a variable that is not set. */
export function toSettings({ issuer, clientId, clientSecret, ...more }: Settings): OpenIdSettings {
  const { scopes = ['profile', 'email'], nameClaim = 'preferred_username', groupsClaim = 'groups' } = more
  const secret = expandVariables(clientSecret, 'http.signIn.clientSecret')
  return { issuer, clientId, clientSecret: secret, scopes, nameClaim, groupsClaim }
}
