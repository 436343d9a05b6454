/**
 * A client for the client scenarios of the conformance suite: it connects, lists the tools and calls each that is
 * listed. Run as a process by the suite: `node client.ts URL`, with the scenario and the revision in the environment.
 */
import type { CallClient } from '../../src/contract/call-client.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { openClient } from '../../src/host/connect/open-client.ts'
import { createPeer } from '../../src/host/peer/create-peer.ts'

const url = process.argv.at(-1)!
const { MCP_CONFORMANCE_PROTOCOL_VERSION: protocol, MCP_CONFORMANCE_CONTEXT: context } = process.env
// What a scenario wants to be called, where it matters.
const wanted: { name: string; arguments: JsonObject }[] = JSON.parse(context ?? '{}').toolCalls ?? []

process.on('uncaughtException', ({ message }) => {
  console.error(message)
  process.exit(1)
})

const client = await openClient(
  { kind: 'http', url, headers: {} },
  {
    info: { name: 'toolpact', version: '1.0.0' },
    startMs: 60_000,
    maxMessageBytes: 1_000_000,
    capabilities: { elicitation: { form: {}, url: {} } },
    onNoise: (text) => console.error(text),
    ...(protocol === '2026-07-28' && { protocol }),
  },
)
/** A user who accepts every question, and fills in only what is required and has no default. */
const user: CallClient = {
  supports: () => true,
  ask: async (requests) =>
    Object.fromEntries(
      Object.entries(requests).map(([key, { params }]) => {
        const { required = [], properties = {} } = (params.requestedSchema ?? {}) as {
          required?: string[]
          properties?: { [name: string]: JsonObject }
        }
        const open = required.filter((name) => properties[name]?.default === undefined)
        const content = Object.fromEntries(open.map((name) => [name, toValue(properties[name]?.type)]))
        return [key, { action: 'accept', content }]
      }),
    ),
}
const peer = createPeer({ server: 'suite', quote: String, caller: { name: 'user' }, client: user })
const { entries: tools } = await client.list('tools')
const calls = wanted.length > 0 ? wanted : tools.map((tool) => ({ name: String(tool.name), arguments: toInput(tool) }))
for (const { name, arguments: input } of calls) {
  await client
    .callTool(name, input, { signal: AbortSignal.timeout(20_000), peer })
    .catch((failure) => console.error(failure.message))
}
await client.close()

function toValue(type: unknown): boolean | number | string {
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? 7 : 'some text'
}

/** Some input that fits: a number for a number, and for a schema the one that another tool has. */
function toInput({ inputSchema }: JsonObject): JsonObject {
  const { properties = {} } = inputSchema as { properties?: { [name: string]: { type?: string } } }
  const focal = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => {
      if (type === 'number' || type === 'integer') return [name, 7]
      return [name, type === 'object' ? (focal?.inputSchema ?? {}) : 'some text']
    }),
  )
}
