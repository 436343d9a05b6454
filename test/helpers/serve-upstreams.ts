import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src/contract/json.ts'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import type { SendOptions } from './open-http.ts'
import { modernMeta } from './open-mcp.ts'
import type { useServeFolders } from './open-serve.ts'

/** `toolpact serve` with MCP servers behind it, and an MCP client in front of it. */
export async function serveUpstreams(
  { folder, start }: ReturnType<ReturnType<typeof useServeFolders>>,
  mcpServers: { readonly [name: string]: UpstreamEntry },
  flags: readonly string[] = [],
) {
  const config = join(folder, 'toolpact.json')
  writeFileSync(config, JSON.stringify({ mcpServers, toolsets: Object.keys(mcpServers) }))
  const server = await start(['--config', config, ...flags])

  function ask(method: string, params: JsonObject, { headers, ...options }: SendOptions = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta(), ...params } })
    const ours = {
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof params.name === 'string' && { 'Mcp-Name': params.name }),
    }
    return server.send('/mcp', { body, headers: { ...ours, ...headers }, ...options })
  }

  return {
    ...server,
    ask,
    /** The result of a call with all notifications. */
    async call(name: string, input: JsonObject = { text: 'hi' }) {
      const { json, text } = await ask('tools/call', { name, arguments: input })
      return {
        output: json.result?.structuredContent,
        content: json.result?.content,
        error: json.result?._meta?.['toolpact/error'] ?? json.error,
        text,
      }
    },
    async list() {
      const { json, text } = await ask('tools/list', {})
      return { names: json.result.tools.map((tool: { name: string }) => tool.name) as string[], text }
    },
  }
}
