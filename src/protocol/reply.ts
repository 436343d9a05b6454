import type { JsonObject } from '../contract/json.ts'
import { shorten } from '../contract/text/shorten.ts'
import type { Invalid, Message, RequestId } from './message.ts'
import { modernRevisions } from './revisions.ts'

/** The reply to a request, serialized. */
export interface Reply {
  readonly text: string
  /** The same in parts, of which the long one is kept as bytes: for a reply that is sent again and again. */
  readonly parts?: readonly (string | Uint8Array)[]
  /** Set if the request itself was invalid; HTTP also sends a matching status. */
  readonly errorCode?: number
  /** Set if the call needs a scope that the token lacks; HTTP answers with 403 and a challenge. */
  readonly lacking?: string
}

export const errorCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headers: -32020,
  capability: -32021,
  revision: -32022,
} as const

/** Notifies a client that a list has changed. */
export const listChanged = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
} as const

export function toReply(id: RequestId, result: JsonObject): Reply {
  return toTextReply(id, JSON.stringify(result))
}

/** For a result that is already JSON text. */
export function toTextReply(id: RequestId, result: string): Reply {
  return { text: `${toStart(id)}${result}}` }
}

/** For a result whose long part in the middle is kept as bytes. */
export function toBytesReply(id: RequestId, before: string, bytes: Buffer, after: string): Reply {
  const parts = [toStart(id) + before, bytes, `${after}}`]
  return {
    parts,
    get text() {
      return parts.join('')
    },
  }
}

function toStart(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":`
}

/** Without an id if none could be read, as MCP specifies. */
export function toErrorReply(id: RequestId | undefined, error: RpcError): Reply {
  const { code } = error
  return { text: JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error }), errorCode: code }
}

export function toInvalidReply({ id, code, message }: Invalid): Reply {
  return toErrorReply(id, { code, message })
}

/** Limit for all replies to a batch together. */
const maxBatchLength = 16 * 1024 * 1024

/** The replies to a batch, in order. Replies beyond the limit are replaced by errors. */
export function limitReplies(replies: readonly (Reply | undefined)[], messages: readonly Message[]): readonly Reply[] {
  let length = 0
  return replies.flatMap((reply, index) => {
    if (!reply) return []
    length += reply.text.length
    if (length <= maxBatchLength) return [reply]
    const message = messages[index]!
    return [
      toErrorReply(message.kind === 'request' ? message.id : undefined, {
        code: errorCodes.internal,
        message: 'The answer to this batch is too large. Send its requests one by one.',
      }),
    ]
  })
}

export function toNotification(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })
}

/** For a request with invalid parameters. */
export function refuse(id: RequestId, message: string): Reply {
  return toErrorReply(id, { code: errorCodes.params, message })
}

export function refuseRevision(id: RequestId, requested: string): Reply {
  const message = `MCP ${shorten(requested, 40)} is not supported. Use ${modernRevisions.join(', ')}.`
  return toErrorReply(id, { code: errorCodes.revision, message, data: { supported: [...modernRevisions], requested } })
}

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: JsonObject
}
