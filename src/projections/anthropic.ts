import { toInputExamples } from '../contract/input-examples.ts'
import type { JsonObject } from '../contract/json.ts'
import { toFlatRoot } from './parameters/flat-root.ts'
import { type Listed, type Projection, projectTools } from './projection.ts'

/** A tool in the format of `tools` in a message request. */
export interface AnthropicTool {
  name: string
  description: string
  input_schema: { type: 'object' } & JsonObject
  /** Inputs of the contract's successful examples. */
  input_examples?: JsonObject[]
}

/** Contracts as tools of Anthropic's Messages API, which accepts schemas nearly unchanged. */
export function toAnthropicTools(entries: readonly Listed[]): Promise<Projection<AnthropicTool[]>> {
  return projectTools(entries, (tool) => {
    const { schema, description } = toFlatRoot(tool)
    const examples = toInputExamples(tool.contract)
    return {
      name: tool.name,
      description,
      input_schema: { ...structuredClone(schema), type: 'object' },
      ...(examples.length > 0 && { input_examples: structuredClone(examples) }),
    }
  })
}
