import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import { parseJson } from '../contract/schema/parse-json.ts'
import { errorCodes } from './reply.ts'

export type RequestId = string | number

export interface Request {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
}

export type Message =
  | Request
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'response'; readonly id: RequestId; readonly result?: JsonValue }
  | Invalid

/** An invalid message, to be answered with an error. `id`: if one could be read. */
export interface Invalid {
  readonly kind: 'invalid'
  readonly id?: RequestId
  readonly code: number
  readonly message: string
}

/** Limits what is parsed at all. The contract of a tool limits its input further. */
export const maxMessageBytes = 16 * 1024 * 1024
/** An input may be nested 64 levels deep, inside its message. */
const maxDepth = 80
const maxIdCharacters = 1000
const maxBatched = 100

/** Parses a message, or a batch. Never throws. */
export function readMessages(text: Uint8Array): Message | Message[] {
  const parsed = parseJson(text, { maxBytes: maxMessageBytes, maxDepth })
  if (!parsed.ok) {
    const code = parsed.reason === 'syntax' ? errorCodes.parse : errorCodes.request
    return { kind: 'invalid', code, message: parsed.message }
  }
  const { value } = parsed
  if (!Array.isArray(value)) return toMessage(value)
  if (value.length === 0 || value.length > maxBatched)
    return invalid(`A batch has 1 to ${maxBatched} messages. Send them one by one.`)
  return value.map(toMessage)
}

const envelopeKeys = ['jsonrpc', 'id', 'method', 'params', 'result', 'error']

function toMessage(value: JsonValue): Message {
  if (!isObject(value)) return invalid('A message is a JSON object.')
  const id = isRequestId(value.id) ? value.id : undefined
  const fault = findFault(value, id)
  if (fault !== undefined) return invalid(fault, id)
  const { method, params = {}, result } = value
  if (typeof method !== 'string') return { kind: 'response', id: id!, ...(result !== undefined && { result }) }
  return id === undefined
    ? { kind: 'notification', method, params: params as JsonObject }
    : { kind: 'request', id, method, params: params as JsonObject }
}

function findFault(value: JsonObject, id: RequestId | undefined): string | undefined {
  const variant = findCaseVariant(value, envelopeKeys)
  if (variant !== undefined) return variant
  if (value.jsonrpc !== '2.0') return 'A message has "jsonrpc": "2.0".'
  if (value.id !== undefined && id === undefined) return 'An id is a string or an integer.'
  if (typeof value.method === 'string')
    return value.params === undefined || isObject(value.params) ? undefined : 'params is an object.'
  const isResponse = (value.result === undefined) !== (value.error === undefined)
  if (value.method !== undefined || !isResponse) return 'A message has a method, or else a result or an error.'
  return id === undefined ? 'A response has the id of its request.' : undefined
}

/** Finds keys that differ from a known one only in case: a case-insensitive parser would read another message (CVE-2026-27896). */
export function findCaseVariant(value: JsonObject, known: readonly string[]): string | undefined {
  for (const key in value) {
    if (known.includes(key)) continue
    const meant = known.find((name) => name.toLowerCase() === key.toLowerCase())
    if (meant !== undefined) return `There is no ${JSON.stringify(key)}. Write "${meant}".`
  }
  return undefined
}

function invalid(message: string, id?: RequestId): Invalid {
  return { kind: 'invalid', code: errorCodes.request, message, ...(id !== undefined && { id }) }
}

export function isRequestId(value: JsonValue | undefined): value is RequestId {
  return typeof value === 'string' ? value.length <= maxIdCharacters : Number.isSafeInteger(value)
}
