import type { Contract } from './contract.ts'
import type { JsonObject } from './json.ts'

const maxExamples = 3
const maxBytes = 2000

/** Inputs that a model may copy: those of examples that succeed, few and short. */
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
