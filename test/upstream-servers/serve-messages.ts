import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from '../helpers/local-servers.ts'

interface Message {
  readonly id?: number
  readonly method: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client sends
  readonly params: any
}

interface Exchange {
  readonly message: Message
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Answers with JSON. */
  readonly answer: (result: unknown, headers?: { readonly [name: string]: string }) => void
}

export type Handlers = { readonly [method: string]: (exchange: Exchange) => void }

/** An MCP server over HTTP of which each answer can be another. GET and DELETE are handled under these names. */
export async function serveMessages(handlers: Handlers): Promise<string> {
  const all: Handlers = { ...polite, ...handlers }
  const host = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const message: Message = body === '' ? { method: request.method!, params: {} } : JSON.parse(body)
    const answer: Exchange['answer'] = (result, headers) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    }
    const handler = all[message.method] ?? (message.id === undefined ? accept : refuse)
    handler({ message, request, response, answer })
  })
  return `http://${host}/mcp`
}

const polite: Handlers = {
  initialize: ({ answer }) =>
    answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }),
  ping: ({ answer }) => answer({}),
  GET: ({ response }) => response.writeHead(405).end(),
}

function accept({ response }: Exchange) {
  response.writeHead(202).end()
}

function refuse({ message, response }: Exchange) {
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }))
}
