import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until, useServeFolders } from '../helpers/open-serve.ts'

const openServeFolder = useServeFolders()
const toBroken = (name: string) => ({ [name]: { command: process.execPath, args: ['-e', 'process.exit(1)'] } })

test.concurrent('health needs no token on this machine, and then shows nothing but whether it is well', async () => {
  const { start } = openServeFolder()
  const { send } = await start(['--toolset', 'learning'])
  expect((await send('/healthz', { token: null })).json).toEqual({ status: 'ok' })
  expect((await send('/readyz', { token: null })).json).toEqual({ status: 'ready' })
  for (const path of ['/healthz', '/readyz']) {
    expect((await send(path, { token: 'wrong' })).status).toBe(401)
    expect((await send(path, { token: null, headers: { Host: 'attacker.example' } })).status).toBe(403)
    expect((await send(path, { token: null, headers: { Origin: 'https://attacker.example' } })).status).toBe(403)
  }
  await send('/v1/tools/learning.hello', { body: '{"name":"Ada"}' })
  const { json } = await send('/readyz')
  expect(json).toEqual({
    status: 'ready',
    storage: { writable: true, last_commit_at: expect.stringMatching(/^\d{4}-/), last_failure_at: null },
    checkpoints: { size: null, last_at: null, failing: false, places: [] },
    upstreams: [],
  })
})

test.concurrent('readyz answers 503 while calls cannot be recorded, and healthz still 200', async () => {
  const { start, folder } = openServeFolder()
  const { send } = await start()
  const state = join(folder, 'state')
  expect((await send('/readyz')).status).toBe(200)
  renameSync(state, `${state}.away`)
  await until(async () => (await send('/readyz', { token: null })).status === 503)
  const { json, headers, text } = await send('/readyz', { token: null })
  expect(json).toEqual({ status: 'not_ready', reasons: ['storage'] })
  expect(headers['retry-after']).toBe('1')
  expect(text).not.toContain(folder)
  expect((await send('/healthz', { token: null })).json).toEqual({ status: 'ok' })
  renameSync(`${state}.away`, state)
  await until(async () => (await send('/readyz', { token: null })).status === 200)
})

test.concurrent('readyz answers 503 when no MCP server is usable, and names servers only with a token', async () => {
  const { start, folder } = openServeFolder()
  writeFileSync(
    join(folder, 'own.json'),
    JSON.stringify({ toolsets: ['learning', 'secretname'], mcpServers: toBroken('secretname') }),
  )
  const { send } = await start(['--config', 'own.json'])
  // It is started again after a while, so it fails again and again.
  await until(async () => {
    const { json } = await send('/readyz')
    if (json.upstreams[0]?.state !== 'failed') return false
    expect(json).toMatchObject({ reasons: ['upstreams'], upstreams: [{ name: 'secretname' }] })
    return true
  })
  const open = await send('/readyz', { token: null })
  expect(open.json).toEqual({ status: 'not_ready', reasons: ['upstreams'] })
  expect((await send('/v1/tools/learning.hello', { body: '{"name":"Ada"}' })).status).toBe(200)
})
