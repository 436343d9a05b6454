import type { JsonObject } from '../../contract/json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'

/** Small enough for a header of HTTP. */
const limits = { maxBytes: 4096, maxDepth: 8 }

/** Adds facts to those told before. What is no object, or too much, is dropped: a result is worth more than a note on it. */
export function toNotes(before: JsonObject | undefined, facts: unknown): JsonObject | undefined {
  if (typeof facts !== 'object' || facts === null || Array.isArray(facts)) return before
  const bounded = boundJson({ ...before, ...facts }, limits)
  return bounded.ok ? (bounded.value as JsonObject) : before
}
