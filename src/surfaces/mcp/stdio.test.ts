import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { mcpInfo, openMcpTools } from '../../../test/helpers/mcp-toolset.ts'
import { openChanging } from '../../../test/helpers/open-changing.ts'
import { initialize, modernMeta, openMcpStdio, quiet } from '../../../test/helpers/open-mcp.ts'
import { maxMessageBytes } from '../../protocol/message.ts'
import { serveStdio } from './stdio.ts'

const call = (id: number | string, name: string, input: object, meta: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input, _meta: { ...modernMeta(), ...meta } },
})
const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' }

test('an invalid line is answered, and the next one is read', async () => {
  const { input, send, next } = await openMcpStdio()
  input.write('{oops\n\n\r\n')
  expect(await next()).toMatchObject({ error: { code: -32700 } })
  input.write('{"jsonrpc":"2.0","id":4,"method":"ping","Id":5}\r\n')
  expect(await next()).toMatchObject({ id: 4, error: { code: -32600 } })
  send(ping)
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 'ping', result: {} })
})

test('a rule that another process has just added holds for the next chunk of calls', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'toolpact-'))
  onTestFinished(() => rmSync(directory, { recursive: true, maxRetries: 3 }))
  const toolpact = await openMcpTools({ storage: undefined, stateDirectory: directory })
  onTestFinished(() => toolpact.close())
  const { input, next } = await openMcpStdio({ toolpact })
  const ask = async (ids: readonly number[]) => {
    input.write(ids.map((id) => `${JSON.stringify(call(id, 'echo', { text: 'x' }))}\n`).join(''))
    const answers = await Promise.all(ids.map(() => next()))
    return answers.map(({ result }) => result.isError)
  }
  expect(await ask([1, 2])).toEqual([false, false])
  const other = await openMcpTools({ storage: undefined, stateDirectory: directory })
  await other.rules.add({ tool: 'test.echo', pattern: '*', action: 'deny', scope: 'everywhere', createdBy: 'Ada' })
  await other.close()
  expect(await ask([3, 4, 5])).toEqual([true, true, true])
})

test('a line that is too long is refused without being kept', async () => {
  const { input, send, next } = await openMcpStdio()
  const part = Buffer.alloc(1024 * 1024, 'x')
  for (let size = 0; size <= maxMessageBytes; size += part.length) input.write(part)
  input.write('\n')
  expect((await next()).error).toMatchObject({ code: -32600, message: expect.stringContaining('bytes') })
  send(ping)
  expect(await next()).toMatchObject({ id: 'ping' })
})

test('calls in flight finish when the input ends', async () => {
  const { input, send, next, ended } = await openMcpStdio()
  send(call(1, 'count', { steps: 1, pauseMs: 50 }))
  input.end()
  expect(await next()).toMatchObject({ id: 1, result: { structuredContent: { counted: 1 } } })
  await ended
})

test('the last line counts without its end', async () => {
  const { input, next, ended } = await openMcpStdio()
  input.end(JSON.stringify(ping))
  expect(await next()).toMatchObject({ id: 'ping' })
  await ended
})

test('calls that do not finish in time are given up when the input ends', async () => {
  const { input, send, next, ended } = await openMcpStdio({ graceMs: 20 })
  send(call(1, 'count', { steps: 1, pauseMs: 600_000 }))
  input.end()
  expect((await next()).result._meta['toolpact/error'].code).toBe('cancelled')
  await ended
})

test('a signal ends the serving', async () => {
  const stop = new AbortController()
  const { send, next, ended } = await openMcpStdio({ signal: stop.signal })
  send(ping)
  await next()
  stop.abort()
  await ended
})

test('a client that is gone ends the serving', async () => {
  const { input, output, send, ended, next } = await openMcpStdio()
  send(call(1, 'count', { steps: 2, pauseMs: 600_000 }, { progressToken: 1 }))
  await next()
  output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  await ended
  expect(input.isPaused()).toBe(true)
})

