import type { JsonObject, JsonValue } from '../contract/json.ts'
import { createTextRedactor, toCount } from './redact-text.ts'
import { isSecretName } from './secret-name.ts'

export interface RedactorOptions {
  /** Values of variables with secret-like names, or listed in `names`, are redacted wherever they occur. */
  readonly environment?: { readonly [name: string]: string | undefined }
  readonly names?: readonly string[]
  /** Approximate number of characters to keep of a value. Default: enough for an input. */
  readonly maxCharacters?: number
}

/** Characters that are kept of one text, and of a whole value, about. */
const usualText = 1024
const usualValue = 16_384
const deepest = 16
/** Approximate cost of a number or bracket. */
const scalarLength = 8
/** Max cached keys. Callers choose keys, so the cache must be bounded. */
const maxKeys = 1000

/**
 * Creates a function that returns a bounded copy of a value without secrets.
 *
 * `createRedactor()({ user: 'ada', password: 'x' })` is `{ user: 'ada', password: '[redacted]' }`.
 */
export function createRedactor({
  environment = {},
  names = [],
  maxCharacters,
}: RedactorOptions = {}): (value: JsonValue) => JsonValue {
  const redactText = createTextRedactor({ environment, names })
  const maxText = maxCharacters ?? usualText
  const maxValue = maxCharacters ?? usualValue
  const keys = new Map<string, { readonly text: string; readonly isSecret: boolean }>()
  /** Characters left for the current value. Redaction is synchronous, so there is only one. */
  let left = 0

  return (value) => {
    left = maxValue
    return redact(value, 0)
  }

  function redact(value: JsonValue, depth: number): JsonValue {
    if (typeof value === 'string') return keepText(value)
    left -= scalarLength
    if (typeof value !== 'object' || value === null) return value
    if (depth === deepest) return '… (deeper than is kept)'
    return Array.isArray(value) ? redactArray(value, depth + 1) : redactObject(value, depth + 1)
  }

  function keepText(text: string): string {
    const kept = redactText(text, Math.max(Math.min(maxText, left), 0))
    left -= kept.length
    return kept
  }

  function redactArray(array: JsonValue[], depth: number): JsonValue[] {
    const kept: JsonValue[] = []
    for (let index = 0; index < array.length; index++) {
      if (left <= 0) {
        kept.push(`… (${toCount(array.length - index)} more items)`)
        break
      }
      const item = array[index]!
      kept.push(isSecretOption(array[index - 1]) ? hide(item) : redact(item, depth))
    }
    return kept
  }

  function redactObject(object: JsonObject, depth: number): JsonObject {
    const kept: JsonObject = {}
    const fields = Object.keys(object)
    const hidesValue = isSecretPair(object)
    for (let index = 0; index < fields.length; index++) {
      if (left <= 0) {
        kept['…'] = `(${toCount(fields.length - index)} more keys)`
        break
      }
      const name = fields[index]!
      const { text, isSecret } = toKey(name)
      left -= text.length
      const item = object[name]!
      set(kept, text, isSecret || (hidesValue && name === 'value') ? hide(item) : redact(item, depth))
    }
    return kept
  }

  function toKey(name: string) {
    const known = keys.get(name)
    if (known) return known
    const key = { text: redactText(name, usualText), isSecret: names.includes(name) || isSecretName(name) }
    if (keys.size < maxKeys) keys.set(name, key)
    return key
  }
}

/** Values that cannot be secrets are kept, since they show whether there was one. */
function hide(value: JsonValue): JsonValue {
  return value === null || typeof value === 'boolean' || value === '' ? value : '[redacted]'
}

/** `["--password", "…"]` */
function isSecretOption(item: JsonValue | undefined): boolean {
  return typeof item === 'string' && item.startsWith('-') && isSecretName(item)
}

/** `{ "name": "Authorization", "value": "…" }` */
function isSecretPair({ name, key, value }: JsonObject): boolean {
  if (value === undefined) return false
  return (typeof name === 'string' && isSecretName(name)) || (typeof key === 'string' && isSecretName(key))
}

function set(object: JsonObject, key: string, value: JsonValue) {
  if (key !== '__proto__') object[key] = value
  // Assigning `__proto__` would set the prototype.
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}
