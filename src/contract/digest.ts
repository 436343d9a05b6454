import { hash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Contract } from './contract.ts'
import type { JsonValue } from './json.ts'

const digests = new WeakMap<object, string>()

/**
 * The SHA-256 of a value's canonical JSON, as `sha256:` and 64 hex digits. Cached for deeply frozen values, such as the
 * contract of a tool.
 */
export function digest(value: JsonValue | Contract): string {
  if (typeof value !== 'object' || value === null) return toDigest(value)
  const known = digests.get(value)
  if (known !== undefined) return known
  const made = toDigest(value as JsonValue)
  if (isDeepFrozen(value)) digests.set(value, made)
  return made
}

function toDigest(value: JsonValue): string {
  return digestText(canonicalJson(value))
}

/** The digest of text that is already canonical. */
export function digestText(text: string): string {
  return `sha256:${hash('sha256', text)}`
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen)
}
