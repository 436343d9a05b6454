import { publicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'

/** Tells who sends a request. */
export interface Credentials {
  /** Who sent this token; undefined stands for a request without one. */
  identify(token: string | undefined): Identified | Promise<Identified>
  /** What `WWW-Authenticate` says beside the scheme: where to get a token. `base` is how the client reached the server. */
  hint?(base: string): string
  /** The token of a caller, for the configurations on the start page. */
  tokenOf?(caller: string): string | undefined | Promise<string | undefined>
}

export type Identified =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'missing' }
  | { readonly kind: 'wrong'; readonly detail: string }
  /** It cannot be told now. */
  | { readonly kind: 'unavailable'; readonly code: 'keys_unavailable' | 'tokens_unavailable'; readonly detail: string }

/** For a server on loopback whose operator wants no token: whoever reaches it is the local caller. */
export const noToken: Credentials = {
  identify: () => ({ kind: 'caller', caller: localCaller }),
}

export const localCaller: Caller = Object.freeze({ name: 'local' })

/** Nobody in particular: what needs no credentials, and the start page until it knows better. */
export const nobody: Caller = Object.freeze({ name: 'nobody' })

/** Names that Toolpact gives itself. The last is in the config, where it means every caller. */
const reserved = ['cli', 'library', 'stdio', 'agent', 'rules', 'toolpact', publicCaller.name, nobody.name, '*']

/**
 * Whether a name could pass for one of ours in rules, limits and the ledger, however it is written. A token must not give
 * one. `local` is ours too, and only tokens that are made here may give it.
 */
export function isReservedCaller(name: string, isOwnToken: boolean): boolean {
  const plain = name.normalize('NFKC').toLowerCase()
  return reserved.includes(plain) || (plain === localCaller.name && !(isOwnToken && name === localCaller.name))
}

/** The token in `Authorization: Bearer TOKEN`. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1]
}
