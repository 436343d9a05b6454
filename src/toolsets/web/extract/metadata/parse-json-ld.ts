import type { JsonObject, JsonValue } from '../../../../contract/json.ts'

const maxBytes = 1_000_000
const maxScripts = 40
const maxNodes = 20_000
const maxTyped = 500

export interface LinkedData {
  /** Every object with a type, outermost first. */
  readonly nodes: readonly JsonObject[]
  /** Objects by `@id`. */
  readonly named: ReadonlyMap<string, JsonObject>
  /** Sources that are not valid JSON even after repair. */
  readonly broken: string
}

/** The objects in a page's JSON-LD, up to a limit. The data may be huge, deep, broken or of any shape. */
export function parseJsonLd(scripts: readonly string[]): LinkedData {
  const nodes: JsonObject[] = []
  const named = new Map<string, JsonObject>()
  const queue: JsonValue[] = []
  let broken = ''
  let bytes = 0
  for (const script of scripts.slice(0, maxScripts)) {
    bytes += script.length
    if (bytes > maxBytes) break
    const value = parse(script)
    if (value === undefined) broken += script
    else queue.push(value)
  }
  for (let at = 0; at < queue.length && at < maxNodes; at++) {
    const value = queue[at]!
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value)) {
      const id = value['@id']
      if ('@type' in value && nodes.length < maxTyped) nodes.push(value)
      if (typeof id === 'string' && (!named.has(id) || 'name' in value)) named.set(id, value)
    }
    for (const part of Object.values(value)) {
      if (queue.length >= maxNodes) break
      if (typeof part === 'object' && part !== null) queue.push(part)
    }
  }
  return { nodes, named, broken }
}

/** Repairs common mistakes: surrounding comments, line breaks in strings, trailing commas. */
function parse(script: string): JsonValue | undefined {
  const text = script.trim()
  for (const mend of [(same: string) => same, mendLines, mendCommas]) {
    try {
      return JSON.parse(mend(text)) as JsonValue
    } catch {
      // Try the next repair.
    }
  }
  return undefined
}

function mendLines(text: string): string {
  return text
    .replace(/^(?:<!--|\/\/\s?<!\[CDATA\[|\/\*\s?<!\[CDATA\[\s?\*\/|<!\[CDATA\[)/, '')
    .replace(/(?:-->|\/\/\s?\]\]>|\/\*\s?\]\]>\s?\*\/|\]\]>|;)$/, '')
    .replace(/[\x00-\x1f]/g, ' ')
}

function mendCommas(text: string): string {
  return mendLines(text).replace(/,(?= {0,200}[\]}])/g, '')
}
