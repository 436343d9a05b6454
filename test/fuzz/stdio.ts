import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { bytes, messages } from './messages.ts'
import { openServeProcess } from './serve-processes.ts'
import { defineTarget } from './target.ts'

/** After any bytes on stdin the server is up and responds. */
export const stdioBytesTarget = defineTarget(() => {
  const server = openStdio()
  return {
    inputs: fc.array(bytes, { maxLength: 4 }),
    check: (chunks) => server.take(chunks),
    close: server.close,
  }
})

/** The same for any message. */
export const stdioMessagesTarget = defineTarget(() => {
  const server = openStdio()
  return {
    inputs: fc.array(messages, { maxLength: 4 }),
    check: (sent) => server.take(sent.map((message) => Buffer.from(`${JSON.stringify(message)}\n`))),
    close: server.close,
  }
})

function openStdio() {
  const server = openServeProcess('stdio')
  let nonces = 0
  let read: ChildProcess | undefined
  let lines: string[] = []
  let onLine = () => {}
  let onEnd = () => {}

  async function take(chunks: readonly Uint8Array[]) {
    const { child } = await server.get()
    if (read !== child) {
      read = child
      createInterface({ input: child.stdout! }).on('line', (line) => {
        lines.push(line)
        onLine()
      })
      // An exit is reported after the wait.
      child.once('exit', () => onEnd())
    }
    lines = []
    for (const chunk of chunks) child.stdin!.write(chunk)
    const nonce = `Nonce-${nonces++}`
    child.stdin!.write(`\n${toHello(nonce)}\n`)
    await new Promise<void>((resolve) => {
      onLine = () => lines.some((line) => line.includes(`"id":"${nonce}"`)) && resolve()
      onEnd = resolve
      onLine()
    })
    server.expectAlive()
    for (const line of lines) expectReply(line)
    const answer = lines.find((line) => line.includes(`"id":"${nonce}"`))!
    assert.ok(answer.includes(`Hello, ${nonce}!`), `A good request was answered: ${answer}`)
  }

  return { take, close: server.close }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function toHello(nonce: string): string {
  const params = { name: 'hello', arguments: { name: nonce }, _meta: meta }
  return JSON.stringify({ jsonrpc: '2.0', id: nonce, method: 'tools/call', params })
}

/** The server writes only JSON-RPC, for any input, and never an internal error. */
export function expectReply(line: string) {
  const replies = [JSON.parse(line)].flat()
  for (const reply of replies) {
    assert.equal(reply.jsonrpc, '2.0', line)
    if (reply.method !== undefined) continue
    assert.ok((reply.result === undefined) !== (reply.error === undefined), line)
    assert.notEqual(reply.error?.code, -32603, line)
    assert.notEqual(reply.result?._meta?.['toolpact/error']?.code, 'internal', line)
  }
}
