import { isObject, type JsonObject } from '../../../contract/json.ts'
import type { Caller } from '../../../contract/tool.ts'
import { relatedTask } from '../../../protocol/tasks.ts'
import type { ClaimedTask } from '../../../runtime/storage/tasks.ts'
import type { Asked } from '../call-offer.ts'
import type { Exchange } from '../connection.ts'
import type { Client } from '../server.ts'

/** What is stored of a request, to make its call again in any process. */
interface StoredCall {
  readonly params: JsonObject
  readonly client: Client
  readonly caller: Caller
  readonly keepMs: number
}

export function toStored({ request, client, exchange: { caller } }: Asked, keepMs: number): JsonObject {
  const { name, arguments: input, _meta } = request.params
  const params = { name, ...(input !== undefined && { arguments: input }), ...(_meta !== undefined && { _meta }) }
  const { revision, isModern, capabilities } = client
  const known = { revision, isModern, capabilities, ...(client.name !== undefined && { name: client.name }) }
  return { params, client: known, caller: { ...caller }, keepMs } as unknown as JsonObject
}

/** The request of a task, without a connection to its client. */
export function fromStored({ id, request }: ClaimedTask): { readonly asked: Asked; readonly keepMs: number } {
  const { params, client, caller, keepMs } = request as unknown as StoredCall
  const stored: Asked = {
    request: { kind: 'request', id, method: 'tools/call', params },
    exchange: { caller, controller: new AbortController(), canSend: false, isCongested: false, send() {} },
    client,
  }
  return { asked: stored, keepMs }
}

/**
 * The channel to the client of a task, whose request was answered. Since 2026-07-28 nothing is sent during a task; before,
 * progress goes where the connection takes it.
 */
export function toBackground({ client, exchange: { caller, connection } }: Asked, taskId: string): Exchange {
  return {
    caller,
    ...(connection && { connection }),
    controller: new AbortController(),
    canSend: !client.isModern && connection !== undefined,
    isCongested: false,
    send(text) {
      if (!client.isModern) connection?.push(withTask(text, taskId))
    },
  }
}

function withTask(text: string, taskId: string): string {
  const message = JSON.parse(text)
  const { _meta, ...params } = isObject(message.params) ? message.params : {}
  return JSON.stringify({
    ...message,
    params: { ...params, _meta: { ...(_meta as object), [relatedTask]: { taskId } } },
  })
}
