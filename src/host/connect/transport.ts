import type { Install, UpstreamFailure } from './client.ts'

/** A message to the server, with what a transport must know about it. */
export interface Outgoing {
  readonly text: string
  /** Nothing else is under way: it need not wait for more to be sent with it. */
  readonly isAlone?: boolean
  readonly method: string
  /** The tool that is called. */
  readonly name?: string | undefined
  /** What the schema of the tool wants repeated in headers. */
  readonly headers?: { readonly [name: string]: string } | undefined
}

/** How messages get to a server. What comes from it, and what becomes of requests, is told to the listener. */
export interface Transport {
  request(id: number, outgoing: Outgoing): void
  /** Sends what has no answer. Rejects with an `UpstreamFailure` where it is known that it did not arrive. */
  notify(outgoing: Outgoing): Promise<void>
  /** Nobody waits for this answer any more. Gives true where the server learns it by this alone. */
  abandon(id: number): boolean
  /** The revision that is spoken from now on, or tried. */
  speak(revision: string | undefined): void
  /** Opens a way for messages that answer nothing, where the transport has none without. */
  listen(): void
  /** Why the server failed, as far as it printed that beside the protocol. */
  lastWords(): string
  /** The first text on stdout of a server that has sent no message there; undefined otherwise. */
  plainOutput?(): string | undefined
  /** Never rejects. The server has this long to end by itself. */
  close(graceMs: number): Promise<void>
}

export interface TransportListener {
  /** One message, or what should be one. `answering` is the request that it came as an answer to, where that is known. */
  onMessage(text: Uint8Array, answering?: number): void
  onRequestFailed(id: number, failure: UpstreamFailure): void
  /** Does somebody still wait for this answer? */
  isAwaited(id: number): boolean
  /** An answer was lost, and it is not known whose: no request under way can be trusted to be answered. */
  onAnswerLost(failure: UpstreamFailure): void
  /** Told once, at the end of the connection. */
  onLost(failure: UpstreamFailure): void
  /** Messages may have been missed. */
  onGap(): void
  onNoise(text: string): void
}

/** What every transport is given. */
export interface TransportOptions {
  readonly maxMessageBytes: number
  readonly listener: TransportListener
  /** Makes text from the server fit to be shown: bounded, printable, without the operator's secrets. */
  readonly quote: Quote
}

/** What a transport that starts a process is given too. */
export interface ProcessOptions extends TransportOptions {
  readonly onInstalling: (install: Install | undefined) => void
  readonly installMs: number
}

/** Redacts secrets, then cuts the text to `max` characters. Default: 1000. Do not cut the text before: half a secret is not found. */
export type Quote = (text: string, max?: number) => string
