import type { Authorizer, Install, UpstreamFailure } from './client.ts'
import type { Confinement } from './confinement.ts'

/** A message to the server, with the metadata that transports need. */
export interface Outgoing {
  readonly text: string
  /** Nothing else is in flight, so it need not be batched. */
  readonly isAlone?: boolean
  readonly method: string
  /** The called tool. */
  readonly name?: string | undefined
  /** Headers that mirror input properties. */
  readonly headers?: { readonly [name: string]: string } | undefined
}

/** Sends messages to a server. Incoming messages and failed requests are reported to the listener. */
export interface Transport {
  request(id: number, outgoing: Outgoing): void
  /** Sends a notification. Rejects with an `UpstreamFailure` if it is known not to have arrived. */
  notify(outgoing: Outgoing): Promise<void>
  /** Drops a request. Returns true if this alone cancels it at the server. */
  abandon(id: number): boolean
  /** Sets the revision to use, or to try. */
  speak(revision: string | undefined): void
  /** Opens a channel for server-initiated messages, if the transport needs one. */
  listen(): void
  /** Why the server failed, according to its output outside the protocol. */
  lastWords(): string
  /** The first text on stdout of a server that has sent no message there; undefined otherwise. */
  plainOutput?(): string | undefined
  /** Gives the server this long to exit by itself. Never rejects. */
  close(graceMs: number): Promise<void>
}

export interface TransportListener {
  /** A message, possibly invalid. `answering`: the request that it was received in response to, if known. */
  onMessage(text: Uint8Array, answering?: number): void
  onRequestFailed(id: number, failure: UpstreamFailure): void
  /** Whether the request is still waiting for its answer. */
  isAwaited(id: number): boolean
  /** An answer to an unknown request was lost, so any request in flight may never be answered. */
  onAnswerLost(failure: UpstreamFailure): void
  /** Called once, at the end of the connection. */
  onLost(failure: UpstreamFailure): void
  /** Messages may have been missed. */
  onGap(): void
  onNoise(text: string): void
}

/** Options of every transport. */
export interface TransportOptions {
  readonly maxMessageBytes: number
  readonly listener: TransportListener
  /** Sanitizes text from the server: bounded, printable, without the operator's secrets. */
  readonly quote: Quote
  /** For servers over HTTP that require a login. */
  readonly authorizer?: Authorizer | undefined
}

/** Options of transports that start a process. */
export interface ProcessOptions extends TransportOptions {
  readonly onInstalling: (install: Install | undefined) => void
  readonly installMs: number
  readonly confine?: Confinement | undefined
}

/** Redacts secrets, then shortens to `max` characters, by default 1000. Do not shorten first: half a secret is not found. */
export type Quote = (text: string, max?: number) => string
