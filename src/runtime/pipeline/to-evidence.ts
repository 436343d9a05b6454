import { inspect } from 'node:util'
import type { JsonValue } from '../../contract/json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import { shorten } from '../../contract/text/shorten.ts'

/** Stored characters of what a tool returned. */
export const maxEvidenceCharacters = 262_144
const bounds = { maxBytes: 16 * 1024 * 1024, maxDepth: 256 }

/** What a tool returned in breach of its contract, as bounded text for people: JSON if possible, else as Node inspects it. */
export function toEvidence(raw: unknown, redact: (value: JsonValue) => JsonValue): string {
  const bounded = boundJson(raw, bounds)
  const text = bounded.ok ? JSON.stringify(redact(bounded.value), null, 2) : String(redact(look(raw)))
  return shorten(text, maxEvidenceCharacters)
}

/** Runs no code of the value: neither getters nor custom inspection. */
function look(raw: unknown): string {
  return inspect(raw, { depth: 16, maxStringLength: 65_536, maxArrayLength: 1000, customInspect: false })
}
