import type { Socket } from 'node:net'
import { endWithProblem } from './client-error.ts'

export interface Connections {
  /** Adds a connection. Above the limit, the longest idle one is closed. */
  add(socket: Socket): void
  /** A request was admitted: the connection is not idle until `end`. */
  begin(socket: Socket, isAuthenticated: boolean): void
  end(socket: Socket): void
  /** How many are open. */
  count(): number
}

interface State {
  /** Whether its last request was authenticated. */
  isAuthenticated: boolean
  /** Bytes received when the last request was answered; undefined before the first. */
  bytesAnswered: number | undefined
}

/**
 * Limits the connections of a server. A connection counts as idle unless a request on it was admitted: if it is silent,
 * sends slowly or is being authenticated, it can be reclaimed. Fewer requests are admitted than connections, so some are
 * always idle and a new connection is never refused. Connections of authenticated callers are reclaimed last.
 */
export function createConnections({ max }: { readonly max: number }): Connections {
  const states = new Map<Socket, State>()
  // In the order in which connections became idle.
  const unauthenticated = new Set<Socket>()
  const authenticated = new Set<Socket>()
  const refused = new Set<Socket>()

  function forget(socket: Socket) {
    states.delete(socket)
    unauthenticated.delete(socket)
    authenticated.delete(socket)
  }

  function reclaim() {
    const socket: Socket | undefined = first(unauthenticated) ?? first(authenticated)
    if (!socket) return
    const { bytesAnswered } = states.get(socket)!
    forget(socket)
    // Between requests, clients expect that a connection may close, and reconnect.
    if (socket.bytesRead === bytesAnswered || socket.writableEnded) socket.destroy()
    else refuse(socket)
  }

  /** Sends a 503, and leaves the client time to read it. */
  function refuse(socket: Socket) {
    if (refused.size >= maxRefused) first(refused)!.destroy()
    refused.add(socket)
    socket.once('close', () => refused.delete(socket))
    endWithProblem(socket, 'server_busy', ['Retry-After: 1'])
  }

  return {
    add(socket) {
      if (states.size >= max) reclaim()
      states.set(socket, { isAuthenticated: false, bytesAnswered: undefined })
      unauthenticated.add(socket)
      socket.once('close', () => forget(socket))
    },
    begin(socket, isAuthenticated) {
      const state = states.get(socket)
      if (state) state.isAuthenticated = isAuthenticated
      unauthenticated.delete(socket)
      authenticated.delete(socket)
    },
    end(socket) {
      const state = states.get(socket)
      if (!state || socket.destroyed) return
      state.bytesAnswered = socket.bytesRead
      const idle = state.isAuthenticated ? authenticated : unauthenticated
      idle.add(socket)
    },
    count: () => states.size,
  }
}

/** Reclaimed connections whose clients may still be reading the error. */
const maxRefused = 64

function first<Item>(items: ReadonlySet<Item>): Item | undefined {
  return items.values().next().value
}
