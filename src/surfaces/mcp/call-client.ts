import type { CallClient, ClientRequest } from '../../contract/call-client.ts'
import { isObject, type JsonObject } from '../../contract/json.ts'
import type { Exchange } from './connection.ts'
import { canElicit, canOpenPages } from './elicitation.ts'
import type { Client } from './server.ts'

/** How long a person may take to answer. */
export const maxAnswerMs = 600_000

/** Whether the client declares that it can answer such a request. */
export function supportsRequest(client: Client, { method, params }: ClientRequest): boolean {
  const { sampling, roots } = client.capabilities
  if (method === 'elicitation/create') return params.mode === 'url' ? canOpenPages(client) : canElicit(client)
  return isObject(method === 'roots/list' ? roots : sampling)
}

/** What a running tool may ask of a client before 2026-07-28: requests on the connection. Undefined if none can be sent. */
export function toLegacyClient(exchange: Exchange, client: Client): CallClient | undefined {
  const { connection } = exchange
  if (!connection || !exchange.canSend) return undefined

  async function ask(request: ClientRequest, signal: AbortSignal): Promise<JsonObject> {
    if (!supportsRequest(client, request)) throw new Error(`The client does not support ${request.method}.`)
    const result = await connection!.ask(exchange, request, signal)
    if (isObject(result)) return result
    throw new Error(`The client did not answer ${request.method}.`)
  }

  return {
    supports: (request) => supportsRequest(client, request),
    async ask(requests, signal) {
      const until = AbortSignal.any([
        AbortSignal.timeout(maxAnswerMs),
        exchange.controller.signal,
        ...(signal ? [signal] : []),
      ])
      const entries = Object.entries(requests)
      const answers = await Promise.all(
        entries.map(async ([key, request]) => [key, await ask(request, until)] as const),
      )
      return Object.fromEntries(answers)
    },
  }
}
