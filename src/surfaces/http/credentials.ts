import { publicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'

/** Tells who sends a request. */
export interface Credentials {
  /** Who sent this token; undefined stands for a request without one. */
  identify(token: string | undefined): Identified | Promise<Identified>
  /** What `WWW-Authenticate` says beside the scheme: where to get a token. `base` is how the client reached the server. */
  hint?(base: string): string
  /** The token of a caller, for the configurations on the start page. */
  tokenOf?(caller: string): string | undefined
}

export type Identified =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'missing' }
  | { readonly kind: 'wrong'; readonly detail: string }
  /** It cannot be told now. */
  | { readonly kind: 'unavailable'; readonly detail: string }

/** For a server on loopback whose operator wants no token: whoever reaches it is the local caller. */
export const noToken: Credentials = {
  identify: () => ({ kind: 'caller', caller: localCaller }),
}

export const localCaller: Caller = Object.freeze({ name: 'local' })

/** Nobody in particular: what needs no credentials, and the start page until it knows better. */
export const nobody: Caller = Object.freeze({ name: 'nobody' })

/** Names that no token gives: those of callers that never come over the network, and of requests without a token. */
export const reservedCallers: readonly string[] = ['cli', 'library', 'stdio', publicCaller.name]

/** The token in `Authorization: Bearer TOKEN`. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1]
}
