import type { JsonObject, JsonValue } from '../../src/contract/json.ts'

/** A tool as a client offers it to its model. Codex groups the tools of a server under a namespace. */
export interface OfferedTool {
  readonly name: string
  readonly namespace?: string
}

/** What the model answers: text, or one call of an offered tool. */
export type ModelTurn = { readonly text: string } | { readonly tool: OfferedTool; readonly input: JsonObject }

type Events = readonly { readonly event?: string; readonly data: JsonObject | '[DONE]' }[]

/** One of the protocols in which clients speak to models. */
export interface ModelApi {
  readonly name: 'chat' | 'responses' | 'messages' | 'gemini'
  readonly path: RegExp
  /** The tool names that the provider accepts; requests with any other name are refused, as the provider does. */
  readonly toolName: RegExp
  readTools(body: JsonObject): OfferedTool[]
  /** The results of earlier calls, as the model would read them. */
  readResults(body: JsonObject): JsonValue[]
  isStreaming(body: JsonObject, path: string): boolean
  toAnswer(turn: ModelTurn, id: string): JsonObject
  toEvents(turn: ModelTurn, id: string): Events
}

const asObjects = (value: JsonValue | undefined) => (Array.isArray(value) ? (value as JsonObject[]) : [])

const chat: ModelApi = {
  name: 'chat',
  path: /\/chat\/completions$/,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  readTools: ({ tools }) => asObjects(tools).map((tool) => ({ name: String((tool.function as JsonObject)?.name) })),
  readResults: ({ messages }) =>
    asObjects(messages)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content ?? null),
  isStreaming: ({ stream }) => stream === true,
  toAnswer: (turn, id) => ({
    ...chatBase(id, 'chat.completion'),
    choices: [{ index: 0, message: toChatMessage(turn, id), finish_reason: toFinish(turn) }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  toEvents: (turn, id) => [
    {
      data: {
        ...chatBase(id, 'chat.completion.chunk'),
        choices: [{ index: 0, delta: toChatMessage(turn, id), finish_reason: null }],
      },
    },
    {
      data: {
        ...chatBase(id, 'chat.completion.chunk'),
        choices: [{ index: 0, delta: {}, finish_reason: toFinish(turn) }],
      },
    },
    { data: '[DONE]' },
  ],
}

const chatBase = (id: string, object: string) => ({ id: `chat_${id}`, object, created: 1, model: 'scripted' })

const toFinish = (turn: ModelTurn) => ('text' in turn ? 'stop' : 'tool_calls')

function toChatMessage(turn: ModelTurn, id: string): JsonObject {
  if ('text' in turn) return { role: 'assistant', content: turn.text }
  const call = { name: turn.tool.name, arguments: JSON.stringify(turn.input) }
  return { role: 'assistant', content: null, tool_calls: [{ index: 0, id, type: 'function', function: call }] }
}

const responses: ModelApi = {
  name: 'responses',
  path: /\/responses$/,
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  readTools: ({ tools }) =>
    asObjects(tools).flatMap((tool) =>
      tool.type === 'namespace'
        ? asObjects(tool.tools).map(({ name }) => ({ name: String(name), namespace: String(tool.name) }))
        : [{ name: String(tool.name ?? tool.type) }],
    ),
  readResults: ({ input }) =>
    asObjects(input)
      .filter(({ type }) => String(type).endsWith('_output'))
      .map(({ output }) => output ?? null),
  isStreaming: ({ stream }) => stream === true,
  toAnswer: (turn, id) => toResponse(turn, id, 'completed'),
  toEvents(turn, id) {
    const item = toResponseItem(turn, id)
    return [
      toEvent('response.created', { response: { ...toResponse(turn, id, 'in_progress'), output: [] } }),
      toEvent('response.output_item.added', { output_index: 0, item }),
      toEvent('response.output_item.done', { output_index: 0, item }),
      toEvent('response.completed', { response: toResponse(turn, id, 'completed') }),
    ]
  },
}

function toEvent(type: string, more: JsonObject) {
  return { event: type, data: { type, ...more } }
}

function toResponse(turn: ModelTurn, id: string, status: string): JsonObject {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  const output = [toResponseItem(turn, id)]
  return { id: `response_${id}`, object: 'response', created_at: 1, status, model: 'scripted', output, usage }
}

function toResponseItem(turn: ModelTurn, id: string): JsonObject {
  const status = 'completed'
  if ('text' in turn) {
    const content = [{ type: 'output_text', text: turn.text, annotations: [] }]
    return { type: 'message', id: `message_${id}`, role: 'assistant', status, content }
  }
  const { name, namespace } = turn.tool
  const call = { name, ...(namespace !== undefined && { namespace }), arguments: JSON.stringify(turn.input) }
  return { type: 'function_call', id: `function_${id}`, call_id: id, status, ...call }
}

const messages: ModelApi = {
  name: 'messages',
  path: /\/messages$/,
  toolName: /^[a-zA-Z0-9_-]{1,128}$/,
  readTools: ({ tools }) => asObjects(tools).map(({ name, type }) => ({ name: String(name ?? type) })),
  readResults: (body) =>
    asObjects(body.messages)
      .flatMap(({ content }) => asObjects(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => content ?? null),
  isStreaming: ({ stream }) => stream === true,
  toAnswer: toMessage,
  toEvents(turn, id) {
    const { content, ...message } = toMessage(turn, id)
    const [block] = content as [JsonObject]
    const [empty, delta]: [JsonObject, JsonObject] =
      'text' in turn
        ? [
            { ...block, text: '' },
            { type: 'text_delta', text: turn.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) },
          ]
    return [
      toEvent('message_start', { message: { ...message, content: [], stop_reason: null } }),
      toEvent('content_block_start', { index: 0, content_block: empty }),
      toEvent('content_block_delta', { index: 0, delta }),
      toEvent('content_block_stop', { index: 0 }),
      toEvent('message_delta', { delta: { stop_reason: message.stop_reason! }, usage: { output_tokens: 1 } }),
      toEvent('message_stop', {}),
    ]
  },
}

function toMessage(turn: ModelTurn, id: string): JsonObject {
  const block: JsonObject =
    'text' in turn
      ? { type: 'text', text: turn.text }
      : { type: 'tool_use', id: `toolu_${id}`, name: turn.tool.name, input: turn.input }
  return {
    ...{ id: `message_${id}`, type: 'message', role: 'assistant', model: 'scripted', content: [block] },
    stop_reason: 'text' in turn ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
}

const gemini: ModelApi = {
  name: 'gemini',
  path: /:(stream)?[gG]enerateContent$/,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/,
  readTools: ({ tools }) =>
    asObjects(tools)
      .flatMap(({ functionDeclarations }) => asObjects(functionDeclarations))
      .map(({ name }) => ({ name: String(name) })),
  readResults: ({ contents }) =>
    asObjects(contents)
      .flatMap(({ parts }) => asObjects(parts))
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse }) => functionResponse!),
  isStreaming: (_, path) => path.includes(':streamGenerateContent'),
  toAnswer: toCandidate,
  toEvents: (turn) => [{ data: toCandidate(turn) }],
}

function toCandidate(turn: ModelTurn): JsonObject {
  const part: JsonObject =
    'text' in turn ? { text: turn.text } : { functionCall: { name: turn.tool.name, args: turn.input } }
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  }
}

export const modelApis: readonly ModelApi[] = [chat, responses, messages, gemini]
