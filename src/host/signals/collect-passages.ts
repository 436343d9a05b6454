import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import type { Passage } from './to-words.ts'

/**
 * Every text of a definition that a model may read, each string by itself and in the order of the document. Names of tools
 * and properties are not text: honest ones consist of the same words as an order.
 */
export function collectPassages(definition: JsonObject): Passage[] {
  const passages: Passage[] = []
  // An explicit stack: a definition may be deep.
  const open: { value: JsonValue; pointer: string; key: string }[] = [{ value: definition, pointer: '', key: '' }]
  for (let part = open.pop(); part; part = open.pop()) {
    const { value, pointer, key } = part
    if (typeof value === 'string') {
      if (!isSkipped(key, pointer)) passages.push({ text: value, pointer })
    } else if (typeof value === 'object' && value !== null) {
      const inner = key === 'required' ? [] : Object.entries(value).reverse()
      for (const [name, item] of inner) open.push({ value: item, pointer: pointerTo(pointer, name), key: name })
    }
  }
  return passages
}

/** Not for a model to read, a name, or an address. */
const skipped = new Set([
  ...['pattern', '$schema', '$ref', '$id', '$anchor', 'format', 'type', 'mimeType'],
  ...['src', 'href', 'url', 'uri', 'contentMediaType', 'contentEncoding'],
])

function isSkipped(key: string, pointer: string): boolean {
  return skipped.has(key) || pointer === '/name'
}
