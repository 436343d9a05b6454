import { createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { isListening } from '../../src/toolsets/mlx/capability/model-servers/port-state.ts'

const [first, count] = [8100, 40]
/** Listening on port + offset reserves the port, until the process ends. */
const leaseOffset = 20_000

/** Reserves a port for a model server across all test processes, until the test has finished. */
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
