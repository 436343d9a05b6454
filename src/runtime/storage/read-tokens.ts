import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { hashToken, type Token, type TokenUses, toPrefix } from './tokens.ts'

const time = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** The fields that every token has, and how they look. */
const fields: { readonly [name: string]: RegExp } = {
  caller: /^[A-Za-z0-9][\w.@-]{0,63}$/,
  hash: /^[\w-]{43}$/,
  prefix: /^[\w.~+/-]{4,16}$/,
  createdAt: time,
}

const optional: { readonly [name: string]: (value: JsonValue) => boolean } = {
  expiresAt: (value) => typeof value === 'string' && time.test(value) && !Number.isNaN(Date.parse(value)),
  scope: isScope,
  label: (value) => typeof value === 'string' && /^[\w.@ :-]{1,64}$/.test(value),
}

/** As older versions stored it: long enough not to be guessed, and limited to characters that a header can carry. */
const plainToken = /^[\w.~+/-]{32,512}$/

/** What was read. `isPlain`: it contains tokens themselves, and is to be written again. */
export interface ReadTokens {
  readonly tokens: Token[]
  readonly isPlain: boolean
}

/** Parses stored tokens. Error messages complete a sentence that starts with where they are. */
export function readTokens(bytes: Uint8Array): ReadTokens {
  const parsed = parseJson(bytes, { maxBytes: 16_777_216, maxDepth: 8 })
  if (!parsed.ok) throw new Error(`is not valid: ${parsed.message}`)
  // Older versions stored a list in Postgres.
  const content = Array.isArray(parsed.value) ? { version: 1, tokens: parsed.value } : parsed.value
  const { version, tokens, ...others } = mustBeObject(content, 'is no object')
  if (version !== 1 && version !== 2) throw new Error(`has the version ${JSON.stringify(version)}, and this Toolpact knows version 2`) // biome-ignore format: one line
  const [other] = Object.keys(others)
  if (other !== undefined) throw new Error(`has '${other}', which no tokens file has`)
  if (!Array.isArray(tokens)) throw new Error("has no list 'tokens'")
  const read = tokens.map((value, index) => {
    const name = `token ${index + 1}`
    const token = mustBeObject(value, `has a ${name} that is no object`)
    return readToken(version === 1 ? withHash(token, name) : token, name)
  })
  if (new Set(read.map(({ hash }) => hash)).size < read.length) throw new Error('has the same token twice')
  return { tokens: read, isPlain: version === 1 }
}

export function writeTokens(tokens: readonly Token[]): string {
  const text = `${JSON.stringify({ version: 2, tokens }, null, 2)}\n`
  // What cannot be read again would lock every caller out.
  readTokens(Buffer.from(text))
  return text
}

/** Never fails: times of use are no more than a hint. */
export function readUses(text: string | undefined): TokenUses {
  try {
    const uses: unknown = JSON.parse(text ?? '{}')
    const entries = Object.entries(uses as object).filter(([id, at]) => /^[0-9a-f]{12}$/.test(id) && time.test(at))
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

/** Replaces the token of an older version by its hash. */
function withHash({ token, ...rest }: JsonObject, name: string): JsonObject {
  if (typeof token !== 'string' || !plainToken.test(token)) throw new Error(`has no valid 'token' in ${name}`)
  return { ...rest, hash: hashToken(token), prefix: toPrefix(token) }
}

function readToken(token: JsonObject, name: string): Token {
  for (const [field, pattern] of Object.entries(fields)) {
    const text = Object.hasOwn(token, field) ? token[field] : undefined
    if (typeof text !== 'string' || !pattern.test(text)) throw new Error(`has no valid '${field}' in ${name}`)
  }
  for (const [field, isValid] of Object.entries(optional))
    if (Object.hasOwn(token, field) && !isValid(token[field]!)) throw new Error(`has no valid '${field}' in ${name}`)
  const other = Object.keys(token).find((field) => !Object.hasOwn(fields, field) && !Object.hasOwn(optional, field))
  if (other !== undefined) throw new Error(`has '${other}' in ${name}, which no token has`)
  return token as unknown as Token
}

/** A scope that is not understood must not be taken for none. */
function isScope(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { toolsets, readOnly, ...others } = value as JsonObject
  return (
    Object.keys(others).length === 0 &&
    (readOnly === undefined || readOnly === true) &&
    (toolsets === undefined ||
      (Array.isArray(toolsets) && toolsets.every((name) => typeof name === 'string' && /^[\w.-]{1,128}$/.test(name))))
  )
}

function mustBeObject(value: JsonValue, fault: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(fault)
}
