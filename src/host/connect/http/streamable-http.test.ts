import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { closeServersAfterEach, serve } from '../../../../test/helpers/local-servers.ts'
import { entries } from '../../../../test/helpers/run-command.ts'
import { options } from '../../../../test/upstream-servers/open-hostile.ts'
import { createLegacySse, createSessions, createStateless } from '../../../../test/upstream-servers/sdk-server.ts'
import type { ClientOptions, ServerAddress, UpstreamClient } from '../client.ts'
import { openClient } from '../open-client.ts'

closeServersAfterEach()
const open: UpstreamClient[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()))
})

const never = new AbortController().signal

async function connect(address: ServerAddress, more: Partial<ClientOptions> = {}) {
  const noise: string[] = []
  const lost: Error[] = []
  const changes: number[] = []
  const client = await openClient(
    address,
    options({
      onNoise: (text) => noise.push(text),
      onLost: (failure) => lost.push(failure),
      onListChanged: (kind) => kind === 'tools' && changes.push(changes.length),
      ...more,
    }),
  )
  open.push(client)
  const call = (name: string, input = {}, signal = never) =>
    // biome-ignore lint/suspicious/noExplicitAny: whatever a server answers
    client.callTool(name, input, { signal }).catch((failure) => failure) as Promise<any>
  return { client, call, noise, lost, changes }
}

async function until(check: () => unknown) {
  for (let wait = 0; wait < 1200 && !check(); wait++) await sleep(50)
  expect(check()).toBeTruthy()
}

async function toAddress(kind: string): Promise<ServerAddress> {
  switch (kind) {
    case 'stdio':
      return { kind: 'stdio', command: process.execPath, args: [entries.sdkServer], env: {} }
    case 'sessions':
      return { kind: 'http', url: `http://${await serve(createSessions().listener)}/mcp`, headers: {} }
    case 'stateless':
      return { kind: 'http', url: `http://${await serve(createStateless())}/mcp`, headers: {} }
    default:
      return { kind: kind as 'sse' | 'http', url: `http://${await serve(createLegacySse())}/sse`, headers: {} }
  }
}

describe.each(['stdio', 'sessions', 'stateless', 'sse', 'http'])('a server of the official SDK over %s', (kind) => {
  test('answers, reports progress, refuses, and receives cancellations', async () => {
    const { client, call, noise, lost } = await connect(await toAddress(kind))
    expect(client.revision).toBe('2025-11-25')
    expect(client.serverInfo).toEqual({ name: 'sdk', version: '1.0.0' })
    const [echo] = (await client.list('tools')).entries
    expect(JSON.stringify(echo)).toBe('{"name":"echo","inputSchema":{"type":"object"},"_meta":{"z":1,"a":[2]}}')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => call('echo', { index })))
    expect(answers.map(({ structuredContent }) => structuredContent.input.index)).toEqual(
      answers.map((_, index) => index),
    )
    const updates: unknown[] = []
    await client.callTool('progress', {}, { signal: never, onProgress: (update) => updates.push(update) })
    // Answered with JSON alone, there is no place for it.
    expect(updates).toEqual(kind === 'stateless' ? [] : [{ progress: 1 }, { progress: 2 }])
    await client.ping()
    expect(await call('fail')).toMatchObject({
      kind: 'refused',
      code: -32603,
      message: expect.stringContaining('always fails'),
    })
    expect(await call('hang', {}, AbortSignal.timeout(200))).toMatchObject({ kind: 'unavailable' })
    // Without sessions each request meets a server of its own.
    if (kind !== 'stateless') {
      for (let wait = 0; wait < 1000; wait++) if ((await call('echo')).structuredContent.ended.length > 0) break
      expect((await call('echo')).structuredContent.ended).toEqual(['hang'])
    }
    expect(noise).toEqual([])
    await client.close()
    expect(lost).toEqual([])
  })
})

test.each(['sessions', 'sse'])('a change of the tools is announced over %s', async (kind) => {
  const { client, call, changes } = await connect(await toAddress(kind))
  // The stream for it is opened beside the first calls.
  await sleep(200)
  await call('change')
  await until(() => changes.length > 0)
  expect((await client.list('tools')).entries).toContainEqual(expect.objectContaining({ name: 'added' }))
})

test('a session is ended with the connection, and one that the server has forgotten is lost', async () => {
  const sessions = createSessions()
  const url = `http://${await serve(sessions.listener)}/mcp`
  const first = await connect({ kind: 'http', url, headers: {} })
  expect(sessions.size).toBe(1)
  await first.client.close()
  expect(sessions.size).toBe(0)
  const second = await connect({ kind: 'http', url, headers: {} })
  sessions.forget()
  expect(await second.call('echo')).toMatchObject({ kind: 'refused', status: 404 })
  expect(second.lost).toHaveLength(1)
  expect(await second.call('echo')).toMatchObject({ message: second.lost[0]!.message })
})
