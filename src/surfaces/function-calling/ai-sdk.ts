import { type Adaptable, adaptTools, type PassingSchema } from './adapt-tools.ts'
import type { HandleOptions } from './answer-calls.ts'

export type { HandleOptions } from './answer-calls.ts'

/** A tool as `generateText` and `streamText` of the AI SDK take it. */
export interface AiSdkTool {
  type: 'dynamic'
  description: string
  inputSchema: PassingSchema
  needsApproval(input: unknown, options: { toolCallId: string }): Promise<boolean>
  execute(input: unknown, options: { toolCallId: string; abortSignal?: AbortSignal | undefined }): Promise<string>
}

/**
 * The tools as `tools` of the AI SDK. A call that needs approval becomes an approval request of the SDK; once the program
 * answers yes, the call runs. Every call goes through the pipeline, and errors reach the model as text.
 * @example
 * const { text } = await generateText({ model, prompt, tools: await aiSdkTools(toolpact), stopWhen: isStepCount(10) })
 */
export async function aiSdkTools(
  toolpact: Adaptable,
  options: HandleOptions = {},
): Promise<{ [name: string]: AiSdkTool }> {
  const tools = await adaptTools(toolpact, { ...options, via: 'ai-sdk' })
  return Object.fromEntries(
    tools.map(({ name, description, schema, needsApproval, run }) => {
      const tool: AiSdkTool = {
        type: 'dynamic',
        description,
        inputSchema: schema,
        needsApproval: (input, { toolCallId }) => needsApproval(input, toolCallId),
        execute: (input, { toolCallId, abortSignal }) => run(input, toolCallId, abortSignal),
      }
      return [name, tool]
    }),
  )
}
