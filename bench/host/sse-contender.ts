import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import {
  type Contender,
  check,
  type HttpAddress,
  hello,
  initialized,
  initializeParams,
  nextId,
  toMessage,
} from '../serve/contender.ts'
import { type HttpConnection, openHttp } from '../serve/http-client.ts'

/** A server with the HTTP+SSE transport of 2024-11-05: requests are posted, responses arrive on one event stream. */
export function toSseContender(name: string, child: ChildProcess, { url, tool = hello.name }: HttpAddress): Contender {
  let ready: Promise<Stream> | undefined
  return {
    name,
    child,
    async open(callers) {
      ready ??= openStream(url)
      const stream = await ready.catch((failure) => {
        ready = undefined
        throw failure
      })
      const connections = await Promise.all(Array.from({ length: callers }, () => openHttp(stream.endpoint, '')))
      const message = toMessage('2025-11-25', 'tools/call', { name: tool, arguments: hello.input })
      const call = (connection: HttpConnection) => async () => check(await stream.ask(connection, message))
      return {
        calls: connections.map(call),
        close: () => {
          for (const connection of connections) connection.close()
        },
      }
    },
  }
}

interface Stream {
  /** The URL for posting requests. */
  readonly endpoint: string
  ask(connection: HttpConnection, message: (id: number) => string): Promise<string>
}

async function openStream(url: string): Promise<Stream> {
  const { hostname, port, pathname, origin } = new URL(url)
  const socket = connect(Number(port), hostname)
  const waiting = new Map<number, (answer: string) => void>()
  const endpoint = await new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('error', reject).on('close', () => reject(new Error('The server closed the stream.')))
    socket.setEncoding('utf8').on('data', (more) => {
      const lines = (text + more).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        if (!line.startsWith('data:')) continue
        const id = Number(/"id":(\d+)/.exec(line)?.[1])
        waiting.get(id)?.(line)
        waiting.delete(id)
        if (!line.includes('{')) resolve(new URL(line.slice(5).trim(), origin).href)
      }
    })
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\n\r\n`)
  })

  async function ask(connection: HttpConnection, message: (id: number) => string) {
    const id = nextId()
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve))
    await connection.send(message(id))
    return answer
  }

  const first = await openHttp(endpoint, '')
  await ask(first, toMessage('2025-11-25', 'initialize', initializeParams))
  await first.send(initialized)
  first.close()
  return { endpoint, ask }
}
