import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../contract/tool.ts'

/** What the server knows about a request once it has authenticated the caller and read the body. */
interface RequestContext {
  readonly caller: Caller
  /** The whole body, within its size limit; undefined if the request has none. */
  readonly body: Buffer | undefined
  /** The segments that matched `{name}` in the path, as they were sent: not decoded. */
  readonly params: { readonly [name: string]: string }
}

/** Answers a request. The response emits `close` when the client disconnects: cancel the call then. */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
) => Promise<void> | void

export interface Route {
  /** Other methods get 405, with these in `Allow`. */
  readonly methods: readonly string[]
  /** `{name}` matches one segment. */
  readonly path: string
  /**
   * The credential that a request needs. `token`: a bearer token. `loopback`: the same, or none if the request comes from
   * this machine. `page`: a bearer token, or the cookie of a one-time link, which the handler checks. `none`: public.
   * Default: `token`.
   */
  readonly needs?: 'token' | 'loopback' | 'page' | 'none'
  /** If the operator allows it, requests without a token are served as the public caller. Default: false. */
  readonly takesPublic?: boolean
  readonly handle: Handle
}

/** A part of the server that contributes routes. */
export interface HttpSurface {
  readonly routes: readonly Route[]
  /** Releases what outlives a request, such as open streams. What ends by itself has `graceMs` to do so. */
  close?(graceMs: number): Promise<void>
}
