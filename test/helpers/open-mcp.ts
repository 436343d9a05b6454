import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { onTestFinished } from 'vitest'
import type { Toolpact } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { createMcpHttp, type McpHttpOptions } from '../../src/surfaces/mcp/http.ts'
import { type StdioOptions, serveStdio } from '../../src/surfaces/mcp/stdio.ts'
import type { Served } from '../../src/surfaces/served.ts'
import { mcpInfo, openMcpTools } from './mcp-toolset.ts'
import { readBody } from './read-body.ts'

export const quiet = { waitMs: 60_000, onWaiting: () => {} }

/** The `_meta` of a 2026-07-28 request. */
export function modernMeta(capabilities: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...more,
  }
}

export const initialize = (protocolVersion = '2025-11-25', capabilities: JsonObject = {}) => ({
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name: 'a test', version: '1' } },
})

/** Serves one client over in-memory streams. `next` returns the next message to the client. */
export async function openMcpStdio(options: Partial<StdioOptions> & { toolpact?: Toolpact; served?: Served } = {}) {
  const toolpact = options.toolpact ?? (await openMcpTools())
  const input = new PassThrough()
  const output = new PassThrough()
  const ended = serveStdio(options.served ?? toolpact, { info: mcpInfo, asking: quiet, input, output, ...options })
  const lines = readLines(output)
  onTestFinished(async () => {
    input.end()
    output.destroy()
    await ended
    if (!options.toolpact) await toolpact.close()
  })
  return {
    toolpact,
    input,
    output,
    ended,
    send: (...messages: unknown[]) => {
      for (const message of messages) input.write(`${JSON.stringify(message)}\n`)
    },
    // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
    next: async (): Promise<any> => JSON.parse((await lines.next()).value!),
  }
}

async function* readLines(output: PassThrough): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of output) {
    text += chunk
    const lines = text.split('\n')
    text = lines.pop()!
    yield* lines
  }
}

/** Serves over HTTP. The header `X-Caller` names the caller. */
export async function openMcpHttp(options: Partial<McpHttpOptions> & { served?: Served } = {}) {
  const toolpact = await openMcpTools()
  const mcp = createMcpHttp(options.served ?? toolpact, { info: mcpInfo, asking: quiet, ...options })
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    if (!body) return
    const caller = { name: String(request.headers['x-caller'] ?? 'tester') }
    await mcp.routes[0]!.handle(request, response, {
      caller,
      body: body.length > 0 ? body : undefined,
      params: {},
      stepUp: () => '',
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await mcp.close(0)
    await toolpact.close()
  })
  const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    })
  return {
    toolpact,
    mcp,
    url,
    post,
    /** Posts a 2026-07-28 request with its headers. */
    modern: (method: string, params: JsonObject = {}, headers: Record<string, string> = {}, signal?: AbortSignal) =>
      post(
        { jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta(), ...params } },
        {
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': method,
          ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
          ...headers,
        },
        signal,
      ),
    /** Starts a session and returns its headers. */
    async begin(protocolVersion = '2025-11-25', capabilities: JsonObject = {}, headers: Record<string, string> = {}) {
      const response = await post(initialize(protocolVersion, capabilities), headers)
      await response.text()
      return { ...headers, 'Mcp-Session-Id': response.headers.get('mcp-session-id')! }
    },
  }
}

/** Yields the messages of an event stream. */
// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
export async function* readEvents(response: Response): AsyncGenerator<any> {
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) if (data !== '') yield JSON.parse(data)
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
export const readJson = (response: Response): Promise<any> => response.json()
