import assert from 'node:assert/strict'
import { connect } from 'node:net'
import fc from 'fast-check'
import { bytes, messages } from './messages.ts'
import { openServeProcess } from './serve-processes.ts'
import { expectReply } from './stdio.ts'
import { defineTarget } from './target.ts'

const text = fc.string({ unit: 'binary', maxLength: 20 })
const lines = fc.constantFrom('Host: HOST', 'Host: evil.example', 'Authorization: Bearer TOKEN', 'Authorization: Bearer x', 'Content-Type: application/json', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99999999999', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked, gzip', 'Content-Encoding: gzip', 'Expect: 100-continue', 'Upgrade: websocket\r\nConnection: Upgrade', 'Origin: https://evil.example', 'Mcp-Session-Id: x', 'MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: hello', 'Idempotency-Key: a', 'Accept: text/event-stream', 'Last-Event-ID: 1', ': x', ' folded', 'X: \x01', 'Connection: close') // biome-ignore format: one line
const targets = fc.oneof(
  fc.constantFrom('/mcp', '/v1/tools', '/v1/tools/hello', '/v1/tools/%00', '/v1/tools/%', '/openapi.json', '/healthz', '/link', '/', '//', '/..%2f', '*', 'http://evil.example/mcp', '/v1/tools?limit=-1', '/v1/tools?cursor=%ff'), // biome-ignore format: one line
  text,
)
const request = fc
  .record({
    method: fc.oneof(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'PRI', 'get'),
      text,
    ),
    target: targets,
    version: fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
    headers: fc.array(lines, { maxLength: 8 }),
    isKnown: fc.boolean(),
    body: bytes,
  })
  .map(({ method, target, version, headers, isKnown, body }) => {
    const ours = isKnown ? ['Host: HOST', 'Authorization: Bearer TOKEN', `Content-Length: ${body.length}`] : []
    return [`${method} ${target} ${version}\r\n${[...ours, ...headers].join('\r\n')}\r\n\r\n`, body] as const
  })

/** After any bytes on a connection the server is up, without an internal error, and responds. */
export const httpBytesTarget = defineTarget(() => {
  const server = openServeProcess('http')
  const hello = createHello(server)
  return {
    inputs: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: request },
        bytes.map((raw) => ['', raw] as const),
      ),
      { maxLength: 3 },
    ),
    async check(requests) {
      const { url, token } = await server.get()
      const { host, hostname, port } = new URL(url)
      const sent = requests.map(([head, body]) =>
        Buffer.concat([Buffer.from(head.replaceAll('HOST', host).replaceAll('TOKEN', token), 'latin1'), body]),
      )
      const received = await exchange(hostname, Number(port), sent)
      assert.ok(received === '' || received.startsWith('HTTP/1.1 '), `It answered: ${received.slice(0, 200)}`)
      assert.doesNotMatch(received, /^HTTP\/1\.1 500/m)
      await hello()
    },
    close: server.close,
  }
})

/** The same for any message with any headers. */
export const httpMessagesTarget = defineTarget(() => {
  const server = openServeProcess('http')
  const hello = createHello(server)
  return {
    inputs: fc.record({
      message: messages,
      path: fc.constantFrom('/mcp', '/mcp', '/v1/tools/hello'),
      headers: fc.record(
        {
          'mcp-protocol-version': fc.constantFrom('2026-07-28', '2025-11-25', 'x'),
          'mcp-method': fc.constantFrom('tools/call', 'tools/list', 'initialize'),
          'mcp-name': fc.constantFrom('hello', 'x'),
          'mcp-session-id': fc.constantFrom('x', ''),
          'idempotency-key': fc.constantFrom('"a"', 'b'),
        },
        { requiredKeys: [] },
      ),
    }),
    async check({ message, path, headers }) {
      const { url, token } = await server.get()
      const stop = new AbortController()
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { ...toHeaders(token), ...headers },
        body: JSON.stringify(message),
        signal: stop.signal,
      })
      assert.notEqual(response.status, 500)
      const type = response.headers.get('content-type') ?? ''
      // A stream may stay open as long as the client listens.
      if (type.includes('event-stream')) stop.abort()
      else {
        const body = await response.text()
        if (path === '/mcp' && type.includes('application/json') && body !== '') expectReply(body)
        else if (type.includes('json')) JSON.parse(body)
      }
      await hello()
    },
    close: server.close,
  }
})

function createHello(server: ReturnType<typeof openServeProcess>) {
  let nonces = 0
  return async () => {
    server.expectAlive()
    const { url, token } = await server.get()
    const name = `Nonce-${nonces++}`
    const response = await fetch(`${url}/v1/tools/hello`, {
      method: 'POST',
      headers: toHeaders(token),
      body: JSON.stringify({ name }),
    })
    const body = await response.text()
    assert.ok(body.includes(`Hello, ${name}!`), `A good request was answered ${response.status}: ${body}`)
    server.expectAlive()
  }
}

function toHeaders(token: string) {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
}

/** Writes everything, ends, and returns the response until the server closes or waits for more. */
function exchange(host: string, port: number, chunks: readonly Uint8Array[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    let received = ''
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(done, 250)
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
    })
    socket.on('error', done).on('close', done)
    for (const chunk of chunks) socket.write(chunk)
    socket.end()
  })
}
