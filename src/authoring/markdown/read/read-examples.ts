import { isObject, type JsonObject, type JsonValue } from '../../../contract/json.ts'
import { pointerTo } from '../../../contract/schema/json-pointer.ts'
import type { Draft } from './draft.ts'
import { readJson } from './json-text.ts'
import { codesOf, type Part } from './read-parts.ts'

/** `**Examples**` with JSON blocks, each with an input. */
export function readExamples(part: Part, draft: Draft): void {
  const [code] = codesOf(part)
  const placed = code && readJson(code, (finding) => draft.note(finding), { pointer: '/examples' })
  if (!placed) return
  const list = Array.isArray(placed.value) ? placed.value : [placed.value]
  if (list.every((entry) => isObject(entry) && isObject(entry.input ?? null)))
    draft.take('examples', list, placed.lineOf)
  else {
    const message = 'The example was left out: it does not say its input.'
    draft.note({ line: part.line, kind: 'left', code: 'example-unread', message, fix: 'Write { "input", "output" }.' })
  }
}

/** `**Request:**` and `**Response:**` pairs, with the call as clients write it. */
export function readPairs(parts: readonly Part[], draft: Draft): void {
  const examples: JsonValue[] = []
  const lines: number[] = []
  for (const [index, part] of parts.entries()) {
    if (part.label !== 'request') continue
    const answer = parts[index + 1]?.label === 'response' ? parts[index + 1] : undefined
    const input = readInput(part, draft)
    const output = answer && readObject(answer, draft)
    if (!input || !output) continue
    examples.push({ input, output, ...toVaries(output, draft) })
    lines.push(part.line)
  }
  if (examples.length > 0)
    draft.take('examples', examples, (pointer) => lines[Number(/^\/(\d+)/.exec(pointer)?.[1] ?? 0)] ?? lines[0]!)
}

function readInput(part: Part, draft: Draft): JsonObject | undefined {
  const call = readObject(part, draft)
  if (!call) return undefined
  const name = call.tool ?? call.name
  const input = [call.parameters, call.arguments, call.input].find((value) => value !== undefined && isObject(value))
  if (typeof name !== 'string' || !input) return call
  if (name !== draft.name && name !== draft.id) {
    const message = `The example calls '${name}', and the heading names '${draft.name}'.`
    draft.note({ line: part.line, kind: 'wrong', code: 'example-other-tool', severity: 'error', message })
  }
  return input as JsonObject
}

function readObject(part: Part, draft: Draft): JsonObject | undefined {
  const [code] = codesOf(part)
  const placed = code && readJson(code, (finding) => draft.note(finding), { pointer: '/examples' })
  return placed && isObject(placed.value) ? placed.value : undefined
}

/** Timestamps vary between runs. */
function toVaries(output: JsonObject, draft: Draft): { varies?: string[] } {
  const schema = draft.source.output
  const properties = schema && isObject(schema) && schema.properties
  if (!properties || !isObject(properties)) return {}
  const varies = Object.keys(output)
    .filter((key) => {
      const part = Object.hasOwn(properties, key) ? properties[key] : undefined
      return part !== undefined && isObject(part) && part.format === 'date-time'
    })
    .map((key) => pointerTo('', key))
  return varies.length > 0 ? { varies } : {}
}
