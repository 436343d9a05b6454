import type { JsonObject } from '../../contract/json.ts'
import { toOpenApi } from '../../projections/openapi.ts'
import type { CatalogEntry } from '../../runtime/pipeline/catalog.ts'
import { type HttpError, type HttpErrorCode, httpErrors } from '../http/http-errors.ts'

export interface RestDocumentOptions {
  /** The version of Toolpact. */
  readonly version: string
  /** Default: the server that the document was loaded from. */
  readonly serverUrl?: string
  /** Public tools can be called without a token. Default: false. */
  readonly allowsPublic?: boolean
}

/** The OpenAPI document of this surface: routes, headers and every possible error. */
export function toRestDocument(entries: readonly CatalogEntry<never>[], options: RestDocumentOptions): JsonObject {
  return toOpenApi(entries, { title: 'Toolpact', httpErrors: documentedErrors, ...options })
}

/** Where each code of the HTTP layer can occur. `elsewhere`: not on a route of the document. */
const places = {
  bad_request: 'everywhere',
  invalid_json: 'calls',
  invalid_call: 'named calls',
  invalid_answer: 'answers',
  invalid_decision: 'runs',
  invalid_request: 'elsewhere',
  invalid_checkpoint: 'checkpoints',
  checkpoint_refused: 'checkpoints',
  checkpoint_size: 'checkpoints',
  checkpoint_contradicts: 'checkpoints',
  run_state: 'runs',
  conflict: 'elsewhere',
  invalid_idempotency_key: 'keyed calls',
  invalid_query: 'calls',
  unauthorized: 'everywhere',
  not_signed_in: 'elsewhere',
  right_missing: 'elsewhere',
  insufficient_scope: 'everywhere',
  may_not_answer: 'answers',
  metrics_not_allowed: 'elsewhere',
  not_from_console: 'elsewhere',
  foreign_host: 'everywhere',
  foreign_origin: 'everywhere',
  not_found: 'elsewhere',
  method_not_allowed: 'elsewhere',
  request_timeout: 'everywhere',
  answered_before: 'answers',
  idempotency_under_way: 'keyed calls',
  body_too_large: 'calls',
  unsupported_media_type: 'calls',
  expectation_failed: 'everywhere',
  idempotency_key_reused: 'keyed calls',
  too_many_attempts: 'everywhere',
  headers_too_large: 'everywhere',
  server_failed: 'everywhere',
  keys_unavailable: 'everywhere',
  tokens_unavailable: 'everywhere',
  server_busy: 'everywhere',
  stopping: 'everywhere',
} as const satisfies Record<
  HttpErrorCode,
  'everywhere' | 'calls' | 'keyed calls' | 'named calls' | 'answers' | 'runs' | 'checkpoints' | 'elsewhere'
>

const documentedErrors = {
  everywhere: pick('everywhere'),
  calls: pick('calls'),
  keyedCalls: pick('keyed calls'),
  namedCalls: pick('named calls'),
  answers: pick('answers'),
  runs: pick('runs'),
  checkpoints: pick('checkpoints'),
}

function pick(place: string): { readonly code: string; readonly status: number; readonly when: string }[] {
  return Object.entries<HttpError>(httpErrors)
    .filter(([code]) => places[code as HttpErrorCode] === place)
    .map(([code, { status, when }]) => ({ code, status, when }))
}
