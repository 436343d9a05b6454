import { inspect } from 'node:util'
import type { JsonValue } from '../../contract/json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { shorten } from '../../contract/text/shorten.ts'

/** Characters that are kept of what a tool said. */
export const maxEvidenceCharacters = 262_144
const bounds = { maxBytes: 16 * 1024 * 1024, maxDepth: 256 }

/** What a tool said that broke its contract, as bounded text for people: JSON where it is, else as Node would show it. */
export function toEvidence(raw: unknown, redact: (value: JsonValue) => JsonValue): string {
  const bounded = boundJson(raw, bounds)
  const text = bounded.ok ? JSON.stringify(redact(bounded.value), null, 2) : String(redact(look(raw)))
  return shorten(text, maxEvidenceCharacters)
}

/** Runs nothing of the value itself: no getters, and no way of its own to be shown. */
function look(raw: unknown): string {
  return inspect(raw, { depth: 16, maxStringLength: 65_536, maxArrayLength: 1000, customInspect: false })
}
