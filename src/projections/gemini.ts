import type { JsonObject } from '../contract/json.ts'
import { toFlatRoot } from './parameters/flat-root.ts'
import { type Listed, type Projection, projectTools } from './projection.ts'

/** Functions in the format of `tools` in a Gemini request, all in one element. */
export interface GeminiTools {
  functionDeclarations: { name: string; description: string; parametersJsonSchema: JsonObject }[]
}

/** Contracts as function declarations of Gemini. `parametersJsonSchema` accepts the schema unchanged. */
export async function toGeminiTools(entries: readonly Listed[]): Promise<Projection<GeminiTools[]>> {
  const { result, ...rest } = await projectTools(entries, (tool) => {
    const { schema, description } = toFlatRoot(tool)
    return { name: tool.name, description, parametersJsonSchema: structuredClone(schema) }
  })
  return { ...rest, result: [{ functionDeclarations: result }] }
}
