import type { JsonObject, JsonValue } from '../../../contract/json.ts'
import { parseJson } from '../../../contract/schema/parse-json.ts'
import type { Token } from '../operator-state.ts'

/** The content of a tokens file. Throws what is wrong with it, as the end of a sentence that begins with the file. */
export function readTokens(bytes: Uint8Array): Token[] {
  const parsed = parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 8 })
  if (!parsed.ok) throw new Error(`is not valid: ${parsed.message}`)
  const { version, tokens, ...others } = mustBeObject(parsed.value, 'is no object')
  if (version !== 1) throw new Error(`has the version ${JSON.stringify(version)}, and this Toolpact knows version 1`)
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`has '${other}', which no tokens file has`)
  if (!Array.isArray(tokens)) throw new Error("has no list 'tokens'")
  const read = tokens.map((value, index) => readToken(value, `token ${index + 1}`))
  for (const field of ['caller', 'token'] as const)
    if (new Set(read.map((token) => token[field])).size < read.length) throw new Error(`has the same ${field} twice`)
  return read
}

export function writeTokens(tokens: readonly Token[]): string {
  return `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`
}

/** A short one could be guessed; other characters could not be sent in a header. */
const fields: { readonly [name: string]: RegExp } = {
  caller: /^[A-Za-z0-9][\w.@-]{0,63}$/,
  token: /^[\w.~+/-]{32,512}$/,
  createdAt: /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/,
}

function readToken(value: JsonValue, name: string): Token {
  const token = mustBeObject(value, `has a ${name} that is no object`)
  for (const [field, pattern] of Object.entries(fields)) {
    const text = Object.hasOwn(token, field) ? token[field] : undefined
    if (typeof text !== 'string' || !pattern.test(text)) throw new Error(`has no valid '${field}' in ${name}`)
  }
  const other = Object.keys(token).find((field) => !Object.hasOwn(fields, field))
  if (other !== undefined) throw new Error(`has '${other}' in ${name}, which no token has`)
  return token as unknown as Token
}

function mustBeObject(value: JsonValue, fault: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(fault)
}
