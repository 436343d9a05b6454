import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import { initialize, openMcpStdio } from './open-mcp.ts'
import { makeFolder } from './open-test-pipeline.ts'
import { entries } from './run-command.ts'

/** What a server of test/upstream-servers/offering.ts offers. */
export interface Offered {
  readonly tools?: readonly JsonObject[]
  readonly prompts?: readonly JsonObject[]
  readonly resources?: readonly JsonObject[]
  readonly contents?: { readonly [uri: string]: JsonObject }
}

/** The config entry of such a server. `offer` changes what it offers. */
export function makeOffering(name: string, offered: Offered, entry: UpstreamEntry = {}) {
  const file = join(makeFolder(), `${name}.json`)
  const offer = (next: Offered) => writeFileSync(file, JSON.stringify({ name, ...next }))
  offer(offered)
  return {
    entry: {
      command: process.execPath,
      args: [entries.offering, file],
      approval: 'never',
      withoutOutputSchema: 'opaque',
      ...entry,
    } satisfies UpstreamEntry,
    offer,
    /** The capabilities that Toolpact has declared to it. */
    readClient: () => JSON.parse(readFileSync(`${file}.client`, 'utf8')),
  }
}

/** Toolpact with these servers, and an MCP client over stdio. */
export async function openOffering(
  mcpServers: { readonly [name: string]: UpstreamEntry },
  {
    capabilities = {},
    config = {},
    catalogue = 'all',
    ...options
  }: ToolpactOptions & {
    readonly capabilities?: JsonObject
    readonly config?: object
    readonly catalogue?: 'all' | 'search'
  } = {},
) {
  const toolpact = await openToolpact({
    toolsets: Object.keys(mcpServers),
    storage: 'memory',
    config: { ...config, mcpServers } as never,
    ...options,
  })
  onTestFinished(() => toolpact.close())
  await toolpact.upstreams.statuses()
  const mcp = await openMcpStdio({ toolpact, catalogue: () => catalogue })
  mcp.send(initialize('2025-11-25', capabilities))
  const { result: initialized } = await mcp.next()
  let id = 0

  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  async function ask(method: string, params: JsonObject = {}): Promise<any> {
    const own = ++id
    mcp.send({ jsonrpc: '2.0', id: own, method, params })
    for (;;) {
      const message = await mcp.next()
      if (message.id === own) return message.result ?? message.error
    }
  }
  /** The answer of the server as an object, or the error. */
  async function call(name: string, input: JsonObject = {}) {
    const { content, isError, message } = await ask('tools/call', { name, arguments: input })
    if (content === undefined || isError) return { error: (message ?? content[0].text) as string }
    return JSON.parse(content[0].text)
  }
  return { toolpact, initialized, ask, call }
}
