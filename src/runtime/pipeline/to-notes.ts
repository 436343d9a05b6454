import type { JsonObject } from '../../contract/json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'

/** Fits into an HTTP header. */
const limits = { maxBytes: 4096, maxDepth: 8 }

/** Adds facts to the notes of a call. Anything but an object, or too much, is dropped: the result matters more than its notes. */
export function toNotes(before: JsonObject | undefined, facts: unknown): JsonObject | undefined {
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return before
  const bounded = boundJson({ ...before, ...facts }, limits)
  return bounded.ok ? (bounded.value as JsonObject) : before
}
