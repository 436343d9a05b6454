import { readFile, stat } from 'node:fs/promises'
import type { JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'

/** The same limits as for a config. */
const limits = { maxBytes: 1_048_576, maxDepth: 128 }

/** Reads a JSON file of a contract folder, or says why that is not possible, without a full stop. */
export async function readDocument(
  path: string,
): Promise<{ readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string }> {
  // Reading a pipe could block forever.
  if (!(await stat(path).catch(() => undefined))?.isFile()) return { ok: false, reason: 'It is not a regular file' }
  const parsed = parseJson(await readFile(path), limits)
  if (parsed.ok) return parsed
  return { ok: false, reason: `It is not valid JSON. ${parsed.message.replace(/\.$/, '')}` }
}
