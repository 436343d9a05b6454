import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'

const servers = new Map<Server, Set<Socket>>()

/** Closes all servers after each test. Call once per test file. */
export function closeServersAfterEach(): void {
  afterEach(async () => {
    await Promise.all([...servers.keys()].map(closeServer))
  })
}

export async function closeServer(server: Server): Promise<void> {
  const sockets = servers.get(server)
  servers.delete(server)
  const closed = new Promise((done) => server.close(done))
  for (const socket of sockets ?? []) socket.destroy()
  await closed
}

/** Starts a server on a free local port and returns `address:port`. */
export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  servers.set(server, sockets)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function serve(listener: RequestListener): Promise<string> {
  return listen(createServer(listener))
}

/** A raw TCP server that answers the first bytes of each connection. */
export function serveRaw(answer: (socket: Socket) => void): Promise<string> {
  return listen(createRawServer((socket) => socket.once('data', () => answer(socket))))
}
