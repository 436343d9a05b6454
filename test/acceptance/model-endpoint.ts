import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, JsonValue } from '../../src/contract/json.ts'
import { type ModelApi, type ModelTurn, modelApis, type OfferedTool } from './model-apis.ts'

/** One step of the script: call the offered tool whose name ends with this, or say something. */
export type Step = { readonly call: string; readonly input: JsonObject } | { readonly say: string }

export interface ModelRequest {
  readonly tools: readonly OfferedTool[]
  /** The results of the calls so far, as the model reads them. */
  readonly results: readonly JsonValue[]
  readonly body: JsonObject
}

export interface ModelEndpointOptions {
  /** Some clients hide the tools of MCP servers behind a tool that calls them by name: turns a step into that call. */
  readonly toTurn?: (step: Step, tools: readonly OfferedTool[]) => ModelTurn | undefined
}

/**
 * A model for clients: it speaks the protocols of OpenAI, Anthropic and Google, follows a script, and refuses tool names
 * that the real providers refuse. The step is the number of results that a request carries, so retries are harmless.
 */
export async function openModelEndpoint(script: readonly Step[], { toTurn = findTurn }: ModelEndpointOptions = {}) {
  const requests: ModelRequest[] = []

  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://model').pathname
    const api = modelApis.find((each) => each.path.test(path))
    if (!api) return sendJson(response, path.includes('models') ? 200 : 404, { object: 'list', data: [], models: [] })
    const body = await readBody(request)
    const tools = api.readTools(body)
    const refused = tools.find(({ name }) => !api.toolName.test(name))
    if (refused) {
      const message = `Invalid tool name '${refused.name}': it must match ${api.toolName}`
      return sendJson(response, 400, { error: { message, type: 'invalid_request_error' } })
    }
    const results = api.readResults(body)
    // Clients also ask for titles and summaries, without tools.
    if (tools.length > 0) requests.push({ tools, results, body })
    const step = script[Math.min(results.length, script.length - 1)]!
    const turn =
      tools.length === 0 ? { text: 'ok' } : (toTurn(step, tools) ?? { text: `No tool for ${JSON.stringify(step)}` })
    answer(response, { api, turn, isStreaming: api.isStreaming(body, path), id: `call_${requests.length}` })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** What the last request carried: every result of the run. */
    get last(): ModelRequest | undefined {
      return requests.toSorted((a, b) => a.results.length - b.results.length).at(-1)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Calls the tool where it is offered by itself. */
export function findTurn(step: Step, tools: readonly OfferedTool[]): ModelTurn | undefined {
  if ('say' in step) return { text: step.say }
  const tool = tools.find(({ name }) => fold(name).endsWith(fold(step.call)))
  return tool && { tool, input: step.input }
}

/** Codex replaces dashes too. */
const fold = (name: string) => name.replaceAll('-', '_')

interface Answering {
  readonly api: ModelApi
  readonly turn: ModelTurn
  readonly isStreaming: boolean
  readonly id: string
}

function answer(response: ServerResponse, { api, turn, isStreaming, id }: Answering) {
  if (!isStreaming) return sendJson(response, 200, api.toAnswer(turn, id))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { event, data } of api.toEvents(turn, id)) {
    if (event !== undefined) response.write(`event: ${event}\n`)
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
  }
  response.end()
}

function sendJson(response: ServerResponse, status: number, body: JsonObject) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
}
