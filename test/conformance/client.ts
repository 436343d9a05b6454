/**
 * A client for the client scenarios of the conformance suite: it connects, lists the tools and calls each that is
 * listed. Where the server requires it, it logs in, as a person would with `toolpact connections add`. Run as a process by the
 * suite: `node client.ts URL`, with the scenario and the revision in the environment.
 */
import { randomBytes } from 'node:crypto'
import { openServerLogins } from '../../src/app/connections/open-server-logins.ts'
import type { CallClient } from '../../src/contract/call-client.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { type UpstreamClient, UpstreamFailure } from '../../src/host/connect/client.ts'
import { openClient } from '../../src/host/connect/open-client.ts'
import { CallPeer } from '../../src/host/peer/call-peer.ts'
import { parseChallenge } from '../../src/identity/oauth/challenge.ts'
import { createVault } from '../../src/identity/vault/vault.ts'
import { openMemoryConnections } from '../../src/runtime/storage/memory/connections.ts'

const url = process.argv.at(-1)!
const { MCP_CONFORMANCE_PROTOCOL_VERSION: protocol, MCP_CONFORMANCE_CONTEXT: context } = process.env
// What a scenario wants to be called, where it matters.
const wanted: { name: string; arguments: JsonObject }[] = JSON.parse(context ?? '{}').toolCalls ?? []

process.on('uncaughtException', ({ message }) => {
  console.error(message)
  process.exit(1)
})

const { logins, authorizerOf } = openLogins()
let isLoggedIn = false
let client: UpstreamClient | undefined
client = await withLogin(connect)
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
const peer = new CallPeer({ server: 'suite', quote: String, caller: { name: 'user' }, client: user })
const { entries: tools } = await withLogin(() => client!.list('tools'))
const calls = wanted.length > 0 ? wanted : tools.map((tool) => ({ name: String(tool.name), arguments: toInput(tool) }))
for (const { name, arguments: input } of calls) {
  await withLogin(() => client!.callTool(name, input, { signal: AbortSignal.timeout(20_000), peer })).catch((failure) =>
    console.error(failure.message),
  )
}
await client!.close()

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

function connect(): Promise<UpstreamClient> {
  return openClient(
    { kind: 'http', url, headers: {} },
    {
      info: { name: 'toolpact', version: '1.0.0' },
      startMs: 60_000,
      maxMessageBytes: 1_000_000,
      capabilities: { elicitation: { form: {}, url: {} } },
      onNoise: (text) => console.error(text),
      ...(isLoggedIn && { authorizer: authorizerOf('suite', 'user', 'local') }),
      ...(protocol === '2026-07-28' && { protocol }),
    },
  )
}

/** Logs in and tries again if the server requires it, or requires more rights; at most twice. */
async function withLogin<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let logIns = 0; ; logIns++) {
    try {
      return await work()
    } catch (failure) {
      const { status, challenge, isUnconnected, scope } = failure as UpstreamFailure
      const isMissing =
        status === 401 || isUnconnected || (status === 403 && parseChallenge(challenge)?.error === 'insufficient_scope')
      if (!(failure instanceof UpstreamFailure) || !isMissing || logIns === 2) throw failure
      await logIn(scope ?? parseChallenge(challenge)?.scope)
      if (client) client = await connect()
    }
  }
}

async function logIn(scope: string | undefined) {
  const login = await logins.begin('suite', { redirectUri: 'http://127.0.0.1:7421/callback', scope })
  const answer = await fetch(login.url, { redirect: 'manual' })
  await login.finish(new URL(answer.headers.get('location')!).searchParams)
  isLoggedIn = true
}

function openLogins() {
  const { client_id: given, client_secret: clientSecret } = JSON.parse(context ?? '{}')
  const isPublished = process.env.MCP_CONFORMANCE_SCENARIO === 'auth/basic-cimd'
  const clientId = isPublished ? 'https://conformance-test.local/client-metadata.json' : given
  const authorization = { ...(clientId && { clientId }), ...(clientSecret && { clientSecret }) }
  const key = Uint8Array.from(randomBytes(32))
  return openServerLogins({
    store: openMemoryConnections(),
    tenant: undefined,
    vault: async () => createVault([key]),
    config: () => ({ mcpServers: { suite: { url, authorization } } }) as never,
    folder: '.',
    rotateKey: (reencrypt) => reencrypt(),
    links: { make: async () => '', read: async () => undefined },
    findConsole: async () => undefined,
    onConnected() {},
  })
}
