export interface HttpError {
  readonly status: number
  readonly when: string
  readonly suggestion: string
}

/** The codes of the HTTP layer itself: a request that gets one of these never became a call. */
export const httpErrors = {
  bad_request: {
    status: 400,
    when: 'The request is not valid HTTP, or its target is no path.',
    suggestion: 'Send a plain HTTP/1.1 request with a path.',
  },
  invalid_json: {
    status: 400,
    when: 'The body is not JSON that every reader reads alike: it has a fault, or a key twice.',
    suggestion: 'Correct the body as the detail says.',
  },
  invalid_call: {
    status: 400,
    when: 'The body of POST /v1/call is not {"tool": NAME, "parameters": {…}}.',
    suggestion: 'Send {"tool": NAME, "parameters": {…}}, or the parameters alone to /v1/tools/{name}.',
  },
  invalid_idempotency_key: {
    status: 400,
    when: 'The Idempotency-Key header is not 1 to 255 visible ASCII characters.',
    suggestion: 'Send a random UUID, and the same one only with a repeat of the same call.',
  },
  invalid_query: {
    status: 400,
    when: 'The Toolpact-Query header is not 1 to 256 visible ASCII characters.',
    suggestion: 'Send a random UUID, a new one for each question of a user.',
  },
  unauthorized: {
    status: 401,
    when: 'The request carries no token, or one that is not accepted.',
    suggestion: 'Send the header Authorization: Bearer TOKEN. On the machine that serves, toolpact token prints it.',
  },
  foreign_host: {
    status: 403,
    when: 'The Host header names neither this machine nor a host in http.hosts of the config.',
    suggestion: 'Use the address that toolpact serve printed, or let the operator add the host to http.hosts.',
  },
  foreign_origin: {
    status: 403,
    when: 'A page of another origin sent the request, and http.origins of the config does not list it.',
    suggestion: 'Let the operator add the origin to http.origins if that page should call tools.',
  },
  not_found: {
    status: 404,
    when: 'There is nothing at this path.',
    suggestion: 'Use one of the paths that the server lists in this error, such as /mcp or /v1/tools.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path does not take this method.',
    suggestion: 'Use a method that the Allow header lists.',
  },
  request_timeout: {
    status: 408,
    when: 'The request did not arrive whole in time.',
    suggestion: 'Send it again, faster or smaller.',
  },
  idempotency_under_way: {
    status: 409,
    when: 'The first call with this Idempotency-Key has not ended, or nobody knows how it ended.',
    suggestion:
      'Send it again a little later. If that does not help, look whether the call did its work before using a new key.',
  },
  body_too_large: {
    status: 413,
    when: 'The body has more bytes than any tool takes.',
    suggestion: 'Send less, or split the work into several calls.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not application/json, or is compressed.',
    suggestion: 'Send uncompressed JSON with the header Content-Type: application/json.',
  },
  expectation_failed: {
    status: 417,
    when: 'The Expect header asks for something else than 100-continue.',
    suggestion: 'Leave the Expect header out.',
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The Idempotency-Key was used for another call: another tool or another input.',
    suggestion: 'Use a new key for each call, and the same one only to repeat a call unchanged.',
  },
  too_many_attempts: {
    status: 429,
    when: 'Too many requests with a wrong token, or without one, came in a short time. A right one is still accepted.',
    suggestion: 'Wait as long as Retry-After says, and check the token.',
  },
  headers_too_large: {
    status: 431,
    when: 'The header fields have more than 16 KiB.',
    suggestion: 'Send fewer or shorter header fields.',
  },
  server_failed: {
    status: 500,
    when: 'The server failed unexpectedly.',
    suggestion: 'Report it; the operator sees the details with --debug.',
  },
  keys_unavailable: {
    status: 503,
    when: 'The keys of whoever issues the tokens cannot be loaded.',
    suggestion: 'Try again a little later; the operator checks http.auth.jwks in the config.',
  },
  tokens_unavailable: {
    status: 503,
    when: 'The file with the tokens of callers was moved, deleted or cannot be read, so no caller can be identified.',
    suggestion:
      'Try again a little later; the operator puts the state directory back as it was. The error output of Toolpact says what failed.',
  },
  server_busy: {
    status: 503,
    when: 'Too many requests are under way at once.',
    suggestion: 'Wait as long as Retry-After says, then send it again.',
  },
  stopping: {
    status: 503,
    when: 'The server is stopping and begins nothing new.',
    suggestion: 'Connect again once it has been started again.',
  },
} as const satisfies Record<string, HttpError>

export type HttpErrorCode = keyof typeof httpErrors
