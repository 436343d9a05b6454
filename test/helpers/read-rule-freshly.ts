import { canonicalJson } from '../../src/contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../src/contract/json.ts'

/**
 * Reference implementation of an allow rule, independent of the production code: uses JavaScript regular expressions and
 * tries every way to split the text at its literal keys. The pattern must match the whole input, and each value must
 * match the part between its key and the next.
 */
export function readRuleFreshly(pattern: string, input: JsonObject): boolean {
  // A deliberate rule for the whole tool. Other tests check what it still must not allow.
  if (pattern === '*') return true
  const text = canonicalJson(input)
  const inside = /^\^?\\?\{(.*?)\\?\}\$?$/s.exec(pattern)?.[1]
  if (inside === undefined || !matches(pattern, text)) return false
  const parsed: JsonObject = JSON.parse(text)
  return canBeCut(inside, Object.entries(parsed))
}

/** Whether the text is `"key":value,"key":value` with these keys and patterns that match these values. */
function canBeCut(text: string, entries: readonly (readonly [string, JsonValue])[]): boolean {
  const [first, ...rest] = entries
  if (!first) return text === ''
  const [key, value] = first
  const after = withoutStart(text, `${JSON.stringify(key)}:`)
  if (after === undefined) return false
  if (rest.length === 0) return matches(after, canonicalJson(value))
  // A comma may be escaped, too.
  for (let at = after.indexOf(','); at >= 0; at = after.indexOf(',', at + 1)) {
    const part = after.slice(0, at).replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')
    if (matches(part, canonicalJson(value)) && canBeCut(after.slice(at + 1), rest)) return true
  }
  return false
}

/** The rest after a literal name; characters that are special in a pattern are escaped. */
function withoutStart(text: string, name: string): string | undefined {
  let rest = text
  for (const character of name) {
    const isPlain = rest.startsWith(character) && !/[\\^$.*+?()[|]/.test(character)
    if (!isPlain && !rest.startsWith(`\\${character}`)) return undefined
    rest = rest.slice(isPlain ? 1 : 2)
  }
  return rest
}

function matches(pattern: string, text: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(`^(?:${pattern})$`, flags).test(text)
    } catch {
      return false
    }
  })
}
