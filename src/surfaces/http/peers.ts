import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { clientHeader, toClientHeader } from './client-of.ts'

/**
 * Processes that serve the same port. A session lives in the process that began it, with its calls in flight and its streams;
 * the others pass its requests on. Ids of what lives in a process begin with its number.
 */
export interface Peers {
  /** Where this process takes what the others pass on. */
  readonly socket: string
  /** Makes an id that leads to this process. */
  toOwnId(id: string): string
  /** The process that an id leads to; undefined if that is this one, or there is no such process. */
  findOther(id: string): number | undefined
  /** Lets another process answer. `onGone` answers if it has ended. */
  passOn(to: number, exchange: PassedOn, onGone: () => void): void
  /** What all others answer to the same request, by their numbers. Those that cannot answer are left out. */
  askOthers(request: IncomingMessage): Promise<readonly (readonly [number: number, text: string])[]>
}

export interface PassedOn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer | undefined
}

interface PeersOptions {
  readonly own: number
  readonly count: number
  /** Only this user may enter it. */
  readonly folder: string
}

const askMs = 2000

export function createPeers({ own, count, folder }: PeersOptions): Peers {
  const toSocket = (number: number) => join(folder, `${number}.sock`)

  function open(to: number, request: IncomingMessage) {
    const { method, url: path } = request
    // Without reuse: an idle connection may be closed at the moment it is used again.
    const headers = { ...withoutHops(request.headers), [clientHeader]: toClientHeader(request), connection: 'close' }
    return send({ socketPath: toSocket(to), method, path, headers })
  }

  async function ask(to: number, request: IncomingMessage): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const asked = open(to, request).on('response', resolve).on('error', reject).setTimeout(askMs, () => asked.destroy()) // biome-ignore format: one line
    asked.end()
    try {
      const answer = await promise
      const found = await text(answer)
      return answer.statusCode === 200 ? found : undefined
    } catch {
      return undefined
    }
  }

  return {
    socket: toSocket(own),
    toOwnId: (id) => `${own}.${id}`,
    findOther(id) {
      const number = Number(/^(?:call-)?(\d{1,3})\./.exec(id)?.[1])
      return number >= 1 && number <= count && number !== own ? number : undefined
    },
    passOn(to, { request, response, body }, onGone) {
      const passed = open(to, request)
      response.once('close', () => passed.destroy())
      passed.on('response', (answer) => {
        // Clients that keep their connection would pay for the detour with every request. The next one may lead there directly.
        response.writeHead(answer.statusCode!, { ...withoutHops(answer.headers), connection: 'close' })
        response.flushHeaders()
        answer.on('error', () => response.destroy()).pipe(response)
      })
      passed.on('error', () => {
        if (response.headersSent) response.destroy()
        else if (!response.destroyed) onGone()
      })
      passed.end(body)
    },
    async askOthers(request) {
      const others = Array.from({ length: count }, (_, index) => index + 1).filter((number) => number !== own)
      const answers = await Promise.all(others.map(async (number) => [number, await ask(number, request)] as const))
      return answers.flatMap(([number, answer]) => (answer === undefined ? [] : [[number, answer] as const]))
    },
  }
}

/** Header fields that are about one connection. The body is passed on whole, with its length. */
function withoutHops({
  connection,
  'keep-alive': keepAlive,
  'transfer-encoding': encoding,
  expect,
  ...rest
}: IncomingHttpHeaders) {
  return rest
}
