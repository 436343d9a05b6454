/**
 * The network of a confined server. Its namespace has no interface but loopback, and no Unix socket leads out of it. So a
 * helper opens listeners inside, before the server starts, and sends them through Node's IPC channel to Toolpact, which
 * accepts the connections itself: a socket belongs to the namespace that it was created in, whoever holds it. Then the helper
 * exits, and the server runs without that channel. Nothing runs beside the server, and every byte passes through here.
 */
import type { ChildProcess } from 'node:child_process'
import { Socket as Datagrams } from 'node:dgram'
import { Server, type Socket } from 'node:net'
import { decideHost, listPorts, type NetworkGrant } from '../../../policy/granted-hosts.ts'
import type { Egress } from '../network/egress.ts'
import { Names } from '../network/names.ts'
import { createProxy, join } from '../network/proxy.ts'

const proxyPort = 3128
export const proxyInside = `http://127.0.0.1:${proxyPort}`

const helper = `
const net = require('node:net'), dgram = require('node:dgram')
const open = (kind, port, host) => new Promise((resolve) => {
  const socket = kind === 'names' ? dgram.createSocket('udp4') : net.createServer()
  socket.once('error', () => resolve())
  const done = () => resolve(socket)
  kind === 'names' ? socket.bind(port, host, done) : socket.listen({ port, host }, done)
})
const send = (message, socket) => new Promise((resolve) => process.send(message, socket, {}, resolve))
const run = async () => {
  for (const [kind, port, host] of JSON.parse(process.argv[1])) {
    const socket = await open(kind, port, host)
    if (socket) await send({ kind, port }, socket)
  }
  process.exit(0)
}
run()
`

/** A script for `sh -c` that runs the helper, given as its first words, and then the server. */
export const startScript = `NODE_OPTIONS= NODE_EXTRA_CA_CERTS= "$1" -e "$2" "$3" || exit 126
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
shift 3
exec "$@" 3<&- 4<&- 5<&-`

/** The first words of that script: the listeners that a server with these grants needs. */
export function toHelperWords(network: NetworkGrant): string[] {
  const listeners = [
    ['proxy', proxyPort, '127.0.0.1'],
    ['names', 53, '127.0.0.1'],
    ...listPorts(network).map((port) => ['host', port, '0.0.0.0']),
  ]
  return [process.execPath, helper, JSON.stringify(listeners)]
}

const maxConnections = 256

/** Serves the listeners that a child sends, until it exits. */
export function serveListeners(child: ChildProcess, egress: Egress): void {
  const proxy = createProxy(egress)
  const names = new Names(egress)
  const opened: { close(): unknown }[] = []
  const sockets = new Set<Socket>()
  child.on('message', (message, handle) => {
    const { kind } = Object(message) as { kind?: unknown }
    if (handle instanceof Datagrams) {
      opened.push(handle)
      if (kind === 'names') names.serve(handle.unref())
    } else if (handle instanceof Server) {
      opened.push(handle)
      handle.maxConnections = maxConnections
      handle.unref()
      handle.on('error', () => {})
      handle.on('connection', (socket: Socket) => {
        sockets.add(socket)
        socket.on('error', () => socket.destroy())
        socket.on('close', () => sockets.delete(socket))
        if (kind === 'proxy') proxy.emit('connection', socket)
        else passOn(socket, egress, names)
      })
    }
  })
  child.channel?.unref()
  child.once('exit', () => {
    for (const listener of opened) listener.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
}

/** A program that uses no proxy has connected to the address that stands for a name. */
async function passOn(socket: Socket, egress: Egress, names: Names): Promise<void> {
  const name = names.find(socket.localAddress)
  if (name === undefined) return void socket.destroy()
  // Its own loopback stands for that of the machine, which may be granted by name or by address.
  const isByAddress = name === 'localhost' && decideHost(egress.network, '127.0.0.1', socket.localPort!).allow
  const host = isByAddress ? '127.0.0.1' : name
  socket.pause()
  try {
    join(socket, await egress.reach(host, socket.localPort!))
  } catch {
    socket.resetAndDestroy()
  }
}
