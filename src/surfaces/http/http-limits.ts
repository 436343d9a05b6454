export interface HttpLimits {
  readonly bodyBytes: number
  /** The bodies of all requests in flight together. */
  readonly allBodiesBytes: number
  /** How long the header fields, and the whole request, may take to arrive. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long a connection without a request is kept. */
  readonly keepAliveMs: number
  /** How long a client may take to read a response. */
  readonly responseMs: number
  /** Responses that clients have not read yet, in all. */
  readonly unreadBytes: number
  readonly connections: number
  /** Requests in flight at once, over all connections. Always less than `connections`, so that some can be reclaimed. */
  readonly requests: number
  /** How many of these only authenticated callers can use. */
  readonly reservedRequests: number
  /** Wrong tokens in ten seconds that get the full answer. */
  readonly wrongTokens: number
  /** Requests of the public caller in ten seconds. Each call is recorded, so it bounds the ledger too. */
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
