import type { Socket } from 'node:net'
import { endWithProblem } from './client-error.ts'

export interface Connections {
  /** Counts a new connection. Beyond the limit, the one that has been idle for longest is closed. */
  add(socket: Socket): void
  /** A request on it was admitted: it is not idle until `end`. */
  begin(socket: Socket, isAuthenticated: boolean): void
  end(socket: Socket): void
}

interface State {
  /** Its last request came from an authenticated caller. */
  isAuthenticated: boolean
  /** How many bytes had arrived when its last request was answered; undefined before the first. */
  bytesAnswered: number | undefined
}

/**
 * The connections of a server. A connection counts as idle unless a request on it was admitted: whether it is silent,
 * sends a request slowly or is being authenticated, it can be reclaimed. Admission allows fewer requests than there are
 * connections, so some are always idle, and a new connection is never turned away. Those of callers that were
 * authenticated are reclaimed last.
 */
export function createConnections({ max }: { readonly max: number }): Connections {
  const states = new Map<Socket, State>()
  // Sets keep the order in which connections became idle.
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
    // Between two requests clients expect a connection to close, and connect again.
    if (socket.bytesRead === bytesAnswered || socket.writableEnded) socket.destroy()
    else refuse(socket)
  }

  /** Sends a 503, and waits a moment for the client to read it. */
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
  }
}

/** Connections that were reclaimed, and whose clients may still read why. */
const maxRefused = 64

function first<Item>(items: ReadonlySet<Item>): Item | undefined {
  return items.values().next().value
}
