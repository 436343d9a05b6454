import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { findCaseVariant, isRequestId, type RequestId } from '../../protocol/message.ts'

/** What a server said. */
export type Incoming =
  | { readonly kind: 'result'; readonly id: RequestId; readonly result: JsonValue }
  | { readonly kind: 'error'; readonly id: RequestId | undefined; readonly error: RpcError }
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject }
  /** It was meant to be a message. The id is there where it can be told whose answer it was. */
  | { readonly kind: 'broken'; readonly id?: RequestId; readonly fault: string }
  /** It was never meant to be one. */
  | { readonly kind: 'noise' }

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: JsonValue
}

const maxDepth = 80
const maxBatched = 100
const envelopeKeys = ['jsonrpc', 'id', 'method', 'params', 'result', 'error']

/** Reads one message, or several where they come as an array. Never throws, whatever the bytes are. */
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

/** Nobody waits for these, so that one that is wrong is as good as none. */
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
    message: typeof message === 'string' ? message : 'It does not say why.',
    ...(data !== undefined && { data }),
  }
  return { kind: 'error', id: isRequestId(id) ? id : undefined, error }
}

function toBroken(fault: string, id: JsonValue | undefined): Incoming {
  return { kind: 'broken', fault, ...(isRequestId(id) && { id }) }
}

/** Text that is no JSON for us. Other readers may see a message in it, and then somebody waits for it. */
function toRefused(text: Uint8Array, refusal: { readonly reason: string; pointer: string; message: string }): Incoming {
  const decoded = Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()
  if (refusal.reason === 'syntax') {
    const isMeantSo = /^\s*\{/.test(decoded) && decoded.includes('"jsonrpc"')
    return isMeantSo ? { kind: 'broken', fault: refusal.message } : { kind: 'noise' }
  }
  // The rest of it can be read, but not twice the same way: whose answer it is can be told unless that is in doubt.
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
