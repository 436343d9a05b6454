import type { RemovedConnection } from '../../identity/connections/removed-connection.ts'
import type { ClientDocument } from '../../identity/oauth/client-document.ts'
import type { LinkedCaller } from './connect-links.ts'

/** The connections of callers to MCP servers that require a login, as `toolpact.connections`. */
export interface ServerLogins {
  /** Without secrets. */
  list(query?: { readonly owner?: string; readonly server?: string }): Promise<Connection[]>
  /** Finds out who issues tokens for a server, and whether it requires a login at all. */
  discover(server: string, signal?: AbortSignal): Promise<LoginOffer | undefined>
  /** Begins a login. A person must open `url`; what the issuer sends to `redirectUri` finishes it. */
  begin(server: string, options: LoginOptions): Promise<Login>
  /** Finishes a login that any process with the same storage and key has begun. `by`: the same as then. */
  finish(pending: string, answer: URLSearchParams, options?: FinishOptions): Promise<Connection>
  /** Begins a login on another device, for machines without a browser. */
  beginDevice(server: string, options?: Omit<LoginOptions, 'redirectUri' | 'by'>): Promise<DeviceLogin>
  /** Whether the server accepts the connection: renews its token if that is due. Rejects with what to do if not. */
  test(server: string, owner?: string): Promise<void>
  /** Revokes the tokens at the issuer, and removes the connection. */
  remove(server: string, owner?: string): Promise<RemovedConnection>
  /** Encrypts all connections with the newest key. */
  rekey(): Promise<RekeyedConnections>
  /** Whom a link to the connect page is for; undefined if Toolpact did not make it. */
  readLink(text: string): Promise<LinkedCaller | undefined>
  /** Metadata of this server as a client, for issuers that read them. Undefined without an https `http.publicUrl`. */
  clientDocument(): Promise<ClientDocument | undefined>
}

/** A connection, without its secrets. */
export interface Connection {
  readonly owner: string
  readonly server: string
  readonly issuer: string
  /** Milliseconds since 1970. */
  readonly connectedAt: number
  readonly renewedAt?: number
  /** Why the owner must connect again. */
  readonly fault?: string
}

/** How a server lets people log in. */
export interface LoginOffer {
  readonly issuer: string
  readonly scope?: string
  /** Whether a login on another device is possible. */
  readonly hasDevice: boolean
}

/** Whose login it is, and where the browser returns to. */
export interface LoginOptions {
  /** Whose connection it becomes. Default: the operator. */
  readonly owner?: string | undefined
  readonly redirectUri: string
  /** Scopes to ask for besides the usual ones, separated by spaces: what the server said is missing. */
  readonly scope?: string | undefined
  /** Who begins it: `finish` refuses everyone else. */
  readonly by?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Who finishes a login. */
export interface FinishOptions {
  readonly by?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A login that has begun. */
export interface Login extends Omit<LoginOffer, 'hasDevice'> {
  readonly url: string
  /** Everything that is needed to finish it, encrypted. */
  readonly pending: string
  /** `answer`: the parameters that the issuer sent to the redirect URI. */
  finish(answer: URLSearchParams, signal?: AbortSignal): Promise<Connection>
}

/** A login on another device that has begun. */
export interface DeviceLogin extends Omit<LoginOffer, 'hasDevice'> {
  readonly url: string
  /** The page with the code filled in, if the issuer has one. */
  readonly completeUrl?: string
  /** What the person types there. */
  readonly userCode: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** Waits until the person has finished. */
  finish(signal?: AbortSignal): Promise<Connection>
}

/** What became of the connections. */
export interface RekeyedConnections {
  readonly rekeyed: number
  /** Those that were encrypted with the newest key already. */
  readonly current: number
  /** Those that no known key decrypts: their owners must connect again. */
  readonly lost: readonly { readonly owner: string; readonly server: string }[]
}
