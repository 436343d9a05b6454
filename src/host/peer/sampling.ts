import { type Contract, defaultLimits, operatorService } from '../../contract/contract.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { stripHidden } from '../../contract/text/hidden-characters.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Tool, ToolContext } from '../../contract/tool.ts'
import { PeerRefusal } from '../connect/client.ts'

/** Config settings: whose model answers, and how long answers may be. */
export interface SamplingSettings {
  readonly through: 'client' | 'model'
  readonly maxTokens?: number
  /** Default: ask. */
  readonly approval?: 'ask' | 'never'
}

/** The part of the operator's model that is used. */
interface SamplingModel {
  readonly model: {
    readonly name: string
    complete(
      request: { readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[]; readonly maxTokens: number }, // biome-ignore format: one line
      options: { readonly signal: AbortSignal },
    ): Promise<{ readonly text: string }>
  }
}

export const samplingName = 'sampling:create'
const defaultMaxTokens = 1000
const maxMessages = 100
const maxText = 65_536

const text = (description: string) => ({ type: 'string', description, maxLength: maxText }) as const

/**
 * Asks a model on behalf of a server, as a call of its own: a person approves exactly these messages unless the operator decides
 * otherwise, the rate is limited per caller, and the ledger records it. Clients cannot list it.
 */
export function createSamplingTool(server: string, { through, approval = 'ask' }: SamplingSettings): Tool {
  const contract: Contract = {
    name: samplingName,
    title: 'Ask a model',
    description: `Sends messages that the MCP server ${server} wrote to a model, and returns the answer to the server.`,
    version: '1.0.0',
    status: 'active',
    risk: 'dangerous',
    approval,
    input: {
      type: 'object',
      properties: {
        systemPrompt: text('What the model is told first, according to the server'),
        messages: {
          type: 'array',
          description: 'The messages, in order',
          minItems: 1,
          maxItems: maxMessages,
          items: {
            type: 'object',
            properties: {
              role: { enum: ['user', 'assistant'], description: 'Who says it' },
              text: text('What is said'),
            },
            required: ['role', 'text'],
            additionalProperties: false,
          },
        },
        maxTokens: { type: 'integer', description: 'Limit for the answer', minimum: 1 },
      },
      required: ['messages', 'maxTokens'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { text: text('The answer'), model: { type: 'string', description: 'Which model', maxLength: 200 } },
      required: ['text', 'model'],
      additionalProperties: false,
    },
    errors: [samplingFailed, modelError],
    limits: { ...defaultLimits, timeoutMs: 120_000, calls: { count: 20, windowMs: 60_000 } },
    effects: {
      // As for its tools: a server that the operator lets run unasked may get data.
      sendsTo: [approval === 'never' ? operatorService : `MCP server ${server}`],
      returns: ['untrusted'],
    },
    examples: [],
  }
  const tool: Tool<SamplingModel> = {
    contract,
    offer: { kind: 'helper' },
    ...(through === 'model' && { needs: ['model'] }),
    run: (input, context, capabilities) =>
      through === 'model' ? askModel(input, context, capabilities) : askClient(input, context),
  }
  return Object.freeze(tool) as Tool
}

const samplingFailed = {
  code: 'sampling_failed',
  status: 502,
  when: 'The client has no model for servers, or did not answer.',
  suggestion: 'Use a client that supports sampling, or set "sampling": { "through": "model" } for the server.',
} as const

const modelError = {
  code: 'model_error',
  status: 502,
  when: 'The model did not answer.',
  suggestion: 'Check the model with toolpact ask, then call again.',
} as const

/** What a server requests, as the input of the call. Throws a `PeerRefusal` if it is not text. */
export function toSamplingInput(params: JsonObject, { maxTokens = defaultMaxTokens }: SamplingSettings): JsonObject {
  const { messages, systemPrompt, maxTokens: wanted } = params
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > maxMessages)
    throw new PeerRefusal(`Sampling takes 1 to ${maxMessages} messages.`)
  return {
    ...(typeof systemPrompt === 'string' && { systemPrompt: clean(systemPrompt) }),
    messages: messages.map((message): JsonObject => {
      const { role, content } = isObject(message) ? message : {}
      return { role: role === 'assistant' ? 'assistant' : 'user', text: clean(textOf(content)) }
    }),
    maxTokens: Math.max(1, Math.min(typeof wanted === 'number' ? Math.floor(wanted) : maxTokens, maxTokens)),
  }
}

/** The answer in the form of MCP. */
export function toSamplingResult({ text, model }: JsonObject): JsonObject {
  return { role: 'assistant', content: { type: 'text', text: text! }, model: model!, stopReason: 'endTurn' }
}

async function askClient({ messages, systemPrompt, maxTokens }: JsonObject, { client, fail, signal }: ToolContext) {
  const params: JsonObject = {
    messages: (messages as JsonObject[]).map(({ role, text }) => ({
      role: role!,
      content: { type: 'text', text: text! },
    })),
    ...(systemPrompt !== undefined && { systemPrompt }),
    maxTokens: maxTokens!,
  }
  const request = { method: 'sampling/createMessage', params } as const
  if (!client?.supports(request)) return fail(samplingFailed.code, 'The client has no model for servers.')
  const answers = await client.ask({ answer: request }, signal).catch(() => undefined)
  const { content, model } = answers?.answer ?? {}
  if (!isObject(content) || typeof content.text !== 'string')
    return fail(samplingFailed.code, 'The client did not answer with text.')
  return { text: clean(content.text), model: shorten(typeof model === 'string' ? model : 'unknown', 200) }
}

async function askModel(
  { messages, systemPrompt, maxTokens }: JsonObject,
  { signal }: ToolContext,
  { model }: SamplingModel,
) {
  const given = (messages as JsonObject[]).map(({ role, text }) => ({ role: role as 'user', content: text as string }))
  const first = typeof systemPrompt === 'string' ? [{ role: 'system' as const, content: systemPrompt }] : []
  const { text } = await model.complete({ messages: [...first, ...given], maxTokens: maxTokens as number }, { signal })
  return { text: clean(text), model: model.name }
}

function textOf(content: JsonValue | undefined): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks
    .map((block) => {
      if (typeof block === 'string') return block
      if (isObject(block) && block.type === 'text' && typeof block.text === 'string') return block.text
      throw new PeerRefusal('Only text can be sent to the model.')
    })
    .join('\n')
}

function clean(words: string): string {
  return stripHidden(shorten(words, maxText - 1), 'prose')
}
