import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { findCaseVariant, isRequestId, type RequestId } from '../../protocol/message.ts'

/** A message from a server. */
export type Incoming =
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: JsonValue }
  | { readonly kind: 'error'; readonly id: RequestId | undefined; readonly error: RpcError }
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  /** An invalid message. `id`: the request that it answers, if known. */
  | { readonly kind: 'broken'; readonly id?: RequestId; readonly fault: string }
  /** Not a message at all. */
  | { readonly kind: 'noise' }

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: JsonValue
}

const maxDepth = 80
const maxBatched = 100
const envelopeKeys = ['jsonrpc', 'id', 'method', 'params', 'result', 'error']

/** Parses a message, or a batch. Never throws. */
export function readIncoming(text: Uint8Array, maxBytes: number): readonly Incoming[] {
  const parsed = parseJson(text, { maxBytes, maxDepth })
  if (!parsed.ok) return [toRefused(text, parsed)]
  const { value } = parsed
  if (!Array.isArray(value)) return [toIncoming(value)]
  return value.length > maxBatched ? [{ kind: 'noise' }] : value.map(toIncoming)
}

function toIncoming(value: JsonValue): Incoming {
  if (!isObject(value) || !isMeant(value)) return { kind: 'noise' }
  if (typeof value.method === 'string') return toCall(value, value.method)
  const { id, result } = value
  // Some servers send both, one of them null.
  const error = value.error === null && result !== undefined ? undefined : value.error
  const fault = findFault(value)
  if (fault !== undefined) return toBroken(fault, id)
  if (isObject(error)) return toError(id, error)
  if (result === undefined || error !== undefined) return toBroken('It has neither a result nor an error.', id)
  return isRequestId(id) ? { kind: 'result', id, result } : { kind: 'broken', fault: 'It has no id.' }
}

/** Requests and notifications of the server. Invalid ones are treated as noise, since no call waits for them. */
function toCall(value: JsonObject, method: string): Incoming {
  const { id, params = {} } = value
  if (findFault(value) !== undefined || !isObject(params)) return { kind: 'noise' }
  if (id === undefined) return { kind: 'notification', method, params }
  return isRequestId(id) ? { kind: 'request', id, method, params } : { kind: 'noise' }
}

function isMeant(value: JsonObject): boolean {
  return value.jsonrpc !== undefined || (value.id !== undefined && ('result' in value || 'error' in value))
}

function findFault(value: JsonObject): string | undefined {
  if (value.jsonrpc !== '2.0') return 'It has no "jsonrpc": "2.0".'
  return findCaseVariant(value, envelopeKeys)
}

function toError(id: JsonValue | undefined, { code, message, data }: JsonObject): Incoming {
  const error = {
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? message : 'It gives no reason.',
    ...(data !== undefined && { data }),
  }
  return { kind: 'error', id: isRequestId(id) ? id : undefined, error }
}

function toBroken(fault: string, id: JsonValue | undefined): Incoming {
  return { kind: 'broken', fault, ...(isRequestId(id) && { id }) }
}

/** Text that the strict parser rejects. It may still answer a request, which must then fail. */
function toRefused(text: Uint8Array, refusal: { readonly reason: string; pointer: string; message: string }): Incoming {
  const decoded = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()
  if (refusal.reason === 'syntax') {
    const isMeantSo = /^\s*\{/.test(decoded) && decoded.includes('"jsonrpc"')
    return isMeantSo ? { kind: 'broken', fault: refusal.message } : { kind: 'noise' }
  }
  // It parses, but ambiguously, such as with a duplicate key. The id is usable unless it is the ambiguous part.
  const value = readLoosely(decoded)
  if (!isObject(value) || !isMeant(value)) return { kind: 'noise' }
  return toBroken(refusal.message, refusal.pointer === '/id' ? undefined : value.id)
}

function readLoosely(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
