import type { ClientFeature, ClientRequests, LogLevel, TraceContext } from '../../contract/call-client.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Caller, Progress } from '../../contract/tool.ts'
import type { FollowRequest, SentRequest } from '../../contract/trace-context.ts'
import { errorCodes } from '../../protocol/reply.ts'
import type { Confinement } from './confinement.ts'
import type { Listed, ListKind } from './list-pages.ts'

/** The address of a server: from the config, never from a request. Variables are already expanded. */
export type ServerAddress = StdioAddress | HttpAddress

export interface StdioAddress {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** In addition to a few inherited variables, such as PATH. */
  readonly env: { readonly [name: string]: string }
  readonly cwd?: string
}

/** `sse` is the transport of 2024-11-05. It is also the fallback for `http`. */
export interface HttpAddress {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

/** The credential of one owner at a server that requires a login. */
export interface Authorizer {
  /** The value of `Authorization`. Rejects with an `UpstreamFailure` if the owner is not connected. */
  header(signal?: AbortSignal): Promise<string>
  /** The server rejected that value: whether there is another one to try. Rejects like `header`. */
  renew(rejected: string): Promise<boolean>
  /** The server refused a request with 403 and this `WWW-Authenticate`: why, if more rights would help. */
  explain(challenge: string): Promise<UpstreamFailure | undefined>
}

export interface ClientOptions {
  /** Name and version of this host. */
  readonly info: { readonly name: string; readonly version: string }
  /** The revision to try first. Default: 2025-11-25, which every known server supports. */
  readonly protocol?: '2025-11-25' | '2026-07-28'
  /** Timeout for connecting, excluding installation. */
  readonly startMs: number
  /** Timeout for a launcher such as `npx` to install the server. Default: 10 min. */
  readonly installMs?: number
  /** Called when the launcher starts or stops installing the server. */
  readonly onInstalling?: (install: Install | undefined) => void
  /** Limit for each message. */
  readonly maxMessageBytes: number
  readonly signal?: AbortSignal
  /** For servers over HTTP that require a login. */
  readonly authorizer?: Authorizer | undefined
  /** What the server may ask for. Since 2026-07-28 declared per call instead: see `Peer`. Default: nothing. */
  readonly capabilities?: JsonObject
  /** The roots that the operator grants. Default: a `Peer` may answer, if `capabilities` offer them. */
  readonly roots?: readonly JsonObject[]
  /** A list has changed: `resources` also stands for templates. */
  readonly onListChanged?: (kind: ChangedList) => void
  /** A resource that was subscribed to has changed. */
  readonly onResourceUpdated?: (uri: string) => void
  /** Follows what calls send. */
  readonly follow?: ((request: Omit<SentRequest, 'server'>) => ReturnType<FollowRequest>) | undefined
  /** Called once, if the connection is lost without `close`. */
  readonly onLost?: (failure: UpstreamFailure) => void
  /** Confines the process of the server. */
  readonly confine?: Confinement | undefined
  /** Log messages that the operator wants to see. */
  readonly logs?: OperatorLogs | undefined
  /** Output outside the protocol: stderr, noise on stdout, unknown requests. Text of bounded length. */
  readonly onNoise?: (text: string) => void
}

export interface OperatorLogs {
  readonly level: LogLevel
  /** `text`: sanitized and bounded. */
  onLog(level: LogLevel, text: string): void
}

export interface Install {
  /** What installs the server, such as `npx`. */
  readonly by: string
}

/** A connection to one MCP server. Results are bounded JSON, and otherwise not validated. */
export interface UpstreamClient {
  readonly revision: string
  readonly serverInfo: JsonObject
  /** What the server offers: `tools`, `prompts`, `resources`, `completions`, … */
  readonly capabilities: JsonObject
  readonly instructions?: string
  /** All pages of a list, as received; empty if the server does not offer such. Rejects with an `UpstreamFailure`. */
  list(kind: ListKind, signal?: AbortSignal): Promise<Listed>
  /** The raw result. Rejects with an `UpstreamFailure`. Aborting also cancels the request at the server. */
  callTool(name: string, input: JsonObject, options: UpstreamCallOptions): Promise<JsonValue>
  getPrompt(name: string, input: JsonObject, options: UpstreamCallOptions): Promise<JsonValue>
  readResource(uri: string, options: UpstreamCallOptions): Promise<JsonValue>
  /** `params`: as `completion/complete` takes them. */
  complete(params: JsonObject, options: UpstreamCallOptions): Promise<JsonValue>
  /** Replaces the set of resources whose changes are reported. Never rejects. */
  subscribe(uris: readonly string[]): Promise<void>
  /** Resolves when the server has answered. Rejects with an `UpstreamFailure`. */
  ping(signal?: AbortSignal): Promise<void>
  /** Closes the connection, and ends the process and its children. Never rejects. */
  close(): Promise<void>
}

export interface UpstreamCallOptions {
  readonly signal: AbortSignal
  /** Whose connection is used, where each caller logs in. Default: the operator's. */
  readonly caller?: Caller | undefined
  readonly onProgress?: (update: Progress) => void
  /** Answers what the server asks during the call. */
  readonly peer?: Peer | undefined
  /** The trace that the call belongs to. */
  readonly trace?: TraceContext | undefined
}

export type ChangedList = 'tools' | 'prompts' | 'resources'

/** Stands for the user of one call toward the server that is called. */
export interface Peer {
  /** Calls of the same user have the same owner. */
  readonly owner: string
  /** What it can answer, as client capabilities. */
  readonly capabilities: JsonObject
  /** Resolves to the answers, by the same keys. Rejects with a `PeerRefusal`. */
  answer(requests: ClientRequests, signal: AbortSignal): Promise<{ readonly [key: string]: JsonObject }>
  /** The lowest level of log messages that it wants. */
  readonly logLevel?: LogLevel
  /** `data` and `logger`: sanitized and bounded. */
  log?(level: LogLevel, data: JsonValue, logger?: string): void
  /** The call has ended. */
  endLogs?(): void
}

/** A request of a server that is not answered. */
export class PeerRefusal extends Error {
  override readonly name = 'PeerRefusal'
  readonly code: number

