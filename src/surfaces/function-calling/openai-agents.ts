import type { JsonObject } from '../../contract/json.ts'
import { type Adaptable, adaptTools } from './adapt-tools.ts'
import type { HandleOptions } from './answer-calls.ts'

export type { HandleOptions } from './answer-calls.ts'

/** A function tool as an `Agent` of the OpenAI Agents SDK takes it. */
export interface AgentsTool {
  type: 'function'
  name: string
  description: string
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's type of a schema is not ours to repeat.
  parameters: any
  strict: false
  isEnabled(): Promise<boolean>
  needsApproval(context: unknown, input: unknown, callId?: string): Promise<boolean>
  invoke(context: unknown, input: string, details?: CallDetails): Promise<string>
}

interface CallDetails {
  readonly toolCall?: { readonly callId: string }
  readonly signal?: AbortSignal
}

/**
 * The tools for an `Agent` of the OpenAI Agents SDK. A call that needs approval becomes an interruption of the run; once
 * the program approves it in the run's state and resumes, the call runs. Errors reach the model as text.
 * @example
 * const agent = new Agent({ name: 'Assistant', tools: await agentsTools(toolpact) })
 */
export async function agentsTools(toolpact: Adaptable, options: HandleOptions = {}): Promise<AgentsTool[]> {
  const tools = await adaptTools(toolpact, { ...options, via: 'openai-agents' })
  return tools.map(({ name, description, parameters, needsApproval, run }) => ({
    type: 'function',
    name,
    description,
    parameters: parameters satisfies JsonObject,
    strict: false,
    isEnabled: async () => true,
    needsApproval: (_context, input, callId = '') => needsApproval(input, callId),
    invoke: (_context, input, details) => run(input, details?.toolCall?.callId, details?.signal),
  }))
}
