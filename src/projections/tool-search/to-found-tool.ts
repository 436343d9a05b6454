import type { Contract } from '../../contract/contract.ts'
import { toInputExamples } from '../../contract/input-examples.ts'
import type { JsonObject, JsonSchema } from '../../contract/json.ts'
import { isOpaque } from '../../contract/opaque-output.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { shorten } from '../../contract/text/shorten.ts'

interface Found {
  readonly name: string
  readonly toolset: string
  readonly tool: { readonly contract: Contract }
}

const maxDescriptionCharacters = 4000
const maxInputSchemaBytes = 30_000
const maxOutputSchemaBytes = 2000
/** A result may be 64 levels deep, and the schema starts at the fourth. */
const maxDepth = 56

/** What a model needs to call a tool, of limited size. */
export function toFoundTool({ name, toolset, tool: { contract } }: Found) {
  const { description, risk, approval, input, output } = contract
  const examples = toInputExamples(contract)
  const isShort = fits(input, maxInputSchemaBytes)
  return {
    name,
    toolset,
    description: shorten(description, maxDescriptionCharacters),
    risk,
    approval,
    ...(isShort ? { input_schema: input as JsonObject } : { note: 'Its input schema is too large to be shown here.' }),
    ...(fits(output, maxOutputSchemaBytes) && !isOpaque(contract) && { output_schema: output as JsonObject }),
    ...(examples.length > 0 && { input_examples: examples }),
  }
}

function fits(schema: JsonSchema, maxBytes: number): boolean {
  return boundJson(schema, { maxBytes, maxDepth }).ok
}
