import type { JsonObject, JsonValue } from './json.ts'

/** A request to the client that made a call, as MCP defines it. */
export interface ClientRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: JsonObject
}

/** What clients declare that they support. */
export const clientFeatures = ['elicitation', 'sampling', 'roots'] as const

export type ClientFeature = (typeof clientFeatures)[number]

export type ClientRequests = { readonly [key: string]: ClientRequest }

export const logLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const

export type LogLevel = (typeof logLevels)[number]

/** What a running tool may ask of the MCP client that made its call, and so of the client's user. */
export interface CallClient {
  /** Whether the client declares that it can answer such a request. */
  supports(request: ClientRequest): boolean
  /**
   * Sends the requests and resolves to the client's results, by the same keys. The time limit of the call is paused
   * meanwhile. Rejects if the client does not support a request, refuses it or is gone.
   */
  ask(requests: ClientRequests, signal?: AbortSignal): Promise<{ readonly [key: string]: JsonObject }>
  /**
   * Asks the client's user to open a page, and waits until `done` resolves to whether what was asked for happened there. The
   * time limit of the call is paused meanwhile. Resolves to false if the client opens no pages, or its user does not want to.
   */
  openPage?(page: OpenedPage): Promise<boolean>
  /** Reports that the call fails because the client does not support these. */
  lack?(capabilities: JsonObject): void
  /** The lowest level of log messages that the client wants; absent if it wants none. */
  readonly logLevel?: LogLevel | undefined
  /** Sends a log message, if the client wants messages of this level. */
  log?(level: LogLevel, data: JsonValue, logger?: string): void
}

/** A page that the user of a client is asked to open. Its address carries no credential. */
export interface OpenedPage {
  /** What it is for. */
  readonly message: string
  readonly url: string
  readonly done: (signal: AbortSignal) => Promise<boolean>
  readonly signal: AbortSignal
}

/** The trace that a call belongs to, as W3C Trace Context defines it. */
export interface TraceContext {
  readonly traceparent: string
  readonly tracestate?: string
}
