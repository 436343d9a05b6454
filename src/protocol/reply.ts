import type { JsonObject } from '../contract/json.ts'
import { shorten } from '../contract/text/shorten.ts'
import type { Invalid, Message, RequestId } from './message.ts'
import { modernRevisions } from './revisions.ts'

/** The answer to a request, as the text that is sent. */
export interface Reply {
  readonly text: string
  /** Set where the request itself was wrong: HTTP tells by its status too. */
  readonly errorCode?: number
}

export const errorCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headers: -32020,
  revision: -32022,
} as const

/** Tells a client that the list of tools is another one. */
export const listChanged = 'notifications/tools/list_changed'

export function toReply(id: RequestId, result: JsonObject): Reply {
  return toTextReply(id, JSON.stringify(result))
}

/** For a result that is there as JSON text already. */
export function toTextReply(id: RequestId, result: string): Reply {
  const idText = typeof id === 'number' ? id : JSON.stringify(id)
  return { text: `{"jsonrpc":"2.0","id":${idText},"result":${result}}` }
}

/** Without an id where none could be read, as MCP has it. */
export function toErrorReply(id: RequestId | undefined, error: RpcError): Reply {
  const { code } = error
  return { text: JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error }), errorCode: code }
}

export function toInvalidReply({ id, code, message }: Invalid): Reply {
  return toErrorReply(id, { code, message })
}

/** Of the answers to a batch in all. */
const maxBatchLength = 16 * 1024 * 1024

/** The replies to the messages of a batch, in their order. Those beyond the limit are replaced with an error. */
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

/** For a request whose parameters are wrong. */
export function refuse(id: RequestId, message: string): Reply {
  return toErrorReply(id, { code: errorCodes.params, message })
}

export function refuseRevision(id: RequestId, requested: string): Reply {
  const message = `MCP ${shorten(requested, 40)} is not spoken here. Use ${modernRevisions.join(', ')}.`
  return toErrorReply(id, { code: errorCodes.revision, message, data: { supported: [...modernRevisions], requested } })
}

interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: JsonObject
}
