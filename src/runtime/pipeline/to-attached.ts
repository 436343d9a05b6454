import type { Attached } from '../../contract/call-result.ts'
import { cleanMeta } from '../../contract/content/clean-meta.ts'
import { cleanBlock, maxBlocks } from '../../contract/content/content-block.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { boundJson, type JsonLimits, type JsonRefusal } from '../../contract/schema/bound-json.ts'

/** What a run attached, unchecked. */
export interface Handed {
  readonly content: readonly unknown[]
  readonly meta?: unknown
}

/** Copies what a run attached within the limits, and sanitizes every block. */
export function toAttached(
  { content, meta }: Handed,
  limits: JsonLimits,
): { ok: true; attached?: Attached } | JsonRefusal {
  const bounded = boundJson({ content: content.slice(0, maxBlocks), meta: meta ?? null }, limits)
  if (!bounded.ok) return bounded
  const copied = bounded.value as { content: JsonValue[] } & JsonObject
  const blocks = copied.content.map(cleanBlock)
  const facts = cleanMeta(copied.meta)
  if (blocks.length === 0 && !facts) return { ok: true }
  return { ok: true, attached: { content: blocks, ...(facts && { meta: facts }) } }
}
