import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { pointerTo } from '../../contract/schema/json-pointer.ts'
import type { Passage } from './to-words.ts'

/**
 * Every text of a definition that a model may read. Descriptions come first and as one text, in the order of the
 * document, since an order may be split over them; then all other strings and the names of properties, one by one.
 */
export function collectPassages(definition: JsonObject): Passage[] {
  const prose: Passage[] = []
  const others: Passage[] = []
  // Its own stack, and in the order of the document.
  const open: { value: JsonValue; pointer: string; key: string }[] = [{ value: definition, pointer: '', key: '' }]
  for (let part = open.pop(); part; part = open.pop()) {
    const { value, pointer, key } = part
    if (typeof value === 'string') {
      if (key === 'description') prose.push({ text: value, pointer, goesOn: true })
      else if (!skipped.has(key)) others.push({ text: value, pointer })
    }
    if (typeof value !== 'object' || value === null) continue
    const entries = Object.entries(value)
    if (key === 'properties' && !Array.isArray(value)) {
      for (const [name] of entries) others.push({ text: toSpoken(name), pointer: pointerTo(pointer, name) })
    }
    // Texts of a list, such as an enum, are read together too.
    if (Array.isArray(value)) others.push(...toList(value, pointer))
    for (const [name, item] of entries.reverse()) {
      if (Array.isArray(value) && typeof item === 'string') continue
      open.push({ value: item, pointer: pointerTo(pointer, name), key: name })
    }
  }
  return [...prose, ...others]
}

/** Not for a model to read, and full of signs. */
const skipped = new Set(['pattern', '$schema', '$ref', '$id', 'format', 'type', 'mimeType', 'src'])

function toList(items: readonly JsonValue[], pointer: string): Passage[] {
  return items.flatMap((text, index) =>
    typeof text === 'string' ? [{ text, pointer: pointerTo(pointer, index), goesOn: index > 0 }] : [],
  )
}

/** `userMessage` is read as two words. */
function toSpoken(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
}
