import { rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../../app/config/config.ts'
import { joinMetrics } from '../../../app/tenants/join-metrics.ts'
import type { HttpServerOptions } from '../../../surfaces/http/open-http-server.ts'
import { createPeers, type Peers } from '../../../surfaces/http/peers.ts'
import { paint, type Terminal } from '../../terminal/terminal.ts'
import { type FromWorker, findWorkerRole, noteReady, type ToWorker } from '../../terminal/worker-role.ts'

/** The other workers; undefined if this process serves alone. */
export function findPeers(): Peers | undefined {
  const role = findWorkerRole()
  return role && createPeers({ own: role.number, count: role.count, folder: role.sockets })
}

/** Takes connections from the primary, if there is one, and requests that other workers pass on. */
export function toWorkerOptions(signal: AbortSignal): Pick<HttpServerOptions, 'listener' | 'peerSocket'> {
  const role = findWorkerRole()
  if (!role) return {}
  signal.addEventListener('abort', () => tell('leaving'), { once: true })
  // Without its primary, nobody reaches or stops this process.
  process.once('disconnect', () => {
    rmSync(role.sockets, { recursive: true, force: true })
    process.exit(1)
  })
  return {
    peerSocket: findPeers()!.socket,
    listener: {
      address: role.address,
      onConnection: (take) =>
        void process.on('message', (message: ToWorker, socket?: Socket) => {
          if (typeof message !== 'object') return
          tell({ took: message.connection })
          // Undefined if the client has gone in the meantime.
          if (socket) take(socket)
        }),
    },
  }
}

/** Says which MCP servers run more than once, because those that keep state between calls must not. */
export function noteCopies({ mcpServers = {} }: Config, terminal: Terminal) {
  const local = Object.entries(mcpServers).flatMap(([name, { command }]) => (command === undefined ? [] : [name]))
  const role = findWorkerRole()
  if (!role || local.length === 0) return
  terminal.logOnce([paint('yellow', 'Note:'), ` Each of the ${role.count} workers runs its own copy of ${local.join(', ')}. A server that keeps state between calls needs --workers 1, or a url.`]) // biome-ignore format: one line
}

/** Identifies the server to those who look for its console: this process, or the primary of its workers. */
export function toServerId(): { readonly id: string; readonly pid: number } | undefined {
  const role = findWorkerRole()
  return role && { id: role.sockets, pid: process.ppid }
}

/** For scripts: the process to signal, and how many take requests. */
export function toProcesses(): { readonly pid: number; readonly workers: number } {
  return { pid: toServerId()?.pid ?? process.pid, workers: findWorkerRole()?.count ?? 1 }
}

/**
 * Tells the primary, if there is one, that this process takes requests. Resolves to whether it is the one that prints how to
 * reach the server: once, after all workers take requests.
 */
export async function reportReady(): Promise<boolean> {
  const role = findWorkerRole()
  if (!role) return true
  noteReady()
  const printing = role.prints && untilPrint()
  tell('ready')
  await printing
  return role.prints
}

function untilPrint(): Promise<void> {
  return new Promise((resolve) => process.on('message', (message: ToWorker) => message === 'print' && resolve()))
}

function tell(message: FromWorker) {
  if (process.connected) process.send!(message, undefined, undefined, () => {})
}

/** Joins metrics of this worker with those of the others; undefined if it serves alone. */
export function toMetricsAdder(peers: Peers | undefined) {
  return (
    peers &&
    (async (own: string, request: IncomingMessage) => {
      const others = await peers.askOthers(request)
      const all = [[findWorkerRole()!.number, own] as const, ...others].toSorted(([one], [other]) => one - other)
      return joinMetrics(all, 'worker')
    })
  )
}
