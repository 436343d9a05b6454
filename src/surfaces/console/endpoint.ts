import type { ServerResponse } from 'node:http'
import type { Toolpact } from '../../app/app.ts'
import type { JsonValue } from '../../contract/json.ts'
import { escapeHidden, findHidden, type TextKind } from '../../contract/text/hidden-characters.ts'
import type { TokenStore } from '../../runtime/storage/tokens.ts'
import type { ClientConfig } from '../client-configs.ts'
import type { HttpErrorCode } from '../http/http-errors.ts'
import type { ProblemOptions } from '../http/send-problem.ts'
import type { Right } from './api/api.ts'
import { consoleHeaders } from './headers.ts'
import type { ServerConfig } from './server-config.ts'
import type { ConsoleSignIn, SignedIn } from './sign-in.ts'

/** One route of the console's API. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  /** Below `/console/api/`. `{name}` matches one segment. */
  readonly path: string
  /** Default: none, for everyone who is signed in. */
  readonly right?: Right
  /** The schema of the body in `src/projections/openapi/console`, which is checked before `handle`. */
  readonly body?: string
  /** `code` if texts are compared or executed: fewer characters then count as visible. Default: `prose`. */
  readonly text?: TextKind
  /** Resolves to the body of the response; undefined for none. Throws a `Refusal`. */
  readonly handle: (asked: Asked, parts: ConsoleParts) => Promise<object | undefined> | object | undefined
}

/** A request to the API. */
interface Asked {
  readonly person: SignedIn
  /** Decoded. */
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
  /** As its schema says; `{}` if the endpoint takes none. */
  readonly body: JsonValue
  /** Aborted when the browser is gone. */
  readonly signal: AbortSignal
}

/** What endpoints work with. */
export interface ConsoleParts {
  readonly toolpact: Toolpact
  readonly version: string
  /** Such as `http://127.0.0.1:7420`. */
  readonly url: string
  readonly toClients: () => readonly ClientConfig[]
  readonly signIn: Pick<ConsoleSignIn, 'list' | 'revoke'>
  /** The result of the last verification of the ledger. */
  verified: 'intact' | 'broken' | undefined
  /** The settings of servers; absent if they cannot be changed here. */
  readonly servers: ServerConfig | undefined
  /** Called when a person has decided about the tools of a server. */
  readonly onDecision: Set<(server: string) => void>
  /** The tokens that are accepted, if they are Toolpact's own. */
  readonly tokens: TokenStore | undefined
}

/** Ends a request with an error of the HTTP layer. */
export class Refusal extends Error {
  readonly code: HttpErrorCode
  readonly options: ProblemOptions

  constructor(code: HttpErrorCode, detail: string, suggestion?: string) {
    super(detail)
    this.code = code
    this.options = { detail, ...(suggestion !== undefined && { suggestion }) }
  }
}

/** The only place that sends JSON to the page: hidden characters are made visible in every string and key. */
export function sendJson(response: ServerResponse, value: object, kind: TextKind = 'prose'): void {
  const body = toVisibleJson(value, kind)
  response.writeHead(200, {
    ...consoleHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  })
  response.end(body)
}

export function toVisibleJson(value: object, kind: TextKind = 'prose'): string {
  const json = JSON.stringify(value)
  // The usual case. Control characters are escapes in JSON.
  if (!/\\[ubfr]/.test(json) && findHidden(json, kind) === undefined) return json
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'string') return escapeHidden(item, kind)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    const keys = Object.keys(item)
    const isPlain = keys.every((key) => escapeHidden(key, kind) === key)
    return isPlain ? item : Object.fromEntries(keys.map((key) => [escapeHidden(key, kind), (item as Record<string, unknown>)[key]])) // biome-ignore format: one line
  })
}
