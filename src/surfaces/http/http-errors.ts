export interface HttpError {
  readonly status: number
  readonly when: string
  readonly suggestion: string
}

/** Error codes of the HTTP layer. A request that gets one of these never became a call. */
export const httpErrors = {
  bad_request: {
    status: 400,
    when: 'The request is not valid HTTP, or its target is not a path.',
    suggestion: 'Send a plain HTTP/1.1 request with a path.',
  },
  invalid_json: {
    status: 400,
    when: 'The body is not valid JSON, or contains a duplicate key.',
    suggestion: 'Fix the body as described in the detail.',
  },
  invalid_call: {
    status: 400,
    when: 'The body of POST /v1/call is not {"tool": NAME, "parameters": {…}}.',
    suggestion: 'Send {"tool": NAME, "parameters": {…}}, or the parameters alone to /v1/tools/{name}.',
  },
  invalid_answer: {
    status: 400,
    when: 'The body of POST /v1/approvals/{id} is not {"answer": "yes"} or {"answer": "no"}.',
    suggestion: 'Send {"answer": "yes"} or {"answer": "no"}.',
  },
  invalid_decision: {
    status: 400,
    when: 'The body of POST /v1/runs/{id}/resume is not a decision about an interrupted step, or its output does not match the contract.',
    suggestion:
      'Send {"step": STEP, "as": "done", "output": {…}}, {"step": STEP, "as": "again"} or {"step": STEP, "as": "failed"}.',
  },
  invalid_request: {
    status: 400,
    when: 'A parameter or the body of a request to the console is not what its schema in /openapi.json describes.',
    suggestion: 'Correct it as described in the detail.',
  },
  invalid_checkpoint: {
    status: 400,
    when: 'The body of POST /v1/checkpoints is not {"old": SIZE, "proof": […], "checkpoint": NOTE, "publicKey": KEY}.',
    suggestion: 'Name this server under ledger.checkpoints in the config of a Toolpact, which sends what is needed.',
  },
  checkpoint_refused: {
    status: 403,
    when: 'The checkpoint is not signed by its key, or earlier ones of that ledger had another key or caller.',
    suggestion:
      'Send it with the token and the key of the first one, or name the ledger anew under ledger.signing.origin.',
  },
  checkpoint_size: {
    status: 409,
    when: 'The proof does not start from the size of the newest checkpoint that is kept.',
    suggestion: 'Prove that the checkpoint continues the one of the size in this answer.',
  },
  checkpoint_contradicts: {
    status: 422,
    when: 'The checkpoint does not continue the one that is kept: the ledger was truncated, rolled back or rewritten.',
    suggestion: 'Run toolpact ledger --verify where the ledger is, and find out who could write to it.',
  },
  invalid_idempotency_key: {
    status: 400,
    when: 'The Idempotency-Key header is not 1 to 255 visible ASCII characters.',
    suggestion: 'Send a random UUID, and reuse it only to repeat the same call.',
  },
  invalid_query: {
    status: 400,
    when: 'The Toolpact-Query header is not 1 to 256 visible ASCII characters.',
    suggestion: 'Send a random UUID, a new one for each question of the user.',
  },
  unauthorized: {
    status: 401,
    when: 'The request has no token, or one that is not accepted.',
    suggestion: 'Send the header Authorization: Bearer TOKEN. On the server, toolpact token create NAME prints one.',
  },
  not_signed_in: {
    status: 401,
    when: 'The console was asked for something, and nobody is signed in with this browser.',
    suggestion: 'Run toolpact open on the machine that serves, and use the link that it opens.',
  },
  right_missing: {
    status: 403,
    when: 'The signed-in person does not have the right that this needs.',
    suggestion: 'Sign in with a link that has the right: toolpact open makes one without --view-only.',
  },
  insufficient_scope: {
    status: 403,
    when: 'The token lacks a scope: one that every request needs, or one that calls of this risk need.',
    suggestion: 'Get a token with the scope that WWW-Authenticate names, and send the request again.',
  },
  may_not_answer: {
    status: 403,
    when: 'The caller may not answer this question: it made the call itself, has said yes before, or approvers in the config does not name it.',
    suggestion: 'Let another person answer, as the detail says.',
  },
  metrics_not_allowed: {
    status: 403,
    when: 'The caller may not read the metrics: telemetry.metrics.callers of the config does not name it.',
    suggestion: 'Use the token of a caller that it names: toolpact token create metrics prints one for the default.',
  },
  not_from_console: {
    status: 403,
    when: 'A request that changes something lacks the header Toolpact-Console: 1, or comes from another site.',
    suggestion: 'Use the console, or send the header Toolpact-Console: 1 with the cookie.',
  },
  foreign_host: {
    status: 403,
    when: 'The Host header names neither this machine nor a host in http.hosts of the config.',
    suggestion: 'Use the address that toolpact serve printed, or add the host to http.hosts in the config.',
  },
  foreign_origin: {
    status: 403,
    when: 'A page of another origin sent the request, and http.origins of the config does not list it.',
    suggestion: 'If that page should call tools, add its origin to http.origins in the config.',
  },
  not_found: {
    status: 404,
    when: 'Nothing is served at this path.',
    suggestion: 'Use one of the paths that the server lists in this error, such as /mcp or /v1/tools.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support this method.',
    suggestion: 'Use a method that the Allow header lists.',
  },
  request_timeout: {
    status: 408,
    when: 'The request did not arrive completely in time.',
    suggestion: 'Send it again, faster or smaller.',
  },
  answered_before: {
    status: 409,
    when: 'Somebody has answered the question already. The first answer counts.',
    suggestion: 'See GET /v1/approvals/{id}. Call again to ask again.',
  },
  idempotency_under_way: {
    status: 409,
    when: 'The first call with this Idempotency-Key has not ended, or its outcome is unknown.',
    suggestion:
      'Retry a little later. If that does not help, check whether the call did its work before using a new key.',
  },
  run_state: {
    status: 409,
    when: 'The run is not in a state in which that is possible: it has ended, has not failed, or has no such interrupted step.',
    suggestion: 'Look at the run with GET /v1/runs/{id}.',
  },
  conflict: {
    status: 409,
    when: 'The console was asked for something that cannot be done now, such as to accept a tool that has changed again.',
    suggestion: 'Load the page again, and do what the detail says.',
  },
  body_too_large: {
    status: 413,
    when: 'The body is larger than any tool accepts.',
    suggestion: 'Send less, or split the work into several calls.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not application/json, or is compressed.',
    suggestion: 'Send uncompressed JSON with the header Content-Type: application/json.',
  },
  expectation_failed: {
    status: 417,
    when: 'The Expect header is not 100-continue.',
    suggestion: 'Omit the Expect header.',
  },
  idempotency_key_reused: {
    status: 422,
    when: 'The Idempotency-Key was used for a call with another tool or input.',
    suggestion: 'Use a new key for each call, and reuse it only to repeat a call unchanged.',
  },
  too_many_attempts: {
    status: 429,
    when: 'Too many requests with a wrong token, or without one, in a short time. A valid token is still accepted.',
    suggestion: 'Wait for the time in Retry-After, and check the token.',
  },
  headers_too_large: {
    status: 431,
    when: 'The header fields exceed 16 KiB.',
    suggestion: 'Send fewer or shorter header fields.',
  },
  server_failed: {
    status: 500,
    when: 'The server failed unexpectedly.',
    suggestion: 'Report it; the operator sees the details with --debug.',
  },
  keys_unavailable: {
    status: 503,
    when: 'The public keys of the token issuer cannot be loaded.',
    suggestion: 'Retry a little later. If it persists, check http.auth.jwks in the config.',
  },
  tokens_unavailable: {
    status: 503,
    when: 'The file with the tokens of callers was moved, deleted or cannot be read, so no caller can be identified.',
    suggestion:
      'Try again a little later; the operator puts the state directory back as it was. The error output of Toolpact says what failed.',
  },
  server_busy: {
    status: 503,
    when: 'Too many requests are in flight.',
    suggestion: 'Wait for the time in Retry-After, then retry.',
  },
  stopping: {
    status: 503,
    when: 'The server is stopping and accepts no new requests.',
    suggestion: 'Reconnect once it has restarted.',
  },
} as const satisfies Record<string, HttpError>

export type HttpErrorCode = keyof typeof httpErrors
