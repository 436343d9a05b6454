import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { inferSchema } from '../../../contract/schema/infer-schema.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'
import type { Code } from './block.ts'
import type { Draft } from './draft.ts'
import { type Placed, readJson } from './json-text.ts'
import { codesOf, type Part, proseOf } from './read-parts.ts'

const sides = {
  input: ['input', 'input_schema', 'inputSchema', 'parameters', 'parametersJsonSchema'],
  output: ['output', 'output_schema', 'outputSchema', 'returns'],
} as const

/** `**Input**` with a block of JSON, or "None". */
export function readSide(side: 'input' | 'output', part: Part, draft: Draft): void {
  const [code] = codesOf(part)
  if (code) {
    const placed = readJson(code, (finding) => draft.note(finding), { pointer: `/${side}` })
    if (placed) takeSchema(side, placed, '', draft)
  } else if (/^(none|nothing)\b/i.test(proseOf(part))) {
    draft.take(side, { type: 'object', properties: {}, additionalProperties: false }, part.line)
  } else {
    const message = `Under '${part.name}' there is no block of JSON.`
    draft.note({ line: part.line, kind: 'wrong', code: `${side}-unread`, severity: 'error', message, fix: 'Write a JSON Schema.' }) // biome-ignore format: one line
  }
}

/** Reads a block with the whole contract, `{ name, description, parameters, returns }`. Returns false if it is not one. */
export function readWhole(code: Code, draft: Draft): boolean {
  const placed = readJson(code, (finding) => draft.note(finding))
  if (!placed || !isObject(placed.value)) return false
  const found = { input: findKey(placed.value, sides.input), output: findKey(placed.value, sides.output) }
  if (!found.input && !found.output) return false
  const { name, description } = placed.value
  if (typeof description === 'string') draft.take('description', description, placed.lineOf('/description'))
  if (typeof name === 'string' && name !== draft.name) {
    const message = `The block is about '${name}', and the heading about '${draft.name}'.`
    const line = placed.lineOf('/name')
    draft.note({ line, kind: 'wrong', code: 'name-differs', severity: 'error', message, fix: 'Use one name.' })
  }
  for (const side of ['input', 'output'] as const) {
    const key = found[side]
    if (key) takeSchema(side, { ...placed, value: placed.value[key]! }, `/${key}`, draft)
  }
  return true
}

/** Whether a code block below a heading may contain the whole contract. */
export function mayBeWhole(text: string): boolean {
  return /"(parameters|inputSchema|input_schema)"\s*:/.test(text)
}

/** Whether a value looks like a whole contract. */
export function isWhole(value: JsonValue): value is JsonObject {
  return isObject(value) && typeof value.name === 'string' && findKey(value, sides.input) !== undefined
}

/** Derives the output schema from a sample response. */
export function readSample(part: Part, draft: Draft): void {
  const [code] = codesOf(part)
  const placed = code && readJson(code, (finding) => draft.note(finding))
  if (!placed || !isObject(placed.value)) return
  const message = 'The output schema was derived from one response, so other properties are refused. Review it.'
  draft.assume('output', inferSchema([placed.value]).schema as JsonObject, { line: part.line, message })
}

function takeSchema(side: 'input' | 'output', { value, lineOf }: Placed, at: string, draft: Draft) {
  if (!isObject(value)) {
    const message = `The ${side} is not a JSON Schema of an object.`
    draft.note({ line: lineOf(at), kind: 'wrong', code: `${side}-unread`, severity: 'error', message })
    return
  }
  const normal = fromParameters(value)
  if (!normal) return draft.take(side, value, (pointer) => lineOf(at + pointer))
  draft.take(side, normal.schema, (pointer) =>
    lineOf(at + (normal.isTable ? pointer.replace('/properties', '') : pointer)),
  )
  draft.note({
    line: lineOf(at + normal.at),
    kind: 'wrong',
    code: 'parameter-table',
    severity: 'warning',
    pointer: `/${side}`,
    message: normal.isTable
      ? 'This is a table of parameters and no JSON Schema. It was understood as a closed object.'
      : 'In JSON Schema "required" is a list beside "properties". It was moved there.',
    fix: 'Write { "type": "object", "properties": …, "required": [ … ], "additionalProperties": false }.',
  })
}

function findKey(value: JsonObject, keys: readonly string[]): string | undefined {
  return keys.find((key) => isObject(value[key]))
}

interface Normal {
  readonly schema: JsonObject
  /** Whether it was a table of parameters without the enclosing object. */
  readonly isTable: boolean
  /** Pointer to the first part that is not valid JSON Schema. */
  readonly at: string
}

/**
 * Converts a table of parameters such as `{ "path": { "type": "string", "required": true } }` to JSON Schema. Undefined if the
 * value already is a schema.
 */
export function fromParameters(value: JsonObject): Normal | undefined {
  const isTable = looksLikeTable(value)
  const properties = isTable ? value : value.properties
  if (!isObject(properties)) return undefined
  const entries = Object.entries(properties)
  const marked = entries.find(([, part]) => isObject(part) && typeof part.required === 'boolean')
  if (!isTable && !marked) return undefined
  const needed = entries.filter(([, part]) => isObject(part) && part.required === true).map(([name]) => name)
  const plain = Object.fromEntries(entries.map(([name, part]) => [name, withoutMark(part)]))
  if (isTable) {
    const schema = { type: 'object', properties: plain, ...(needed.length > 0 && { required: needed }), additionalProperties: false } // biome-ignore format: one line
    return { schema, isTable, at: '' }
  }
  const listed = Array.isArray(value.required) ? value.required : []
  const required = [...listed, ...needed.filter((name) => !listed.includes(name))]
  const schema = { ...value, properties: plain, ...(required.length > 0 && { required }) }
  return { schema, isTable, at: pointerTo('/properties', marked![0]) }
}

/** Every member is an object with a type, and the whole has none. */
function looksLikeTable(value: JsonObject): boolean {
  const parts = Object.values(value)
  return parts.length > 0 && parts.every((part) => isObject(part) && (isType(part.type) || Array.isArray(part.enum)))
}

function isType(type: JsonValue | undefined): boolean {
  return typeof type === 'string' || Array.isArray(type)
}

function withoutMark(part: JsonValue): JsonValue {
  if (!isObject(part) || typeof part.required !== 'boolean') return part
  const { required: _, ...rest } = part
  return rest
}
