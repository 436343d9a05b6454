import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../src/contract/json.ts'
import type { UpstreamEntry } from '../src/upstream/open-upstreams.ts'
import { define, makeChangeling, until } from './open-changeling.ts'
import { initialize, modernMeta } from './open-mcp.ts'
import { entries, openCommandFolder } from './run-command.ts'

const { folder, env, close } = openCommandFolder()
afterAll(close)

let configs = 0

/** `toolpact serve --stdio` over these servers, and a client that reads what it answers in order. */
function serveOnStdio(config: { mcpServers: { [name: string]: UpstreamEntry }; listWaitMs?: number }) {
  const file = join(folder, `config-${configs++}.json`)
  writeFileSync(file, JSON.stringify({ toolsets: Object.keys(config.mcpServers), ...config }))
  const child = spawn(process.execPath, [entries.toolpact, 'serve', '--stdio', '--config', file], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let told = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told += text
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    send(...messages: JsonObject[]) {
      for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    },
    // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
    next: async (): Promise<any> => JSON.parse((await lines.next()).value!),
    untilTold: (words: string) => until(() => told.includes(words)),
  }
}

/** A server that starts and never answers. */
function makeSilent() {
  const started = join(folder, `silent-${configs}`)
  const program = `require('node:fs').writeFileSync(${JSON.stringify(started)}, ''); setInterval(() => {}, 1000)`
  return { entry: { command: process.execPath, args: ['-e', program] }, hasStarted: () => existsSync(started) }
}

const list = { id: 'list', method: 'tools/list', params: {} }

test('initialize and server/discover are answered while a server that never answers is starting', async () => {
  const silent = makeSilent()
  // A list that waited for the server would not be answered before the test ends.
  const { send, next } = serveOnStdio({ mcpServers: { silent: silent.entry }, listWaitMs: 600_000 })
  send(initialize())
  expect(await next()).toMatchObject({ id: 'init', result: { protocolVersion: '2025-11-25' } })
  send(
    list,
    { id: 'found', method: 'server/discover', params: { _meta: modernMeta() } },
    { id: 'ping', method: 'ping' },
  )
  expect(await next()).toMatchObject({ id: 'found', result: { supportedVersions: ['2026-07-28'] } })
  expect(await next()).toMatchObject({ id: 'ping' })
  await until(silent.hasStarted)
  send({ id: 'again', method: 'ping' })
  expect(await next()).toMatchObject({ id: 'again' })
})

test('the first list waits for servers as long as the config allows, and lists those that came', async () => {
  const late = makeChangeling([define('late')], { env: { DELAY_MS: '500' } })
  const { send, next } = serveOnStdio({
    mcpServers: { late: late.entry, silent: makeSilent().entry },
    listWaitMs: 5000,
  })
  send(initialize(), { method: 'notifications/initialized' })
  await next()
  send(list)
  const messages = [await next()]
  while (messages.at(-1).id !== 'list') messages.push(await next())
  expect(messages.at(-1).result.tools.map(({ name }: { name: string }) => name)).toEqual(['late.late'])
})

test('a server that fails is reported while another is still starting', async () => {
  const silent = makeSilent()
  const gone = { command: 'no-such-program' }
  const { untilTold } = serveOnStdio({ mcpServers: { silent: silent.entry, gone }, listWaitMs: 600_000 })
  await untilTold('gone is not there')
})
