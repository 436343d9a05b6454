import type { Caller } from '../../contract/tool.ts'
import { type AnthropicTool, toAnthropicTools } from '../../projections/anthropic.ts'
import { toResultJson } from '../../projections/result-json.ts'
import { answerCalls, type Callable, type HandleOptions, library, requireOpened } from './answer-calls.ts'

/** The part of an assistant's message that is needed. */
export interface ToolUseMessage {
  readonly content: readonly Block[]
}

interface Block {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
}

/** The result of one tool use: content of the user's next message. */
export interface ToolResult {
  type: 'tool_result'
  tool_use_id: string
  content: string
  is_error?: true
}

/**
 * The tools as `tools` of a message. A tool whose schema is not valid is left out.
 * @example
 * const tools = await anthropicTools(toolpact)
 * const message = await client.messages.create({ model, max_tokens, messages, tools })
 */
export async function anthropicTools(
  toolpact: Pick<Callable, 'catalog'>,
  { caller = library }: { readonly caller?: Caller } = {},
): Promise<AnthropicTool[]> {
  requireOpened(toolpact, 'anthropicTools')
  return (await toAnthropicTools(await toolpact.catalog.all(caller))).result
}

/**
 * Runs the tools that a message uses and returns a result for each; invalid calls get an error that tells the model what to
 * do. Rejects only if `toolpact` is not an open Toolpact.
 * @example
 * messages.push(message, { role: 'user', content: await handleToolUses(toolpact, message) })
 */
export async function handleToolUses(
  toolpact: Callable,
  message: ToolUseMessage,
  options: HandleOptions = {},
): Promise<ToolResult[]> {
  requireOpened(toolpact, 'handleToolUses')
  const content = Array.isArray(message?.content) ? (message.content as readonly Block[]) : []
  const uses = content.filter((block) => block?.type === 'tool_use')
  const asked = uses.map(({ name, input }) => ({ name, arguments: input }))
  const results = await answerCalls(toolpact, asked, options)
  return results.map((result, index) => ({
    type: 'tool_result',
    tool_use_id: uses[index]!.id ?? '',
    content: JSON.stringify(toResultJson(result)),
    ...(!result.success && { is_error: true as const }),
  }))
}
