import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, JsonValue } from '../src/contract/json.ts'

/** A request that a client sent. */
interface Received {
  readonly path: string
  readonly body: JsonObject
}

type Reply = (request: Received, turn: number) => JsonValue

/** A server in place of a model: it keeps what it was sent, and replies as it is told. */
export async function openStandInModel(reply: Reply) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const one = { path: request.url ?? '', body: JSON.parse(await readText(request)) }
    const text = JSON.stringify(reply(one, received.push(one)))
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    received,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
