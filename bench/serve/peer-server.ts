/**
 * A server with the tool `hello` (or COUNT tools) and no checks: `node peer-server.ts KIND TRANSPORT FOLDER`.
 * KIND is `bare` (no SDK), `v1` or `v2` (the official SDK installed in FOLDER).
 * Over HTTP it prints its address first; PORT sets the port.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { importFrom } from '../peer.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown
type Kind = 'bare' | 'v1' | 'v2'

const [kind, transport, folder = ''] = process.argv.slice(2) as [Kind, 'http' | 'stdio', string?]
const info = { name: 'bench', version: '1.0.0' }
const capabilities = { tools: {} }
const { COUNT } = process.env
const names = COUNT ? Array.from({ length: Number(COUNT) }, (_, index) => `hello_${index}`) : ['hello']
const toSchema = (key: string) => ({ type: 'object', properties: { [key]: { type: 'string' } }, required: [key] })
const definition = {
  description: 'Greets somebody.',
  inputSchema: toSchema('name'),
  outputSchema: toSchema('greeting'),
  annotations: { readOnlyHint: true },
}
const servers = { bare: serveBare, v1: serveV1, v2: serveV2 }
// Exit normally, so that a requested profile is written.
process.on('SIGTERM', () => process.exit())
await servers[kind]()

function serveBare() {
  const answer = ({ id, method, params }: Request) => ({ jsonrpc: '2.0', id, result: toResult(method, params) })
  if (transport === 'stdio') {
    createInterface({ input: process.stdin }).on('line', (line) => {
      const request: Request = JSON.parse(line)
      if (request.id !== undefined) process.stdout.write(`${JSON.stringify(answer(request))}\n`)
    })
    return
  }
  listen((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text) => {
      body += text
    })
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer(JSON.parse(body))))
    })
  })
}

async function serveV1() {
  const { Server } = await importFrom<V1Server>(folder, '@modelcontextprotocol/sdk/server')
  const types = await importFrom<V1Types>(folder, '@modelcontextprotocol/sdk/types.js')
  const create = () => {
    const server = new Server(info, { capabilities })
    server.setRequestHandler(types.ListToolsRequestSchema, () => toResult('tools/list'))
    server.setRequestHandler(types.CallToolRequestSchema, ({ params }) => toResult('tools/call', params))
    return server
  }
  if (transport === 'stdio') {
    const { StdioServerTransport } = await importFrom<V1Stdio>(folder, '@modelcontextprotocol/sdk/server/stdio.js')
    return create().connect(new StdioServerTransport())
  }
  const { StreamableHTTPServerTransport: Transport } = await importFrom<V1Http>(
    folder,
    '@modelcontextprotocol/sdk/server/streamableHttp.js',
  )
  const sessions = new Map<string, { handleRequest: Handle }>()
  listen(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']))
    if (known) return known.handleRequest(request, response)
    const opened: { handleRequest: Handle } = new Transport({
      sessionIdGenerator: randomUUID,
      // The faster of its two response modes.
      enableJsonResponse: true,
      onsessioninitialized: (id) => sessions.set(id, opened),
    })
    await create().connect(opened)
    return opened.handleRequest(request, response)
  })
}

async function serveV2() {
  const { Server, createMcpHandler } = await importFrom<V2Server>(folder, '@modelcontextprotocol/server')
  const create = () => {
    const server = new Server(info, { capabilities })
    server.setRequestHandler('tools/list', () => toResult('tools/list'))
    server.setRequestHandler('tools/call', ({ params }) => toResult('tools/call', params))
    return server
  }
  if (transport === 'stdio') {
    const { serveStdio } = await importFrom<V2Stdio>(folder, '@modelcontextprotocol/server/stdio')
    return serveStdio(create)
  }
  const { toNodeHandler } = await importFrom<V2Node>(folder, '@modelcontextprotocol/node')
  listen(toNodeHandler(createMcpHandler(create)))
}

function listen(handle: Handle) {
  const server = createServer(handle)
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  })
}

function toResult(method: string, params?: Parameters) {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities, serverInfo: info }
  if (method === 'tools/list') return { tools: names.map((name) => ({ name, ...definition })) }
  const structuredContent = { greeting: `Hello, ${params?.arguments?.name}!` }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

// Minimal types of the SDKs, which are not installed here.
interface Parameters {
  readonly arguments?: { readonly name?: string }
}
interface Request {
  readonly id?: number
  readonly method: string
  readonly params: Parameters
}
interface Server<Method> {
  setRequestHandler(method: Method, handle: (request: { params: Parameters }) => unknown): void
  connect(transport: unknown): Promise<void>
}
type ServerClass<Method> = new (about: typeof info, options: { capabilities: typeof capabilities }) => Server<Method>
type V1Server = { Server: ServerClass<object> }
type V1Types = { ListToolsRequestSchema: object; CallToolRequestSchema: object }
type V1Stdio = { StdioServerTransport: new () => unknown }
type V1Http = {
  StreamableHTTPServerTransport: new (options: {
    sessionIdGenerator: () => string
    enableJsonResponse: boolean
    onsessioninitialized: (id: string) => void
  }) => { handleRequest: Handle }
}
type V2Server = {
  Server: ServerClass<string>
  createMcpHandler: (create: () => unknown) => unknown
}
type V2Stdio = { serveStdio: (create: () => unknown) => unknown }
type V2Node = { toNodeHandler: (handler: unknown) => Handle }
