import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { mostBlocks } from '../../contract/opaque-output.ts'

/** Quotes the result of a call in that form. What has no place there is quoted as JSON text; nothing is interpreted. */
export function toOpaqueOutput(result: JsonObject): JsonObject {
  const blocks = Array.isArray(result.content) ? result.content : []
  const content = blocks.slice(0, mostBlocks).map(toBlock)
  if (content.length === 0 && result.structuredContent !== undefined) content.push(toJson(result.structuredContent))
  return { content }
}

function toBlock(block: JsonValue): JsonObject {
  if (!isObject(block)) return toJson(block)
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? { type: 'text', text: block.text } : toJson(block)
    case 'image':
    case 'audio':
      return typeof block.data === 'string' ? { type: block.type, ...pick(block, ['data', 'mimeType']) } : toJson(block)
    case 'resource':
      if (!isObject(block.resource)) return toJson(block)
      return {
        type: 'resource',
        ...pick(block.resource, ['uri', 'mimeType', 'text']),
        ...(typeof block.resource.blob === 'string' && { data: block.resource.blob }),
      }
    case 'resource_link':
      return { type: 'resource_link', ...pick(block, ['uri', 'name', 'mimeType']) }
    default:
      return toJson(block)
  }
}

const longest: { readonly [field: string]: number } = { mimeType: 200, uri: 4096, name: 1000 }

function pick(source: JsonObject, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {}
  for (const field of fields) {
    const value = source[field]
    if (typeof value === 'string') picked[field] = value.slice(0, longest[field])
  }
  return picked
}

function toJson(value: JsonValue): JsonObject {
  return { type: 'json', text: JSON.stringify(value) }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
