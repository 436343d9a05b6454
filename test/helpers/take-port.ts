import { createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { isListening } from '../../src/toolsets/mlx/capability/model-servers/port-state.ts'

const [first, count] = [8100, 40]
/** Whoever listens this much higher has the port below: nobody else may, and it ends with its process. */
const leaseOffset = 20_000

/** A port for a model server that no other test has, in this process or another, until the test has finished. */
export async function takePort(): Promise<number> {
  const start = Math.floor(Math.random() * count)
  for (let tries = 0; tries < count * 50; tries++) {
    const port = first + ((start + tries) % count)
    const lease = await listen(port + leaseOffset)
    if (lease && !(await isListening('127.0.0.1', port))) {
      onTestFinished(() => new Promise<void>((resolve) => lease.close(() => resolve())))
      return port
    }
    lease?.close()
    if (tries % count === count - 1) await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('All ports from 8100 to 8139 are taken.')
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
