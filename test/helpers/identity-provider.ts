import { onTestFinished } from 'vitest'
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts'

export const client = { id: 'toolpact-console', secret: 'a-secret-of-the-console' }

/** Groups of the people that the provider knows. */
const peopleOf: { readonly [login: string]: { readonly name: string; readonly groups: readonly string[] } } = {
  ada: { name: 'ada@acme.example', groups: ['ops', 'staff'] },
  grace: { name: 'grace@acme.example', groups: ['dev', 'staff'] },
  eve: { name: 'eve@acme.example', groups: ['guests'] },
  cli: { name: 'cli', groups: ['ops'] },
}

export interface IdentityProviderOptions {
  /** Where the issuer may send browsers back to. */
  readonly redirectUris: readonly string[]
  /** Put the claims into the ID token, as Keycloak and Entra do, not only into the answer of userinfo. Default: true. */
  readonly inIdToken?: boolean
  /** What it says about people. Default: their name and groups. */
  readonly claimsOf?: (login: string) => object
  /** Further claims of the scope `profile`. */
  readonly claimNames?: readonly string[]
}

/** A real OpenID Connect provider with one client, the console. */
export async function openIdentityProvider(options: IdentityProviderOptions): Promise<AuthorizationServer> {
  const { redirectUris, inIdToken = true, claimsOf, claimNames = [] } = options
  const toClaims = claimsOf ?? ((login: string) => ({ preferred_username: peopleOf[login]?.name ?? login, groups: peopleOf[login]?.groups ?? [] })) // biome-ignore format: one line
  const server = await startAuthorizationServer({
    configuration: {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [...redirectUris],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'groups', ...claimNames],
        email: ['email', 'email_verified'],
      },
      scopes: ['openid', 'profile', 'email', 'offline_access'],
      conformIdTokenClaims: !inIdToken,
      pkce: { required: () => true },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...toClaims(id) }) }),
      issueRefreshToken: async () => false,
    },
  })
  onTestFinished(() => server.close())
  return server
}

/** `http.signIn` of the config for it. */
export function toSignInConfig({ issuer }: Pick<AuthorizationServer, 'issuer'>, more: object = {}) {
  return {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    rights: { 'group:ops': ['approve', 'manage'], 'group:dev': ['view'] },
    ...more,
  }
}
