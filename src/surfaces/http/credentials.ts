import { publicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'

/** Identifies the caller of a request. */
export interface Credentials {
  /** The caller with this token; undefined: the request has no token. */
  identify(token: string | undefined): Identified | Promise<Identified>
  /** Parameters for `WWW-Authenticate`: where to get a token. `base`: the URL by which the client reached the server. */
  hint?(base: string): string
  /** The token of a caller, for the client configurations in the console. */
  tokenOf?(caller: string): string | undefined | Promise<string | undefined>
}

export type Identified =
  /** `tenant`: the one that the token names, if tokens name tenants. */
  | { readonly kind: 'caller'; readonly caller: Caller; readonly tenant?: string | undefined }
  | { readonly kind: 'missing' }
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
