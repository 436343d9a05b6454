import type { JsonValue } from '../json.ts'

/**
 * The value of a text that is fine beyond doubt, at little more than the cost of `JSON.parse`; undefined where a closer
 * look is needed. A key that is there twice is one key in the value, so text and value have as many keys only where each
 * is there once.
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

/** The colons of a text that stand outside strings: in JSON one for each key. Nothing where it is nested too deep. */
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

/** The keys of a value of bounded depth; not a number where it holds what JSON text may not say. */
function countKeys(value: JsonValue): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) for (const item of value) keys += countKeys(item)
  else
    for (const key in value) {
      // A key that V8 took for another one (nodejs/node#63785) has a backslash: the first of those in its text.
      if (key === '__proto__' || key.includes('\\')) return Number.NaN
      keys += 1 + countKeys(value[key]!)
    }
  return keys
}
