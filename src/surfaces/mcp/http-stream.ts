import type { ServerResponse } from 'node:http'
import { listChanged, toNotification } from '../../protocol/reply.ts'
import type { Changes } from './changes.ts'
import type { Connection } from './connection.ts'
import { HttpExchange } from './http-exchange.ts'

/**
 * Opens the notification stream of a session. It ends with the session, and when the client opens another, since the first
 * may be on a dead connection. Undefined if too many are open.
 */
export function openStream(
  response: ServerResponse,
  connection: Connection,
  changes: Changes,
): HttpExchange | undefined {
  const exchange = new HttpExchange(response, connection.caller, true)
  const end = () => exchange.endStream()
  const stop = changes.listen({
    session: connection,
    caller: connection.caller.name,
    notify(kinds) {
      if (exchange.isCongested) return false
      for (const kind of kinds) if (connection.lists.includes(kind)) exchange.send(toNotification(listChanged[kind]))
      return true
    },
    end,
  })
  if (!stop) return undefined
  const push = (text: string) => {
    if (exchange.isCongested) return false
    exchange.send(text)
    return true
  }
  connection.push = push
  connection.openStream(end)
  response.once('close', () => {
    stop()
    if (connection.push === push) connection.push = () => false
    connection.dropStream(end)
  })
  exchange.beginStream()
  return exchange
}
