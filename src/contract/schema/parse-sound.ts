import type { JsonValue } from '../json.ts'

/**
 * Fast path, little slower than `JSON.parse`: returns the value of text that is certainly sound, or undefined if the
 * strict parser must decide. A duplicate key is one key in the value, so the text and the value have the same number of
 * keys only if there is no duplicate.
 */
export function parseSound(text: string, maxDepth: number): JsonValue | undefined {
  const keys = escapedSurrogate.test(text) ? undefined : countColons(text, maxDepth)
  if (keys === undefined) return undefined
  try {
    const value = JSON.parse(text) as JsonValue
    return countKeys(value) === keys ? value : undefined
  } catch {
    return undefined
  }
}

const escapedSurrogate = /\\u[dD]/

/** Counts the colons outside strings, one per key. Undefined if the text is nested too deep. */
function countColons(text: string, maxDepth: number): number | undefined {
  let colons = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        do at = text.indexOf('"', at + 1)
        while (at !== -1 && isEscaped(text, at))
        if (at === -1) return undefined
        break
      case 0x5b:
      case 0x7b:
        if (++depth > maxDepth) return undefined
        break
      case 0x5d:
      case 0x7d:
        depth--
        break
      case 0x3a:
        colons++
    }
  }
  return colons
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === 0x5c) first--
  return (at - first) % 2 === 1
}

/** Counts the keys of a value of bounded depth; NaN if JSON text must not contain it. */
function countKeys(value: JsonValue): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) for (const item of value) keys += countKeys(item)
  else
    for (const key in value) {
      // A key that V8 confused with another (nodejs/node#63785) starts an escape in its text, so it contains a
      // backslash.
      if (key === '__proto__' || key.includes('\\')) return Number.NaN
      keys += 1 + countKeys(value[key]!)
    }
  return keys
}
