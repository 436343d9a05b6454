import { connect, createServer, type Socket } from 'node:net'

/** A connection to a server that can stall, and can lose the answer to a request. */
export interface TcpProxy {
  readonly port: number
  /** Forwards nothing on the connections that are open now; later ones work. */
  stall(): void
  /** Cuts a connection when the server next answers on it, once. */
  loseAnswer(): void
  /** Cuts every connection when the server answers on it, until `work` is called. */
  loseAnswers(): void
  work(): void
  close(): void
}

export async function openTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let loses: 'none' | 'one' | 'all' = 'none'
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (loses === 'none') return client.write(bytes)
      if (loses === 'one') loses = 'none'
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
      loses = 'one'
    },
    loseAnswers() {
      loses = 'all'
    },
    work() {
      loses = 'none'
    },
    close() {
      server.close()
      for (const sockets of pairs) for (const socket of sockets) socket.destroy()
    },
  }
}
