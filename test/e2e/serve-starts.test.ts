import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src/contract/json.ts'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import { define, makeChangeling, until } from '../helpers/open-changeling.ts'
import { initialize, modernMeta } from '../helpers/open-mcp.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, env, run, close } = openCommandFolder()
afterAll(close)

let configs = 0

/** `toolpact serve --stdio` over these servers, and a client that reads what it answers in order. */
function serveOnStdio(config: { mcpServers: { [name: string]: UpstreamEntry }; listWaitMs?: number }) {
  const file = join(folder, `config-${configs++}.json`)
  writeFileSync(file, JSON.stringify({ toolsets: Object.keys(config.mcpServers), ...config }))
  return serveFrom(file)
}

function serveFrom(file: string) {
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
  // Discovery waits for what a toolset offers, up to a moment, so the ping may be answered first.
  expect(await Promise.all([next(), next()])).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        id: 'found',
        result: expect.objectContaining({ supportedVersions: ['2026-07-28'] }),
      }),
      expect.objectContaining({ id: 'ping' }),
    ]),
  )
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
  send(list)
  expect(namesOf(await untilListed(next))).toEqual(['late_late'])
})

test('a server that fails is reported while another is still starting', async () => {
  const silent = makeSilent()
  const gone = { command: 'no-such-program' }
  const { untilTold } = serveOnStdio({ mcpServers: { silent: silent.entry, gone }, listWaitMs: 600_000 })
  await untilTold('gone is not available')
})

test('the second start lists the tools of a server before it is up, from the first one', async () => {
  const marker = join(folder, 'slow-from-now-on')
  const odd = makeChangeling([define('echo')])
  // Quick the first time; it never answers after that.
  const program = `const { existsSync } = require('node:fs'); if (existsSync(${JSON.stringify(marker)})) setInterval(() => {}, 1000); else import(process.argv[1])`
  const entry = { command: process.execPath, args: ['-e', program, ...odd.entry.args] }
  const first = serveOnStdio({ mcpServers: { odd: entry }, listWaitMs: 60_000 })
  first.send(initialize(), list)
  expect(namesOf(await untilListed(first.next))).toEqual(['echo'])
  const kept = join(env.TOOLPACT_STATE_DIR!, 'listed-tools')
  await until(() => existsSync(kept) && readdirSync(kept).length > 0)
  writeFileSync(marker, '')
  const second = serveOnStdio({ mcpServers: { odd: entry }, listWaitMs: 600_000 })
  second.send(initialize(), list)
  expect(namesOf(await untilListed(second.next))).toEqual(['echo'])
})

test('the first start lists what the lock has accepted, before the server is up', async () => {
  const odd = makeChangeling([define('echo'), define('other')])
  const place = join(folder, 'locked')
  mkdirSync(place)
  const config = join(place, 'toolpact.json')
  const write = (entry: UpstreamEntry) =>
    writeFileSync(config, JSON.stringify({ mcpServers: { odd: entry }, toolsets: ['odd'], listWaitMs: 600_000 }))
  write(odd.entry)
  const { code, stderr } = await run(['lock', '--config', config])
  expect({ code, stderr }).toMatchObject({ code: 0 })
  // The same command with other arguments is the same server to the lock, and one of which nothing else is known.
  write({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] })
  const { send, next } = serveFrom(config)
  send(initialize(), list)
  expect(namesOf(await untilListed(next))).toEqual(['echo', 'other'])
})

// biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
async function untilListed(next: () => Promise<any>) {
  for (;;) {
    const message = await next()
    if (message.id === 'list') return message
  }
}

function namesOf({ result }: { result: { tools: { name: string }[] } }): string[] {
  return result.tools.map(({ name }) => name)
}
