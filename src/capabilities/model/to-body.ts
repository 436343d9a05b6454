import type { OpenAI } from 'openai'
import type { ModelMessage, ModelRequest } from '../model.ts'

/** Optional parameters that some endpoints reject. */
export const dispensable = ['temperature', 'max_tokens', 'stream_options', 'parallel_tool_calls'] as const

export type Setting = (typeof dispensable)[number]

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParams

export function toBody(
  model: string,
  request: ModelRequest,
  { unwanted, stream }: { unwanted: ReadonlySet<Setting>; stream: boolean },
): Body {
  const { tools, toolChoice, parallelToolCalls, temperature, maxTokens, json } = request
  const body = {
    model,
    messages: request.messages.map(toMessage),
    ...(tools && tools.length > 0 && { tools: tools as Body['tools'] }),
    ...(toolChoice && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: toolChoice },
    }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(json && { response_format: { type: 'json_object' } }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  } as Body
  if (unwanted.has('max_tokens') && maxTokens !== undefined) body.max_completion_tokens = maxTokens
  for (const setting of unwanted) delete body[setting]
  return body
}

function toMessage(message: ModelMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  if (message.role !== 'assistant') return { role: message.role, content: message.content }
  const { content, toolCalls = [] } = message
  if (toolCalls.length === 0) return { role: 'assistant', content: content ?? '' }
  return {
    role: 'assistant',
    content: content || null,
    tool_calls: toolCalls.map(({ id, name, arguments: input }) => ({
      id,
      type: 'function',
      function: { name, arguments: input },
    })),
  }
}
