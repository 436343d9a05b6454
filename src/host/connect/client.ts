import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Progress } from '../../contract/tool.ts'

/** Where a server is: from the operator's file, never from a request. Variables in it are already expanded. */
export type ServerAddress = StdioAddress | HttpAddress

export interface StdioAddress {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  /** Beside a few variables that every server is given, such as PATH. */
  readonly env: { readonly [name: string]: string }
  readonly cwd?: string
}

/** `sse` is the transport of 2024-11-05. It is tried for `http` too, where a server knows no other. */
export interface HttpAddress {
  readonly kind: 'http' | 'sse'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

export interface ClientOptions {
  /** How this host calls itself. */
  readonly info: { readonly name: string; readonly version: string }
  /** The revision to try first. Default: 2025-11-25, which every known server answers. */
  readonly protocol?: '2025-11-25' | '2026-07-28'
  /** How long connecting may take in all, without the time in which the server is installed. */
  readonly startMs: number
  /** How long a launcher such as `npx` may install the server. Default: 10 min. */
  readonly installMs?: number
  /** Reports that the launcher installs the server, and that it no longer does. */
  readonly onInstalling?: (install: Install | undefined) => void
  /** No message may be longer. */
  readonly maxMessageBytes: number
  readonly signal?: AbortSignal
  readonly onToolsChanged?: () => void
  /** Told once, when the connection is lost although nobody closed it. */
  readonly onLost?: (failure: UpstreamFailure) => void
  /** What the server says beside the protocol: its stderr, noise on stdout, requests that nobody knows. Bounded text. */
  readonly onNoise?: (text: string) => void
}

export interface Install {
  /** What installs the server, such as `npx`. */
  readonly by: string
}

/** A connection to one MCP server. What comes over it is bounded JSON and otherwise unchecked. */
export interface UpstreamClient {
  readonly revision: string
  readonly serverInfo: JsonObject
  readonly instructions?: string
  /** Every definition as it came over the wire, all pages. Rejects with an `UpstreamFailure`. */
  listTools(signal?: AbortSignal): Promise<readonly JsonObject[]>
  /** The raw result. Rejects with an `UpstreamFailure`; aborting tells the server too. */
  callTool(name: string, input: JsonObject, options: UpstreamCallOptions): Promise<JsonValue>
  /** Resolves when the server answered; rejects with an `UpstreamFailure`. */
  ping(signal?: AbortSignal): Promise<void>
  /** Ends the connection, the process and what it started. Never rejects. */
  close(): Promise<void>
}

export interface UpstreamCallOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (update: Progress) => void
}

/**
 * `unavailable`: it could not be reached, has died or did not answer. `protocol`: it said something that is not MCP.
 * `refused`: it answered with an error of the protocol. `too_long`: its message exceeds the limit and was not kept.
 */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: 'unavailable' | 'protocol' | 'refused' | 'too_long'
  /** The message without the server's own words. Those are for people: they may be anything, and a model might obey them. */
  readonly plain: string
  /** The code of the error in JSON-RPC, where the server sent one, and its message: bounded and printable. */
  readonly code?: number
  readonly said?: string
  /** The status of the answer, where it came over HTTP and says that something is wrong. */
  readonly status?: number
  /** Revisions that the server says it speaks, where it refused ours. */
  readonly supported?: readonly string[]
  /** What to do, where calling again cannot help; without the server's own words. */
  readonly advice?: string

  constructor(kind: UpstreamFailure['kind'], message: string, options: FailureOptions = {}) {
    super(options.words ? `${message} It said: ${options.words}` : message, options)
    this.kind = kind
    this.plain = options.plain ?? message
    if (options.code !== undefined) this.code = options.code
    if (options.said !== undefined) this.said = options.said
    if (options.status !== undefined) this.status = options.status
    if (options.supported !== undefined) this.supported = options.supported
    if (options.advice !== undefined) this.advice = options.advice
  }
}

interface FailureOptions extends ErrorOptions {
  /** What the server said beside the protocol: bounded and printable. */
  readonly words?: string | undefined
  /** Where something of the server's is in the message itself: the same without it. */
  readonly plain?: string
  readonly code?: number
  readonly said?: string
  readonly status?: number
  readonly supported?: readonly string[]
  readonly advice?: string | undefined
}

export function toTooLong(maxBytes: number): UpstreamFailure {
  const message = `The server sent a message of more than ${maxBytes} bytes, which was not kept. Ask it for less.`
  return new UpstreamFailure('too_long', message)
}
