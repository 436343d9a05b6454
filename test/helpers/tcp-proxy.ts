import { connect, createServer, type Socket } from 'node:net'

/** A connection to a server that can stall, and can lose the answer to a request. */
export interface TcpProxy {
  readonly port: number
  /** Forwards nothing on the connections that are open now; later ones work. */
  stall(): void
  /** Cuts a connection when the server next answers on it, once. */
  loseAnswer(): void
  close(): void
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let losesAnswer = false
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (!losesAnswer) return client.write(bytes)
      losesAnswer = false
      client.destroy()
      return upstream.end()
    })
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('error', () => {})
      one.on('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    stall() {
      for (const sockets of pairs) for (const socket of sockets) socket.pause()
    },
    loseAnswer() {
      losesAnswer = true
    },
    close() {
      server.close()
      for (const sockets of pairs) for (const socket of sockets) socket.destroy()
    },
  }
}
