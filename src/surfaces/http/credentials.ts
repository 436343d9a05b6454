import { publicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import type { TokenStore } from '../../runtime/storage/tokens.ts'

/** Identifies the caller of a request. */
export interface Credentials {
  /** The caller with this token; undefined: the request has no token. */
  identify(token: string | undefined): Identified | Promise<Identified>
  /** Parameters for `WWW-Authenticate`: where to get a token. `base`: the URL by which the client reached the server. */
  hint?(base: string): string
  /** The scopes that every request needs, separated by spaces, for `WWW-Authenticate`. */
  readonly scope?: string | undefined
  /** Where the tokens are that it accepts, if they are Toolpact's own: the console creates some for clients. */
  readonly tokens?: TokenStore
}

export type Identified =
  /** `tenant`: the one that the token names, if tokens name tenants. */
  | { readonly kind: 'caller'; readonly caller: Caller; readonly tenant?: string | undefined }
  | { readonly kind: 'missing' }
  /** The token is valid, but lacks a scope that every request needs. */
  | { readonly kind: 'insufficient'; readonly scope: string }
  | { readonly kind: 'wrong'; readonly detail: string }
  /** The credentials cannot be checked at present. */
  | { readonly kind: 'unavailable'; readonly code: 'keys_unavailable' | 'tokens_unavailable'; readonly detail: string }

/** `--no-token`, for loopback only: every request is from the local caller. */
export const noToken: Credentials = {
  identify: () => ({ kind: 'caller', caller: localCaller }),
}

export const localCaller: Caller = Object.freeze({ name: 'local' })

/** An unauthenticated caller, on routes that allow one. */
export const nobody: Caller = Object.freeze({ name: 'nobody' })

/** What a challenge says besides where to get a token. Its texts are Toolpact's own: they are quoted as they are. */
export interface Challenge {
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly description?: string
  /** Default: what every request needs. */
  readonly scope?: string
}

/** The value of `WWW-Authenticate` (RFC 6750, RFC 9728). */
export function toChallenge(credentials: Credentials, base: string, given: Challenge = {}): string {
  const { error, description, scope = credentials.scope } = given
  return [
    'Bearer realm="toolpact"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(description === undefined ? [] : [`error_description="${description}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
    ...(credentials.hint ? [credentials.hint(base)] : []),
  ].join(', ')
}

/** A token without a scope that it needs. The client may ask its user for it, and come again with another token. */
export function describeLack(scope: string): string {
  return `The token lacks the scope ${scope}.`
}

/** What a new token should have: what this one has, and what it lacks. */
export function toNeededScopes({ scopes = [] }: Caller, lacking: string): string {
  return [...new Set([...scopes, lacking])].join(' ')
}

/** Names that Toolpact uses itself. In the config, `*` means every caller. */
const reserved = [
  'cli',
  'library',
  'stdio',
  'agent',
  'rules',
  'toolpact',
  'console',
  publicCaller.name,
  nobody.name,
  '*',
]

/**
 * Whether a name is reserved, in any spelling: a token must not impersonate Toolpact's own callers in rules, limits and the
 * ledger. Only tokens that Toolpact issued may use `local`.
 */
export function isReservedCaller(name: string, isOwnToken: boolean): boolean {
  const plain = name.normalize('NFKC').toLowerCase()
  return reserved.includes(plain) || (plain === localCaller.name && !(isOwnToken && name === localCaller.name))
}

/** The token in `Authorization: Bearer TOKEN`. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1]
}
