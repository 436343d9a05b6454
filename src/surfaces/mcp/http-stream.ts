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
    notify() {
      if (exchange.isCongested) return false
      exchange.send(toNotification(listChanged))
      return true
    },
    end,
  })
  if (!stop) return undefined
  connection.openStream(end)
  response.once('close', () => {
    stop()
    connection.dropStream(end)
  })
  exchange.beginStream()
  return exchange
}
