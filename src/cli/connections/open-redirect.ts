import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../options/command.ts'

/** Where the browser returns to after a login: a server on loopback that answers one request. */
export interface Redirect {
  readonly uri: string
  /** The parameters of the first request that has a state. */
  readonly answer: Promise<URLSearchParams>
  close(): Promise<void>
}

const page = `<!doctype html><meta charset="utf-8"><title>Toolpact</title>
<p style="font: 16px system-ui; margin: 3em">You can close this window and return to the terminal.</p>`

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Connection: 'close',
}

/** Only this machine reaches it, and only under its own name: a page of another origin cannot. */
export async function openRedirect(port: number): Promise<Redirect> {
  const { promise: answer, resolve: answerWith } = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', uri)
    const isOurs =
      request.method === 'GET' && request.headers.host === new URL(uri).host && url?.pathname === '/callback'
    if (!isOurs || !url.searchParams.has('state')) return response.writeHead(404, { Connection: 'close' }).end()
    response.writeHead(200, headers).end(page)
    answerWith(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once(
      'error',
      (cause: NodeJS.ErrnoException) =>
      reject(new UsageError(`Port ${port} cannot be used (${cause.code}).`, 'Choose another one with --port, or leave it out.')), // biome-ignore format: one line
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return {
    uri,
    answer,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
