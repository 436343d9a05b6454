import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'

/** A safeguard for the parser: the pipeline limits the depth of inputs. */
const maxDepth = 256

export type Parsed = ReturnType<typeof parseJson> | { readonly ok: true; readonly value: JsonValue }

/** Without a body, the input is empty. */
export function toInput(body: Buffer | undefined): Parsed {
  if (body === undefined || body.length === 0) return { ok: true, value: {} }
  return parseJson(body, { maxBytes: body.length, maxDepth })
}
