import { digestText } from '../digest.ts'
import type { JsonSchema } from '../json.ts'

/**
 * The digest of a schema as it is written. Canonical JSON would cost ten times as much at a start, and a schema that comes with
 * Toolpact is written in one way. What cannot be written has none.
 */
export function digestOfText(schema: JsonSchema): string {
  try {
    return digestText(JSON.stringify(schema))
  } catch {
    return ''
  }
}
