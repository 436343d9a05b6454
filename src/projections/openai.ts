import type { JsonObject, JsonValue } from '../contract/json.ts'
import { pointerTo } from '../contract/schema/json-pointer.ts'
import { keywords } from '../contract/schema/keywords.ts'
import { mapParts } from '../contract/schema/map-parts.ts'
import { findCut } from '../contract/text/shorten.ts'
import { toFlatRoot } from './parameters/flat-root.ts'
import { type Listed, type NoteLoss, type Projection, projectTools, type ToolToProject } from './projection.ts'
import { toStrictParameters } from './strict/strict-parameters.ts'

/** A tool in the format of `tools` in a chat completion request. */
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
  /** Rewrite the parameters for strict mode, where the model cannot deviate from them, if possible. */
  readonly strict?: boolean
}

/** Contracts as functions of OpenAI's chat completions, which many other servers support. */
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

/** The API rejects the whole request if a description is longer. */
const maxDescription = 1024

function toShort(text: string, note: NoteLoss): string {
  const characters = [...text]
  if (characters.length <= maxDescription) return text
  note('', 'description', `Cut to ${maxDescription} characters.`)
  return `${text.slice(0, findCut(text, characters.slice(0, maxDescription - 1).join('').length))}…`
}

/**
 * The parameters for a model that is not held to them, without keywords it cannot use. It sees which properties exist
 * and does not count characters; both are checked on each call.
 */
function toPlainParameters(schema: JsonObject, note: NoteLoss): JsonObject {
  return mapSchema(schema, '/input', (part, pointer) => {
    const { $schema: _schema, $id: _id, $comment: _comment, ...kept } = part
    for (const keyword of ['minLength', 'maxLength']) {
      if (kept[keyword] === undefined) continue
      delete kept[keyword]
      note(pointer, keyword, 'Left out; the length is checked when the tool is called.')
    }
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      if (kept[keyword] !== false) continue
      delete kept[keyword]
      note(pointer, keyword, 'Left out; undeclared properties are refused when the tool is called.')
    }
    return kept
  }) as JsonObject
}

/**
 * Copies an admitted schema and applies `change` to each subschema, innermost first. Schemas under `not` and `if` are
 * copied unchanged: weakening a condition there would demand more.
 */
function mapSchema(
  schema: JsonValue,
  pointer: string,
  change: (schema: JsonObject, pointer: string) => JsonObject,
): JsonValue {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return schema
  const parts = Object.entries(schema).map(([keyword, value]) => [keyword, toPart(keyword, value)] as const)
  return change(Object.fromEntries(parts), pointer)

  function toPart(keyword: string, value: JsonValue): JsonValue {
    const shape = keywords.get(keyword)?.shape
    if (keyword === 'not' || keyword === 'if' || !shape?.startsWith('schema')) return structuredClone(value)
    return mapParts(shape, value, pointerTo(pointer, keyword), (part, at) => mapSchema(part, at, change))
  }
}
