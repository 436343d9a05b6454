import type { Socket } from 'node:net'

/**
 * Limits connections whose TLS handshake has not ended: their sockets are not yet those of requests. Above the limit, the
 * oldest one is closed. The two sockets of a connection have the same remote address and port.
 */
export function createHandshakes(max: number) {
  const pending = new Map<string, Socket>()
  const toKey = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  return {
    begin(socket: Socket): void {
      const key = toKey(socket)
      if (pending.size >= max) {
        const [[oldest, other] = []] = pending
        if (oldest !== undefined) pending.delete(oldest)
        other?.destroy()
      }
      pending.set(key, socket)
      socket.once('close', () => pending.get(key) === socket && pending.delete(key))
    },
    end(socket: Socket): void {
      pending.delete(toKey(socket))
    },
  }
}
