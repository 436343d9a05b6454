import { isObject, type JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'

/** A bullet as a model wrote it; an invalid one has whatever could be read. */
export interface WrittenBullet {
  readonly claim: string
  readonly evidence: string
  readonly isWellFormed: boolean
}

const limits = { maxBytes: 1_000_000, maxDepth: 8 }

/**
 * Parses an answer that must be one JSON object and nothing else, `{"type":"summary","bullets":[…]}`; nothing is
 * repaired.
 */
export function readSummary(answer: string): { readonly bullets: WrittenBullet[] } | { readonly fault: string } {
  const parsed = parseJson(answer.trim(), limits)
  if (!parsed.ok) return { fault: `the answer is not one JSON object: ${parsed.message}` }
  const { value } = parsed
  if (!isObject(value)) return { fault: 'the answer is not a JSON object' }
  const extra = Object.keys(value).find((key) => key !== 'type' && key !== 'bullets')
  if (extra !== undefined) return { fault: `the answer has the key ${JSON.stringify(extra.slice(0, 40))}` }
  if (value.type !== 'summary') return { fault: 'the answer does not have the type "summary"' }
  if (!Array.isArray(value.bullets)) return { fault: 'the answer has no list of bullets' }
  return { bullets: value.bullets.map(toBullet) }
}

function toBullet(value: JsonValue): WrittenBullet {
  const { claim, evidence, ...more } = isObject(value) ? value : {}
  const isText = typeof claim === 'string' && typeof evidence === 'string'
  return {
    claim: typeof claim === 'string' ? claim : '',
    evidence: typeof evidence === 'string' ? evidence : '',
    isWellFormed: isText && Object.keys(more).length === 0,
  }
}