  constructor(message: string, code: number = errorCodes.request) {
    super(message)
    this.code = code
  }
}

/**
 * `unavailable`: the server could not be reached, exited or did not answer. `protocol`: it sent something that is not MCP.
 * `refused`: it answered with a JSON-RPC error. `too_long`: its message exceeded the limit and was dropped.
 */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: 'unavailable' | 'protocol' | 'refused' | 'too_long'
  /** The message without text from the server, which a model might obey. */
  readonly plain: string
  /** The code and message of the JSON-RPC error, if any; bounded and printable. */
  readonly code?: number
  readonly said?: string
  /** The HTTP status, if it indicates an error. */
  readonly status?: number
  /** The header `WWW-Authenticate`, if the server requires a credential. Its own words. */
  readonly challenge?: string
  /** The owner of the call must connect to the server first. */
  readonly isUnconnected?: true
  /** Scopes that the connection lacks, separated by spaces; checked. */
  readonly scope?: string
  /** The page where the owner connects. */
  readonly connect?: string
  /** The revisions that the server supports, if it rejected ours. */
  readonly supported?: readonly string[]
  /** What to do if retrying cannot help; without text from the server. */
  readonly advice?: string
  /** The client capabilities that the server requires, if it rejected the request because they were not declared. */
  readonly required?: readonly ClientFeature[]

  constructor(kind: UpstreamFailure['kind'], message: string, options: FailureOptions = {}) {
    super(options.words ? `${message} It said: ${options.words}` : message, options)
    this.kind = kind
    this.plain = options.plain ?? message
    if (options.code !== undefined) this.code = options.code
    if (options.said !== undefined) this.said = options.said
    if (options.status !== undefined) this.status = options.status
    if (options.challenge !== undefined) this.challenge = options.challenge
    if (options.isUnconnected) this.isUnconnected = true
    if (options.scope !== undefined) this.scope = options.scope
    if (options.connect !== undefined) this.connect = options.connect
    if (options.supported !== undefined) this.supported = options.supported
    if (options.advice !== undefined) this.advice = options.advice
    if (options.required !== undefined) this.required = options.required
  }
}

interface FailureOptions extends ErrorOptions {
  /** Output of the server outside the protocol; bounded and printable. */
  readonly words?: string | undefined
  /** The message without text from the server, if it contains any. */
  readonly plain?: string
  readonly code?: number
  readonly said?: string
  readonly status?: number
  readonly challenge?: string | undefined
  readonly isUnconnected?: boolean
  readonly scope?: string | undefined
  readonly connect?: string | undefined
  readonly supported?: readonly string[]
  readonly advice?: string | undefined
  readonly required?: readonly ClientFeature[]
}

export function toTooLong(maxBytes: number): UpstreamFailure {
  const message = `The server sent a message of more than ${maxBytes} bytes, which was dropped. Request less data.`
  return new UpstreamFailure('too_long', message)
}
