import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What both SDKs' clients do here. */
export interface ToolClient {
  readonly revision: string | undefined
  listTools(
    cursor?: string,
  ): Promise<{ readonly tools: readonly { readonly name: string }[]; readonly nextCursor?: string }>
  callTool(name: string, input: Record<string, unknown>): Promise<ToolAnswer>
  listPrompts(): Promise<readonly string[]>
  getPrompt(name: string, input: Record<string, string>): Promise<readonly unknown[]>
  listResources(): Promise<readonly string[]>
  listTemplates(): Promise<readonly string[]>
  readResource(uri: string): Promise<readonly unknown[]>
  close(): Promise<void>
}

interface ToolAnswer {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
  readonly _meta?: Record<string, unknown>
}

/** Where a server is: a process to start, or an address. */
export type Place =
  | { readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv; readonly cwd: string }
  | { readonly url: string; readonly token: string }

/** Connects the official client of an SDK, which checks all that it is answered. */
export async function openClient(sdk: 'v1' | 'v2', place: Place): Promise<ToolClient> {
  return sdk === 'v1' ? openLegacyClient(place) : openModernClient(place)
}

const info = { name: 'toolpact-test', version: '1.0.0' }

async function openLegacyClient(place: Place): Promise<ToolClient> {
  const client = new LegacyClient(info)
  const transport =
    'url' in place ? new LegacyHttp(new URL(place.url), toHttpOptions(place)) : new LegacyStdio(toProcess(place))
  await client.connect(transport as Transport)
  return {
    revision: 'url' in place ? (transport as LegacyHttp).protocolVersion : undefined,
    listTools: async (cursor) => toPage(await client.listTools({ ...(cursor !== undefined && { cursor }) })),
    callTool: (name, input) => client.callTool({ name, arguments: input }),
    ...toOffers(client),
    close: async () => {
      if ('url' in place) await (transport as LegacyHttp).terminateSession()
      await client.close()
    },
  }
}

async function openModernClient(place: Place): Promise<ToolClient> {
  const client = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(
    'url' in place ? new ModernHttp(new URL(place.url), toHttpOptions(place)) : new ModernStdio(toProcess(place)),
  )
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async (cursor) => toPage(await client.listTools({ ...(cursor !== undefined && { cursor }) })),
    callTool: (name, input) => client.callTool({ name, arguments: input }) as Promise<ToolAnswer>,
    ...toOffers(client),
    close: () => client.close(),
  }
}

type Offers = Pick<ToolClient, 'listPrompts' | 'getPrompt' | 'listResources' | 'listTemplates' | 'readResource'>

function toOffers(client: LegacyClient | ModernClient): Offers {
  const sdk = client as LegacyClient
  return {
    listPrompts: async () => (await sdk.listPrompts()).prompts.map(({ name }) => name),
    getPrompt: async (name, input) => (await sdk.getPrompt({ name, arguments: input })).messages,
    listResources: async () => (await sdk.listResources()).resources.map(({ uri }) => uri),
    listTemplates: async () =>
      (await sdk.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    readResource: async (uri) => (await sdk.readResource({ uri })).contents,
  }
}

function toHttpOptions({ token }: { readonly token: string }) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } }
}

function toProcess({ args, env, cwd }: Exclude<Place, { url: string }>) {
  const environment = env as Record<string, string>
  return { command: process.execPath, args: [...args], env: environment, cwd, stderr: 'ignore' as const }
}

function toPage({ tools, nextCursor }: { tools: { name: string }[]; nextCursor?: string | undefined }) {
  return { tools, ...(nextCursor !== undefined && { nextCursor }) }
}
