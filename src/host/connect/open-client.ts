import { type ClientOptions, type Install, type ServerAddress, type UpstreamClient, UpstreamFailure } from './client.ts'
import { Conversation } from './conversation.ts'
import { createClient } from './create-client.ts'
import { negotiate } from './negotiate.ts'
import { notMcp } from './not-mcp.ts'
import { createQuote } from './quote.ts'
import { defaultInstallMs, StartClock } from './start-clock.ts'
import { openStdio } from './stdio/open-stdio.ts'
import type { ProcessOptions, Transport } from './transport.ts'

/** Time for a server that was never ready to exit. */
const failedGraceMs = 300

/** Connects to a server and negotiates a revision. Rejects with an `UpstreamFailure`, after cleaning up. */
export async function openClient(address: ServerAddress, options: ClientOptions): Promise<UpstreamClient> {
  const { startMs, installMs = defaultInstallMs, onInstalling } = options
  const clock = new StartClock({ startMs, installMs, toLate: () => toLate(startMs) })
  const signal = options.signal ? AbortSignal.any([options.signal, clock.signal]) : clock.signal
  const following = (install: Install | undefined) => {
    onInstalling?.(install)
    clock.isInstalling = install !== undefined
  }
  const connecting = { ...options, installMs, onInstalling: following }
  try {
    return await connect(address, connecting, signal)
  } catch (cause) {
    const failure = toFailure(cause)
    // A server that rejects the POST may only support HTTP+SSE (2024-11-05).
    if (address.kind !== 'http' || signal.aborted || !isNoPost(failure)) throw failure
    return await connect({ ...address, kind: 'sse' }, connecting, signal).catch(() => {
      throw failure
    })
  } finally {
    clock.stop()
  }
}

type ConnectOptions = ClientOptions & Required<Pick<ClientOptions, 'installMs' | 'onInstalling'>>

async function connect(address: ServerAddress, options: ConnectOptions, signal: AbortSignal): Promise<UpstreamClient> {
  const { maxMessageBytes, onNoise, onListChanged, onResourceUpdated, onLost, onInstalling, installMs, roots, logs } =
    options
  const quote = createQuote(address)
  let isReady = false
  const conversation = new Conversation({
    maxMessageBytes,
    quote,
    onNoise: (text) => onNoise?.(text),
    roots,
    logs,
    offersRoots: options.capabilities?.roots !== undefined,
    onListChanged: (kind) => isReady && onListChanged?.(kind),
    onResourceUpdated: (uri) => isReady && onResourceUpdated?.(uri),
    onLost: (failure) => isReady && onLost?.(failure),
  })
  const transport = await openTransport(
    address,
    {
      maxMessageBytes,
      quote,
      listener: conversation,
      onInstalling,
      installMs,
      authorizer: options.authorizer,
      confine: options.confine,
    },
    signal,
  )
  conversation.transport = transport
  try {
    const agreement = await negotiate(conversation, { ...options, mayBeSilent: address.kind === 'stdio' }, signal)
    isReady = true
    const { extensions: _, ...askable } = options.capabilities ?? {}
    const mayAsk = Object.keys(askable).length > 0
    return createClient(conversation, agreement, { address, mayAsk, roots, logs, follow: options.follow })
  } catch (cause) {
    const failure = toStartFailure(cause, transport, signal)
    conversation.end(failure)
    await transport.close(failedGraceMs)
    throw failure
  }
}

/** Most servers are processes, so the HTTP transports are loaded on demand. */
async function openTransport(address: ServerAddress, options: ProcessOptions, signal: AbortSignal): Promise<Transport> {
  switch (address.kind) {
    case 'stdio':
      return openStdio(address, options, signal)
    case 'http':
      return (await import('./http/streamable-http.ts')).openStreamableHttp(address, options)
    case 'sse':
      return (await import('./http/legacy-sse.ts')).openLegacySse(address, options, signal)
  }
}

function isNoPost({ status = 0 }: UpstreamFailure): boolean {
  return [400, 404, 405].includes(status)
}

function toLate(startMs: number): UpstreamFailure {
  const message = `The server was not ready within ${startMs} ms. Check its output, or allow more time.`
  return new UpstreamFailure('unavailable', message)
}

function toStartFailure(cause: unknown, transport: Transport, signal: AbortSignal): UpstreamFailure {
  const failure = toFailure(cause)
  if (!signal.aborted) return failure
  const plain = transport.plainOutput?.()
  const words = transport.lastWords() || plain
  if (plain !== undefined)
    return new UpstreamFailure('protocol', `${failure.plain} ${notMcp}`, { words, cause: failure })
  return words ? new UpstreamFailure(failure.kind, failure.plain, { words, cause: failure }) : failure
}

function toFailure(cause: unknown): UpstreamFailure {
  if (cause instanceof UpstreamFailure) return cause
  const why = cause instanceof Error ? cause.message : String(cause)
  return new UpstreamFailure('unavailable', `The server could not be reached: ${why}`, { cause })
}
