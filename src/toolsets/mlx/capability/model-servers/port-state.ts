import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const connectMs = 2000

/** Whether a program accepts connections on the port. */
export function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.setTimeout(connectMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Waits until the port is closed; false if it is still open after the timeout. */
export async function awaitClosed(host: string, port: number, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  for (let pauseMs = 10; await isListening(host, port); pauseMs = Math.min(pauseMs * 2, 250)) {
    if (performance.now() > end) return false
    await wait(pauseMs)
  }
  return true
}
