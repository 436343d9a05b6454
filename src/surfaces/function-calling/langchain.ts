import type { JsonObject } from '../../contract/json.ts'
import { type Adaptable, adaptTools } from './adapt-tools.ts'
import type { HandleOptions } from './answer-calls.ts'

export type { HandleOptions } from './answer-calls.ts'

/** The signature of `tool` in `@langchain/core/tools`, as far as it is needed. */
export type CreateLangchainTool<Made> = (
  run: (input: unknown, config?: { signal?: AbortSignal }) => Promise<string>,
  fields: { name: string; description: string; schema: JsonObject },
) => Made

/**
 * The tools for LangChain.js, created with its `tool` function. LangChain has no approval: pass an `approver`, or a call that
 * needs approval ends with `approval_denied`, which the model reads.
 * @example
 * import { tool } from '@langchain/core/tools'
 * const model = new ChatOpenAI().bindTools(await langchainTools(toolpact, tool, { approver }))
 */
export async function langchainTools<Made>(
  toolpact: Adaptable,
  tool: CreateLangchainTool<Made>,
  options: HandleOptions = {},
): Promise<Made[]> {
  const tools = await adaptTools(toolpact, { ...options, via: 'langchain' })
  return tools.map(({ name, description, schema, run }) =>
    // LangChain converts it for the model, and does not validate inputs with it.
    tool((input, config) => run(input, undefined, config?.signal), { name, description, schema: schema as never }),
  )
}
