import { isObject, type JsonObject, type JsonValue } from '../json.ts'

const maxMetaBytes = 4096
const maxItems = 50
const maxDepth = 4

/**
 * Filters `_meta` from an untrusted source: keeps numbers, flags and short words without spaces, which cannot carry a
 * sentence, under keys that neither MCP nor Toolpact reserves. What gives an app access (`ui`) is read by `readPageUi`.
 */
export function cleanMeta(meta: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(meta)) return undefined
  const entries = Object.entries(meta)
    .slice(0, maxItems)
    .filter(([key]) => isFree(key))
    .flatMap(([key, value]) => {
      const kept = toHarmless(value, 1)
      return kept === undefined ? [] : [[key, kept] as const]
    })
  const cleaned: JsonObject = Object.fromEntries(entries)
  return entries.length > 0 && JSON.stringify(cleaned).length <= maxMetaBytes ? cleaned : undefined
}

/** The valid MCP annotations of a content block. */
export function cleanAnnotations(annotations: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(annotations)) return undefined
  const { audience, priority, lastModified } = annotations
  const roles = Array.isArray(audience) ? audience.filter((role) => role === 'user' || role === 'assistant') : []
  const cleaned: JsonObject = {
    ...(roles.length > 0 && { audience: [...new Set(roles)] }),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(typeof lastModified === 'string' && date.test(lastModified) && { lastModified }),
  }
  return Object.keys(cleaned).length > 0 ? cleaned : undefined
}

const date = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

const keyForm = /^(?:[A-Za-z0-9.-]{1,100}\/)?[\w.-]{1,60}$/
const reserved = ['mcp', 'modelcontextprotocol', 'toolpact']

function isFree(key: string): boolean {
  if (!keyForm.test(key) || key === 'progressToken' || key === '__proto__' || /^ui(?:\/|$)/.test(key)) return false
  const labels = key.includes('/') ? key.slice(0, key.indexOf('/')).toLowerCase().split('.') : []
  return !labels.some((label) => reserved.includes(label))
}

const word = /^[\x21-\x7e]{0,256}$/
const innerKey = /^(?!__proto__$)[\w./:-]{1,60}$/

function toHarmless(value: JsonValue, depth: number): JsonValue | undefined {
  if (typeof value === 'string') return word.test(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return undefined
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => toHarmless(item, depth + 1))
    return value.length <= maxItems && items.every((item) => item !== undefined) ? items : undefined
  }
  const entries = Object.entries(value).slice(0, maxItems)
  const kept = entries.flatMap(([key, item]) => {
    const harmless = innerKey.test(key) ? toHarmless(item, depth + 1) : undefined
    return harmless === undefined ? [] : [[key, harmless] as const]
  })
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
