import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { errorCodes } from '../../protocol/reply.ts'
import {
  type ClientOptions,
  type Install,
  type ServerAddress,
  type UpstreamCallOptions,
  type UpstreamClient,
  UpstreamFailure,
} from './client.ts'
import { Conversation } from './conversation.ts'
import { type Agreement, negotiate } from './negotiate.ts'
import { notMcp } from './not-mcp.ts'
import { findParamHeaders, type ParamHeader, toParamHeaders } from './param-headers.ts'
import { createQuote } from './quote.ts'
import { defaultInstallMs, StartClock } from './start-clock.ts'
import { openStdio } from './stdio/open-stdio.ts'
import type { ProcessOptions, Transport } from './transport.ts'

/** Far above any known server; the largest known list has 353 tools. */
const listLimits = { pages: 1000, tools: 10_000, bytes: 64 * 1024 * 1024 }

const firstPauseMs = 1000
const maxPauseMs = 30_000

/** Time for a server to exit after its input is closed, and again after SIGTERM. */
const graceMs = 2000
/** The same for a server that was never ready. */
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
  const { maxMessageBytes, onNoise, onToolsChanged, onLost, onInstalling, installMs } = options
  const quote = createQuote(address)
  let isReady = false
  const conversation = new Conversation({
    maxMessageBytes,
    quote,
    onNoise: (text) => onNoise?.(text),
    onToolsChanged: () => isReady && onToolsChanged?.(),
    onLost: (failure) => isReady && onLost?.(failure),
  })
  const transport = await openTransport(
    address,
    { maxMessageBytes, quote, listener: conversation, onInstalling, installMs },
    signal,
  )
  conversation.transport = transport
  try {
    const agreement = await negotiate(conversation, { ...options, mayBeSilent: address.kind === 'stdio' }, signal)
    isReady = true
    return createClient(conversation, agreement, address.kind === 'http')
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

function createClient(
  conversation: Conversation,
  { revision, isModern, serverInfo, capabilities, instructions }: Agreement,
  isHttp: boolean,
): UpstreamClient {
  const { transport } = conversation
  const onNoise = (text: string) => conversation.onNoise(text)
  const closing = new AbortController()
  /** The headers that each tool requires. Only modern revisions over HTTP have them. */
  const wanted = new Map<string, readonly ParamHeader[]>()
  const mirrors = isModern && isHttp
  let closed: Promise<void> | undefined

  async function list(signal?: AbortSignal): Promise<readonly JsonObject[]> {
    const ask = (cursor: string | undefined) => {
      const fields = cursor === undefined ? '' : `"cursor":${JSON.stringify(cursor)}`
      return conversation.request('tools/list', fields, { signal })
    }
    const tools = await listTools({ ask, onNoise }).catch((failure: UpstreamFailure) => {
      if (failure.code === errorCodes.method && capabilities.tools === undefined) return []
      throw failure
    })
    return mirrors ? tools.filter(takeHeaders) : tools
  }

  /** MCP forbids the use of tools with invalid headers. */
  function takeHeaders({ name, inputSchema }: JsonObject): boolean {
    const headers = findParamHeaders(inputSchema)
    if (typeof headers === 'string')
      onNoise(`The tool ${conversation.quote(String(name), 200)} is left out. ${headers}`)
    else if (typeof name === 'string') wanted.set(name, headers)
    return typeof headers !== 'string'
  }

  function call(name: string, input: JsonObject, { signal, onProgress }: UpstreamCallOptions): Promise<JsonValue> {
    const fields = `"name":${JSON.stringify(name)},"arguments":${JSON.stringify(input)}`
    const headers = mirrors ? toParamHeaders(wanted.get(name) ?? [], input) : undefined
    const answer = conversation.request('tools/call', fields, { signal, onProgress, name, headers })
    return isModern ? answer.then((result) => checkResultType(result, conversation)) : answer
  }

  const tools = capabilities.tools
  if (isObject(tools) && tools.listChanged === true) {
    if (isModern) keepListening(conversation, closing.signal)
    else transport.listen()
  }

  return {
    revision,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
    listTools: list,
    callTool: call,
    async ping(signal) {
      await conversation.request(isModern ? 'server/discover' : 'ping', '', { signal })
    },
    close() {
      closing.abort()
      conversation.end(new UpstreamFailure('unavailable', 'The connection to the server was closed.'))
      closed ??= transport.close(graceMs)
      return closed
    },
  }
}

function checkResultType(result: JsonValue, conversation: Conversation): JsonValue {
  const type = isObject(result) ? result.resultType : undefined
  if (type === undefined || type === 'complete') return result
  if (type === 'input_required') {
    const message = 'The tool requests further input, which this host does not support. Call another tool.'
    throw new UpstreamFailure('refused', message)
  }
  const plain = 'The server answered with an unknown type of result.'
  const said = conversation.quote(typeof type === 'string' ? type : JSON.stringify(type), 100)
  throw new UpstreamFailure('protocol', `${plain} Its type is ${said}.`, { plain })
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

/**
 * Subscribes to changes of the tools (2026-07-28), and again with backoff whenever the subscription ends. Stops if the
 * server refuses. Never rejects.
 */
async function keepListening(conversation: Conversation, signal: AbortSignal): Promise<void> {
  let pauseMs = firstPauseMs
  for (let round = 0; !signal.aborted && !conversation.isOver; round++) {
    const begin = performance.now()
    const listening = conversation.request('subscriptions/listen', '"notifications":{"toolsListChanged":true}', {
      signal,
      isStanding: true,
    })
    if (round > 0) conversation.onGap()
    try {
      await listening
    } catch (failure) {
      if (failure instanceof UpstreamFailure && failure.kind === 'refused') return
    }
    // Resets the backoff after a subscription that lasted.
    if (performance.now() - begin > maxPauseMs) pauseMs = firstPauseMs
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    pauseMs = Math.min(pauseMs * 2, maxPauseMs)
  }
}

interface ListOptions {
  /** Requests one page of `tools/list`. */
  readonly ask: (cursor: string | undefined) => Promise<JsonValue>
  readonly onNoise: (text: string) => void
}

/** All pages of definitions, as received. Rejects with an `UpstreamFailure`. */
async function listTools({ ask, onNoise }: ListOptions): Promise<JsonObject[]> {
  const tools: JsonObject[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let bytes = 0
  for (let page = 0; page < listLimits.pages; page++) {
    const result = await ask(cursor)
    if (!isObject(result) || !Array.isArray(result.tools)) throw fail('The result of tools/list has no list of tools.')
    const found = result.tools.filter(isObject)
    if (found.length < result.tools.length) {
      onNoise(`${result.tools.length - found.length} entries of tools/list are not objects and were skipped.`)
    }
    tools.push(...found)
    bytes += Buffer.byteLength(JSON.stringify(result.tools))
    if (tools.length > listLimits.tools) throw fail(`The server lists more than ${listLimits.tools} tools.`)
    if (bytes > listLimits.bytes) throw fail(`The list of tools has more than ${listLimits.bytes} bytes.`)
    const next = result.nextCursor
    if (next === undefined || next === null) return tools
    if (typeof next !== 'string') throw fail('The cursor to the next page of tools/list is not a string.')
    if (seen.has(next)) throw fail('The list of tools never ends: a cursor was repeated.')
    seen.add(next)
    cursor = next
  }
  throw fail(`The list of tools has more than ${listLimits.pages} pages.`)
}

function fail(message: string): UpstreamFailure {
  return new UpstreamFailure('protocol', `${message} Report it to the author of the server.`)
}
