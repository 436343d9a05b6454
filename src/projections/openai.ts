import type { JsonObject } from '../contract/json.ts'
import { findCut } from '../contract/text/shorten.ts'
import { toFlatRoot } from './parameters/flat-root.ts'
import { toPlainParameters } from './parameters/plain-parameters.ts'
import { type Listed, type NoteLoss, type Projection, projectTools, type ToolToProject } from './projection.ts'
import { toStrictParameters } from './strict/strict-parameters.ts'

/** A tool as the `tools` of a chat completion take it. */
export interface OpenaiTool {
  type: 'function'
  function: {
    name: string
    description: string
    parameters: JsonObject
    strict?: boolean
  }
}

export interface OpenaiOptions {
  /** Rewrite the parameters so that the model cannot but keep to them, where they can be said that way. */
  readonly strict?: boolean
}

/** Contracts as functions of OpenAI's chat completions, which many other servers speak. */
export function toOpenaiTools(
  entries: readonly Listed[],
  { strict = false }: OpenaiOptions = {},
): Promise<Projection<OpenaiTool[]>> {
  return projectTools(entries, (tool) => ({
    type: 'function',
    function: strict ? toStrictFunction(tool) : toFunction(tool),
  }))
}

function toStrictFunction(tool: ToolToProject): OpenaiTool['function'] {
  const { name, contract, note } = tool
  const rewritten = toStrictParameters(contract.input as JsonObject)
  if (rewritten.strict) {
    for (const { pointer, keyword, note: text } of rewritten.losses) note(pointer, keyword, text)
    return { name, description: toShort(tool.description, note), parameters: rewritten.parameters, strict: true }
  }
  const { pointer, keyword, note: text } = rewritten.obstacle
  note(pointer, keyword, `Not strict: ${text}`)
  return { ...toFunction(tool), strict: false }
}

function toFunction(tool: ToolToProject): OpenaiTool['function'] {
  const { name, note } = tool
  const { schema, description } = toFlatRoot(tool)
  return { name, description: toShort(description, note), parameters: toPlainParameters(schema, note) }
}

/** A longer description makes the API refuse the whole request. */
const maxDescription = 1024

function toShort(text: string, note: NoteLoss): string {
  const characters = [...text]
  if (characters.length <= maxDescription) return text
  note('', 'description', `Cut to ${maxDescription} characters.`)
  return `${text.slice(0, findCut(text, characters.slice(0, maxDescription - 1).join('').length))}…`
}
