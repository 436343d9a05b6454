import type { Contract } from './contract.ts'
import type { JsonObject } from './json.ts'

const maxExamples = 3
const maxBytes = 2000

/** A few short inputs for a model to imitate, from the examples that succeed. */
export function toInputExamples({ examples }: Contract): JsonObject[] {
  const inputs: JsonObject[] = []
  let bytes = 0
  for (const { input, error } of examples) {
    if (error !== undefined) continue
    bytes += Buffer.byteLength(JSON.stringify(input))
    if (inputs.length === maxExamples || bytes > maxBytes) break
    inputs.push(input)
  }
  return inputs
}
