import { setTimeout as wait } from 'node:timers/promises'
import type { OpenAI } from 'openai'
import type { JsonObject } from '../contract/json.ts'
import { lazily } from '../contract/lazily.ts'
import type { ToolError } from '../contract/tool-error.ts'
import { fetchBounded } from './model/fetch-bounded.ts'
import { judgeFailure, toModelTimeout } from './model/model-error.ts'
import { readAnswer } from './model/read-answer.ts'
import type { ModelSettings } from './model/read-model-settings.ts'
import { type Setting, toBody } from './model/to-body.ts'

/** Asks the operator's model. Fails with a `ToolError` whose code is a `ModelErrorCode`. */
export interface Model {
  /** The model's name at its endpoint. */
  readonly name: string
  /** Why every question will fail, if that is known: no model is configured. */
  readonly fault?: ToolError
  /** An answer that is truncated, refused, empty or invalid is a failure. */
  complete(request: ModelRequest, options?: CompleteOptions): Promise<ModelAnswer>
}

/** The model that the operator configured. */
export interface OperatorModel extends Model {
  /** Another model at the same endpoint. */
  named(name: string): Model
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[]
  /** The result of `toOpenaiTools`. */
  readonly tools?: readonly ModelTool[]
  /** Default: `auto` if there are tools. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string }
  /** False: at most one tool call per answer, if the endpoint supports it. */
  readonly parallelToolCalls?: boolean
  readonly temperature?: number
  readonly maxTokens?: number
  /** The answer must be a JSON object, if the endpoint supports it. */
  readonly json?: boolean
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content?: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }

export interface ModelTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: JsonObject
    readonly strict?: boolean
  }
}

export interface ModelToolCall {
  readonly id: string
  readonly name: string
  /** As the model wrote it: may be invalid JSON. */
  readonly arguments: string
}

export interface ModelAnswer {
  /** Without reasoning text; empty if the model only calls tools. */
  readonly text: string
  readonly toolCalls: readonly ModelToolCall[]
  readonly finish: 'stop' | 'tool_calls'
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
}

export interface CompleteOptions {
  readonly signal?: AbortSignal
  /**
   * For everything: waiting, retries, the whole answer. A streamed answer may take longer, but not be silent for longer.
   * Default: from the settings, 30,000.
   */
  readonly timeoutMs?: number
  /** Streams the answer: called with each piece of text. */
  readonly onText?: (delta: string) => void
}

const maxAttempts = 3

/**
 * @example
 * const model = openModel({ url: 'http://127.0.0.1:11434/v1', model: 'qwen3', timeoutMs: 30_000 })
 * const { text } = await model.complete({ messages: [{ role: 'user', content: 'Say hello.' }] })
 */
export function openModel(settings: ModelSettings): Model {
  const { retryDelayMs = 250 } = settings
  /** Parameters that the endpoint rejects, learnt from its errors. */
  const unwanted = new Set<Setting>()
  const open = lazily(() => openClient(settings))

  interface Asked extends Pick<CompleteOptions, 'onText'> {
    readonly signal: AbortSignal
    readonly onActivity: () => void
  }

  async function ask(request: ModelRequest, { signal, onText, onActivity }: Asked) {
    const client = await open()
    const body = toBody(settings.model, request, { unwanted, stream: onText !== undefined })
    const response = await client.chat.completions.create(body, { signal }).asResponse()
    return readAnswer(response, { client, onText, onActivity })
  }

  return {
    name: settings.model,
    async complete(request, { signal: given, timeoutMs = settings.timeoutMs, onText } = {}) {
      given?.throwIfAborted()
      const timeout = new AbortController()
      const timer = setTimeout(() => timeout.abort(), timeoutMs)
      const signal = given ? AbortSignal.any([given, timeout.signal]) : timeout.signal
      let deadline = performance.now() + timeoutMs
      let hasBegun = false
      const onActivity = () => {
        hasBegun = true
        deadline = performance.now() + timeoutMs
        timer.refresh()
      }
      let hasStreamed = false
      let thrown: { readonly cause: unknown } | undefined
      const tell = (delta: string) => {
        hasStreamed = true
        try {
          onText?.(delta)
        } catch (cause) {
          thrown = { cause }
          throw cause
        }
      }
      try {
        for (let attempt = 1; ; ) {
          try {
            return await ask(request, { signal, onActivity, ...(onText && { onText: tell }) })
          } catch (cause) {
            signal.throwIfAborted()
            if (thrown) throw thrown.cause
            const { error, refused, again, waitMs = toPause(attempt, retryDelayMs) } = judgeFailure(cause, settings)
            if (refused && !unwanted.has(refused)) {
              unwanted.add(refused)
              continue
            }
            // After the first streamed token, requests are not retried.
            const late = performance.now() + waitMs >= deadline
            if (!again || hasStreamed || attempt === maxAttempts || late) throw error
            attempt++
            await wait(waitMs, undefined, { signal })
          }
        }
      } catch (error) {
        given?.throwIfAborted()
        throw timeout.signal.aborted ? toModelTimeout(settings, timeoutMs, hasBegun) : error
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/**
 * Sets everything that the library would take from the environment: traffic and key go only where the operator says.
 */
async function openClient({ url, key }: ModelSettings): Promise<OpenAI> {
  const { OpenAI } = await import('openai')
  return new OpenAI({
    baseURL: url,
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    // The longest timer of Node: we enforce the deadline ourselves.
    timeout: 2 ** 31 - 1,
    fetch: (address, init) => fetchBounded(address, init, key),
  })
}

/** Jitter keeps clients that were rejected together from returning together. */
function toPause(attempt: number, retryDelayMs: number): number {
  return retryDelayMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
}
