/**
 * A strict JSON parser for untrusted text.
 *
 * Invariant: accepted text has exactly one meaning. Duplicate keys, `__proto__`, lone surrogates, numbers out of range and
 * everything that other parsers read differently are refused, with a location.
 *
 * Hard part: `JSON.parse` hides duplicate keys and has a V8 bug with escaped keys, but is much faster. `parse-sound.ts`
 * therefore proves cheaply that most texts are sound; only the rest goes through the parser in `scan-json.ts`.
 */

import type { BoundedJson, JsonLimits } from './bound-json.ts'
import { toRefusal } from './json-refusal.ts'
import { parseSound } from './parse-sound.ts'
import { loneSurrogate, scanJson, type TextRefusal } from './scan-json.ts'

/**
 * Parses untrusted JSON text. The size is checked first and the depth before parsing. Grammar and keys are checked
 * strictly, so that no two parsers can read different values from the same text.
 *
 * `parseJson('{"a":1,"\\u0061":2}', limits)` is refused as `duplicate_key` at `/a`.
 */
export function parseJson(text: string | Uint8Array, limits: JsonLimits): BoundedJson | TextRefusal {
  const bytes = bytesOf(text, limits.maxBytes)
  if (bytes > limits.maxBytes) {
    const fault = `The text has more than ${limits.maxBytes} bytes`
    return toRefusal('too_large', '', { fault, advice: 'Send less.' })
  }
  const decoded = typeof text === 'string' ? text : decode(text)
  if (decoded === undefined)
    return toRefusal('syntax', '', { fault: 'The text is not valid UTF-8', advice: 'Encode it as UTF-8.' })
  if (!decoded.isWellFormed())
    return toRefusal('not_json', '', { ...loneSurrogate, fault: `The text ${loneSurrogate.fault}` })
  const sound = parseSound(decoded, limits.maxDepth)
  if (sound !== undefined) return { ok: true, value: sound, bytes }
  const scanned = scanJson(decoded, limits.maxDepth)
  return scanned.ok ? { ...scanned, bytes } : scanned
}

function bytesOf(text: string | Uint8Array, maxBytes: number): number {
  if (typeof text !== 'string') return text.byteLength
  return text.length > maxBytes ? text.length : Buffer.byteLength(text)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
