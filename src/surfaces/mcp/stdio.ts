import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginArrived } from '../../contract/arrived-together.ts'
import { Slots } from '../../contract/slots.ts'
import type { Caller } from '../../contract/tool.ts'
import { LineReader } from '../../protocol/line-reader.ts'
import { LineWriter } from '../../protocol/line-writer.ts'
import { type Invalid, type Message, maxMessageBytes, type Request, readMessages } from '../../protocol/message.ts'
import {
  errorCodes,
  limitReplies,
  listChanged,
  type Reply,
  toInvalidReply,
  toNotification,
} from '../../protocol/reply.ts'
import { batchRevision } from '../../protocol/revisions.ts'
import type { Served } from '../served.ts'
import { Connection, type Exchange } from './connection.ts'
import { createMcpServer, type McpOptions } from './server.ts'

export interface StdioOptions extends McpOptions {
  readonly input: Readable
  /** Receives only messages. It is not closed. */
  readonly output: Writable
  /** Stops serving, like the end of the input. */
  readonly signal?: AbortSignal
  /** After the input ends, how long calls in flight have to finish, and then the client to read. */
  readonly graceMs?: number
  readonly caller?: Caller
}

/** Serves one client, one message per line, until its input ends. */
export async function serveStdio(served: Served, options: StdioOptions): Promise<void> {
  const {
    input,
    output,
    signal,
    graceMs = 5000,
    caller = { name: 'stdio', session: randomUUID(), via: 'stdio' },
  } = options
  const server = createMcpServer(served, options)
  const connection = new Connection(caller)
  /** Lines on hold until the client has read earlier responses. */
  const held: Buffer[] = []
  let answering = 0
  let isFull = false
  const writer = new LineWriter(output, {
    pause() {
      isFull = true
      input.pause()
    },
    resume() {
      isFull = false
      proceed()
    },
  })
  connection.push = (text) => {
    if (writer.isCongested) return false
    writer.write(text)
    return true
  }
  const calls = new Slots<Promise<unknown>>()
  /** Other requests, such as a list that waits for a server. They need no cleanup. */
  const others = new Slots<Promise<unknown>>()
  server.changes.listen({
    session: connection,
    notify(kinds) {
      if (writer.isCongested) return false
      // Modern clients subscribe explicitly.
      const { client, lists } = connection
      if (client) for (const kind of kinds) if (lists.includes(kind)) writer.write(toNotification(listChanged[kind]))
      return true
    },
    end() {},
  })

  /** Backpressure: a chunk can hold a thousand requests with large responses, so they are handled as fast as the client reads. */
  function proceed() {
    while (held.length > 0 && !isBlocked()) take(readMessages(held.shift()!))
    if (isBlocked()) input.pause()
    else if (input.isPaused()) input.resume()
  }

  function isBlocked(): boolean {
    return isFull || answering >= maxAnswering
  }

  function take(message: Message | Message[]) {
    if (Array.isArray(message)) answerAll(message, () => answerBatch(message))
    else if (message.kind === 'request') answerAll([message], () => answerOne(message))
    else if (message.kind === 'invalid') writer.write(toInvalidReply(message).text)
    else connection.take(message)
  }

  function answerAll(messages: readonly Message[], answerThem: () => Promise<void>) {
    if (messages.some(isCall)) return track(calls, answerThem())
    if (messages.some(isListening)) return track(others, answerThem())
    answering++
    track(others, answerThem().then(afterAnswer))
  }

  function afterAnswer() {
    answering--
    // Deferred: the last write may show that the client is congested.
    if (input.isPaused()) setImmediate(proceed)
  }

  function track(pending: Slots<Promise<unknown>>, work: Promise<unknown>) {
    const slot = pending.add(work)
    work.then(() => pending.remove(slot))
  }

  async function answerOne(request: Request) {
    const reply = await answer(request)
    if (reply) writer.write(reply.text)
  }

  function answer(request: Request): Promise<Reply | undefined> {
    return server.answer(request, new StdioExchange(connection, writer))
  }

  async function answerBatch(messages: readonly Message[]) {
    if (connection.client?.revision !== batchRevision) return writer.write(toInvalidReply(noBatch).text)
    const replies = await Promise.all(
      messages.map((message) => {
        if (message.kind === 'request') return answer(message)
        if (message.kind === 'invalid') return toInvalidReply(message)
        connection.take(message)
        return undefined
      }),
    )
    const texts = limitReplies(replies, messages).map(({ text }) => text)
    if (texts.length > 0) writer.write(`[${texts.join(',')}]`)
  }

  const reader = new LineReader(maxMessageBytes, {
    onLine(line) {
      held.push(line)
      if (held.length === 1) proceed()
    },
    onTooLong: () => take(tooLong),
  })
  await readUntilEnd(input, reader, AbortSignal.any([writer.broken, ...(signal ? [signal] : [])]))
  connection.stopAsking()
  server.close()
  if (!writer.broken.aborted) {
    const answered = Promise.race([Promise.all(others), ...(signal ? [aborted(signal)] : [])])
    await within(graceMs, Promise.all([...calls, answered]))
  }
  await server.settle(writer.broken.aborted ? 0 : graceMs)
  connection.close()
  await Promise.all(calls)
  await within(graceMs, writer.finish())
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function within(ms: number, work: Promise<unknown>) {
  const stop = new AbortController()
  const time = sleep(ms, undefined, { signal: stop.signal }).catch(() => {})
  await Promise.race([work, time])
  stop.abort()
}

/** Concurrent requests other than calls. */
const maxAnswering = 16

const callMethods = ['tools/call', 'prompts/get', 'resources/read']

function isCall(message: Message): boolean {
  return message.kind === 'request' && callMethods.includes(message.method)
}

/** Its response may come only when the server, or a task, ends. */
function isListening(message: Message): boolean {
  return message.kind === 'request' && ['subscriptions/listen', 'tasks/result'].includes(message.method)
}

const noBatch: Invalid = {
  kind: 'invalid',
  code: errorCodes.request,
  message: `Only ${batchRevision} supports batches.`,
}

const tooLong: Invalid = {
  kind: 'invalid',
  code: errorCodes.request,
  message: `The message exceeds ${maxMessageBytes} bytes.`,
}

class StdioExchange implements Exchange {
  readonly controller = new AbortController()
  readonly canSend = true
  readonly connection: Connection
  readonly #writer: LineWriter

  constructor(connection: Connection, writer: LineWriter) {
    this.connection = connection
    this.#writer = writer
  }

  get caller(): Caller {
    return this.connection.caller
  }

  get isCongested(): boolean {
    return this.#writer.isCongested
  }

  send(text: string) {
    this.#writer.write(text)
  }
}

/** An input that fails has ended. */
function readUntilEnd(input: Readable, reader: LineReader, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const read = (chunk: Buffer | string) =>
      beginArrived(() => reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
    const stop = () => {
      input.off('data', read)
      input.pause()
      resolve()
    }
    const end = () => {
      reader.end()
      stop()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    input.on('data', read).once('end', end).once('error', end).once('close', end)
  })
}
