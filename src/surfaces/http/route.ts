import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../contract/tool.ts'

/**
 * Answers one request of somebody who may ask. `body` was read whole and within its bound; undefined where the request
 * has none. Whether the client has gone shows in the `close` of the response: abort the call then.
 */
export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | undefined,
  caller: Caller,
) => Promise<void> | void

/** What serves some of the routes. */
export interface HttpSurface {
  readonly handle: Handle
  /** Lets go of what outlives a request, such as open streams: those that end by themselves have this long. */
  close?(graceMs: number): Promise<void>
}

export interface Route {
  /** Any other method is answered 405 with these in `Allow`. */
  readonly methods: readonly string[]
  /** `{name}` stands for one segment. */
  readonly path: string
  /**
   * `token`: bearer credentials. `loopback`: those, or a request from this machine without any. `page`: bearer
   * credentials, or what the one-time link gave. `none`: public by its nature.
   */
  readonly needs: 'token' | 'loopback' | 'page' | 'none'
  /** Where the operator allows it, requests without a token are answered as those of the public caller. */
  readonly takesPublic?: boolean
  readonly handle: Handle
}