test('a client that neither reads nor goes does not hold the server', async () => {
  const toolpact = await openMcpTools()
  onTestFinished(() => toolpact.close())
  const input = new PassThrough()
  const output = new PassThrough({ highWaterMark: 10 })
  const ended = serveStdio(toolpact, { info: mcpInfo, asking: quiet, input, output, graceMs: 50 })
  input.end(`${JSON.stringify(ping)}\n`)
  await ended
})

test('nothing is read from a client that does not read', async () => {
  const toolpact = await openMcpTools()
  onTestFinished(() => toolpact.close())
  const input = new PassThrough()
  const output = new PassThrough({ highWaterMark: 1000 })
  const ended = serveStdio(toolpact, { info: mcpInfo, asking: quiet, input, output })
  for (let id = 0; id < 50; id++) input.write(`${JSON.stringify(call(id, 'echo', { text: 'x'.repeat(1000) }))}\n`)
  await expect.poll(() => input.isPaused()).toBe(true)
  input.end()
  let text = ''
  output.on('data', (chunk) => (text += chunk))
  await ended
  expect(text.trim().split('\n').length).toBe(50)
})

test('of a thousand lists that a client asks for and does not read, a few are held, and all are answered once it reads', async () => {
  const description = 'x'.repeat(200_000)
  const { served } = openChanging({ description })
  const input = new PassThrough({ highWaterMark: 1_000_000 })
  const output = new PassThrough()
  const ended = serveStdio(served, { info: mcpInfo, asking: quiet, input, output })
  const lists = Array.from({ length: 1000 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }))
  input.write(`${[JSON.stringify(initialize()), ...lists].join('\n')}\n`)
  await sleep(200)
  expect(output.writableLength + output.readableLength).toBeLessThan(50 * description.length)
  input.end(JSON.stringify(ping))
  const ids: unknown[] = []
  let text = ''
  output.on('data', (chunk) => {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop()!
    for (const line of lines) ids.push(JSON.parse(line).id)
  })
  await ended
  expect(ids).toHaveLength(1002)
  expect(new Set(ids)).toEqual(new Set(['init', ...lists.keys(), 'ping']))
})

test('several messages may come as one array to clients of 2025-03-26 alone', async () => {
  const { send, next } = await openMcpStdio()
  const batch = [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }, { jsonrpc: '2.0', id: 2 }]
  send(initialize('2025-11-25'))
  await next()
  send(batch)
  expect((await next()).error.code).toBe(-32600)
  send(initialize('2025-03-26'))
  await next()
  send(batch)
  expect(await next()).toEqual([
    { jsonrpc: '2.0', id: 'ping', result: {} },
    { jsonrpc: '2.0', id: 2, error: { code: -32600, message: expect.any(String) } },
  ])
  send([{ jsonrpc: '2.0', method: 'x' }], ping)
  expect(await next()).toMatchObject({ id: 'ping' })
})

test('whatever a line contains, it is answered at most once and the server continues', async () => {
  const { input, send, next } = await openMcpStdio()
  const key = fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', 'Method', 'x')
  const value = fc.oneof(fc.constantFrom('2.0', 'ping', 'tools/call', 'tools/list', 'initialize', 1), fc.jsonValue())
  const line = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a))),
    fc.dictionary(key, value).map((message) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))),
  )
  let count = 0
  await fc.assert(
    fc.asyncProperty(line, async (bytes) => {
      const mark = `mark-${count++}`
      input.write(Buffer.concat([bytes, Buffer.from('\n')]))
      send({ ...ping, id: mark })
      const answers = []
      for (;;) {
        const answer = await next()
        if (answer.id === mark) break
        answers.push(answer)
      }
      expect(answers.length).toBeLessThanOrEqual(1)
      for (const answer of answers) expect('result' in answer !== 'error' in answer).toBe(true)
    }),
    { numRuns: 500 },
  )
})
