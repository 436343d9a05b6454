export interface HttpLimits {
  readonly bodyBytes: number
  /** The bodies of all requests in flight together. */
  readonly allBodiesBytes: number
  /** Timeouts for the header fields and for the whole request. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long an idle connection is kept open. */
  readonly keepAliveMs: number
  /** Timeout for a client to read a response. */
  readonly responseMs: number
  /** Unread responses of all clients together. */
  readonly unreadBytes: number
  readonly connections: number
  /** Requests in flight. Always less than `connections`, so that some can be reclaimed. */
  readonly requests: number
  /** How many of these are reserved for authenticated callers. */
  readonly reservedRequests: number
  /** Wrong tokens per ten seconds that get a full answer. */
  readonly wrongTokens: number
  /** Requests of the public caller per ten seconds. This also limits the growth of the ledger. */
  readonly publicRequests: number
}

const defaults: HttpLimits = {
  bodyBytes: 4_194_304,
  allBodiesBytes: 268_435_456,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  responseMs: 30_000,
  unreadBytes: 268_435_456,
  connections: 1024,
  requests: 896,
  reservedRequests: 128,
  wrongTokens: 100,
  publicRequests: 200,
}

export function toLimits(given: Partial<HttpLimits> = {}): HttpLimits {
  const limits = { ...defaults, ...given }
  return { ...limits, requests: Math.min(limits.requests, limits.connections - 1) }
}
