import type { Caller } from '../../contract/tool.ts'
import { type OpenaiOptions, type OpenaiTool, toOpenaiTools } from '../../projections/openai.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { answerCalls, type Callable, type HandleOptions, library, requireOpened } from './answer-calls.ts'

/** The part of an assistant's message that is needed. */
export interface ToolCallsMessage {
  readonly tool_calls?: readonly ToolCall[] | null
}

interface ToolCall {
  readonly id: string
  readonly function?: { readonly name: string; readonly arguments: string }
  readonly custom?: { readonly name: string }
}

/** The result of one call, to be sent after the message that requested it. */
export interface ToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/**
 * The tools as `tools` of a chat completion. A tool whose schema is not valid is left out.
 * @example
 * const tools = await openaiTools(toolpact)
 * const { choices } = await client.chat.completions.create({ model, messages, tools })
 */
export async function openaiTools(
  toolpact: Pick<Callable, 'catalog'>,
  { caller = library, ...options }: OpenaiOptions & { readonly caller?: Caller } = {},
): Promise<OpenaiTool[]> {
  requireOpened(toolpact, 'openaiTools')
  return (await toOpenaiTools(await toolpact.catalog.all(caller), options)).result
}

/**
 * Runs the tool calls of a message and returns a message for each; invalid calls get an error that tells the model what to
 * do. Rejects only if `toolpact` is not an open Toolpact.
 * @example
 * const { message } = choices[0]
 * messages.push(message, ...(await handleToolCalls(toolpact, message)))
 */
export async function handleToolCalls(
  toolpact: Callable,
  message: ToolCallsMessage,
  options: HandleOptions = {},
): Promise<ToolMessage[]> {
  requireOpened(toolpact, 'handleToolCalls')
  const calls = Array.isArray(message?.tool_calls) ? (message.tool_calls as readonly ToolCall[]) : []
  const asked = calls.map((call) => ({
    name: call?.function?.name ?? call?.custom?.name,
    arguments: call?.function?.arguments,
  }))
  const results = await answerCalls(toolpact, asked, options)
  return results.map((result, index) => ({
    role: 'tool',
    tool_call_id: calls[index]?.id ?? '',
    content: JSON.stringify(toResultJson(result)),
  }))
}
