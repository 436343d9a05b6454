/** A server made with the official SDK. Run as a process it speaks over stdio. */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export function createSdkServer(): Server {
  const server = new Server({ name: 'sdk', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } })
  const names = ['echo', 'progress', 'change', 'hang', 'fail']
  const ended: string[] = []
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const }, _meta: { z: 1, a: [2] } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    if (params.name === 'progress') {
      const progressToken = params._meta?.progressToken
      for (const progress of [1, 2]) {
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken: progressToken!, progress },
        })
        await sleep(20)
      }
    }
    if (params.name === 'change') {
      names.push('added')
      await server.sendToolListChanged()
    }
    if (params.name === 'hang') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended.push('hang')
    }
    if (params.name === 'fail') throw new Error('This one always fails')
    return { content: [{ type: 'text', text: 'done' }], structuredContent: { input: params.arguments, ended } }
  })
  return server
}

/** Streamable HTTP with sessions. */
export function createSessions(): { readonly listener: RequestListener; forget(): void; readonly size: number } {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return {
    async listener(request, response) {
      const known = sessions.get(String(request.headers['mcp-session-id']))
      if (known) return known.handleRequest(request, response)
      if (request.headers['mcp-session-id']) return void response.writeHead(404).end('Session not found')
      const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      await createSdkServer().connect(transport as Transport)
      await transport.handleRequest(request, response)
    },
    forget: () => sessions.clear(),
    get size() {
      return sessions.size
    },
  }
}

/** Streamable HTTP without sessions, answered with JSON. */
export function createStateless(): RequestListener {
  return async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    const server = createSdkServer()
    response.on('close', () => server.close())
    await server.connect(transport as Transport)
    await transport.handleRequest(request, response)
  }
}

/** The transport of 2024-11-05. */
export function createLegacySse(): RequestListener {
  const transports = new Map<string, SSEServerTransport>()
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://host')
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response)
      transports.set(transport.sessionId, transport)
      return createSdkServer().connect(transport)
    }
    const transport = request.method === 'POST' && transports.get(searchParams.get('sessionId') ?? '')
    if (transport) return transport.handlePostMessage(request, response)
    response.writeHead(pathname === '/sse' ? 405 : 404).end()
  }
}

if (import.meta.main) await createSdkServer().connect(new StdioServerTransport())
