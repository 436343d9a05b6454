import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

/** Gives connections to workers in turn. */
export interface HandOut {
  give(socket: Socket): void
  /** From now on the worker gets connections. */
  add(worker: ChildProcess): void
  /** The worker gets connections only if no other can: it is about to end. */
  yield(worker: ChildProcess): void
  /** The worker has taken a connection. */
  settle(worker: ChildProcess, id: number): void
  /** The worker has ended. What it has not taken goes to others. */
  remove(worker: ChildProcess): void
  /** Closes connections that no worker has taken. */
  close(): void
}

/** Connections that wait for a worker while none runs. */
const maxWaiting = 1024

/**
 * Why not node:cluster, which does nearly the same: a connection that it has given to a worker that dies before taking it is
 * neither served nor closed. Here this process keeps its copy until the worker says that it has taken the connection.
 */
export function createHandOut(): HandOut {
  const given = new Map<ChildProcess, Map<number, Socket>>()
  const leaving = new Set<ChildProcess>()
  let turns: ChildProcess[] = []
  let waiting: Socket[] = []
  let ids = 0

  function findNext(): ChildProcess | undefined {
    const next = turns.find((worker) => !leaving.has(worker)) ?? turns[0]
    if (next) turns = [...turns.filter((worker) => worker !== next), next]
    return next
  }

  function give(socket: Socket) {
    if (socket.destroyed) return
    const worker = findNext()
    if (!worker) return void (waiting.length < maxWaiting ? waiting.push(socket) : socket.destroy())
    const id = ++ids
    given.get(worker)!.set(id, socket)
    // A failure means that the worker is ending, and `remove` follows.
    worker.send({ connection: id }, socket, { keepOpen: true }, () => {})
  }

  function giveAll(sockets: Iterable<Socket>) {
    for (const socket of sockets) give(socket)
  }

  return {
    give,
    add(worker) {
      given.set(worker, new Map())
      turns.push(worker)
      const held = waiting
      waiting = []
      giveAll(held)
    },
    yield: (worker) => leaving.add(worker),
    settle(worker, id) {
      const mine = given.get(worker)
      mine?.get(id)?.destroy()
      mine?.delete(id)
    },
    remove(worker) {
      const left = given.get(worker)?.values() ?? []
      given.delete(worker)
      leaving.delete(worker)
      turns = turns.filter((each) => each !== worker)
      giveAll(left)
    },
    close() {
      for (const socket of [...waiting, ...[...given.values()].flatMap((sockets) => [...sockets.values()])]) socket.destroy() // biome-ignore format: one line
    },
  }
}
