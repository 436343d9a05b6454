import { onTestFinished } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import { initialize, modernMeta, openMcpStdio } from './open-mcp.ts'
import { entries } from './run-command.ts'

export interface Eras {
  readonly upstream: 'legacy' | 'modern'
  readonly client: 'legacy' | 'modern'
}

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
type Any = any

/** A client of Toolpact with the asking server behind it. `answer` answers what the client's user is asked. */
export async function openAsking(
  { upstream, client }: Eras,
  {
    capabilities = { elicitation: { form: {}, url: {} } },
    answer = () => ({}),
    entry = {} as Partial<UpstreamEntry>,
  } = {} as {
    capabilities?: JsonObject
    answer?: (request: { method: string; params: Any }) => JsonObject
    entry?: Partial<UpstreamEntry>
  },
) {
  const desk: UpstreamEntry = {
    command: process.execPath,
    args: [entries.asking, upstream],
    ...(upstream === 'modern' && { protocol: '2026-07-28' as const }),
    withoutOutputSchema: 'opaque',
    approval: 'never',
    ...entry,
  }
  const toolpact = await openToolpact({
    toolsets: ['desk'],
    storage: 'memory',
    config: { mcpServers: { desk } } as never,
  })
  onTestFinished(() => toolpact.close())
  const mcp = await openMcpStdio({ toolpact })
  const seen: Any[] = []
  const asked: Any[] = []
  let id = 0
  if (client === 'legacy') {
    mcp.send(initialize('2025-11-25', capabilities))
    seen.push(await mcp.next())
  }

  async function ask(method: string, params: JsonObject = {}): Promise<Any> {
    const own = ++id
    const meta = client === 'modern' ? modernMeta(capabilities) : {}
    mcp.send({
      jsonrpc: '2.0',
      id: own,
      method,
      params: { ...params, _meta: { ...meta, ...(params._meta as JsonObject) } },
    })
    for (;;) {
      const message = await mcp.next()
      if (message.method !== undefined && message.id !== undefined) {
        asked.push(message)
        mcp.send({ jsonrpc: '2.0', id: message.id, result: answer(message) })
      } else if (message.id !== own) seen.push(message)
      else if (message.result?.resultType !== 'input_required') return message.result ?? message.error
      else {
        const requests = Object.entries(message.result.inputRequests as { [key: string]: Any })
        asked.push(...requests.map(([, request]) => request))
        const inputResponses = Object.fromEntries(requests.map(([key, request]) => [key, answer(request)]))
        return ask(method, { ...params, inputResponses, requestState: message.result.requestState })
      }
    }
  }

  const call = async (name: string, _meta: JsonObject = {}) => {
    const { content, isError } = await ask('tools/call', { name, arguments: {}, _meta })
    return isError ? { error: content[0].text as string } : JSON.parse(content[0].text)
  }
  return { ask, call, asked, seen, toolpact, mcp }
}

export const eras: readonly Eras[] = [
  { upstream: 'legacy', client: 'legacy' },
  { upstream: 'legacy', client: 'modern' },
  { upstream: 'modern', client: 'legacy' },
  { upstream: 'modern', client: 'modern' },
]
