import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Turn {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface State {
  isBusy: boolean
  readonly queue: Turn[]
}

/** Reading from a connection pauses while more requests than this are queued on it. */
const maxQueued = 64

/**
 * Answers pipelined requests of a connection one at a time: the next starts once the client has received the previous
 * response. Node emits all requests of a chunk at once, so a client that sends hundreds and reads nothing would make the
 * server buffer hundreds of responses.
 */
export function createTurns(begin: (request: IncomingMessage, response: ServerResponse) => void, maxWaiting: number) {
  /** Of each connection that has sent a request. */
  const states = new WeakMap<Socket, State>()
  let waiting = 0

  function start(socket: Socket, { request, response }: Turn) {
    response.on('close', () => next(socket))
    begin(request, response)
  }

  function next(socket: Socket) {
    const state = states.get(socket)!
    const { queue } = state
    const turn = socket.destroyed || socket.writableEnded ? undefined : queue.shift()
    if (!turn) {
      waiting -= queue.length
      queue.length = 0
      state.isBusy = false
      return
    }
    waiting--
    if (queue.length < maxQueued) socket.resume()
    start(socket, turn)
  }

  return function take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    // Closed or closing: no response can be sent.
    if (socket.destroyed || socket.writableEnded) return
    const state = states.get(socket) ?? { isBusy: false, queue: [] }
    const { queue } = state
    if (!state.isBusy) {
      states.set(socket, state)
      state.isBusy = true
      start(socket, { request, response })
    } else if (waiting >= maxWaiting) socket.destroy()
    else {
      waiting++
      queue.push({ request, response })
      // On the next tick: the parser resumes the socket after each request of a chunk.
      if (queue.length === maxQueued) process.nextTick(() => queue.length >= maxQueued && socket.pause())
    }
  }
}
