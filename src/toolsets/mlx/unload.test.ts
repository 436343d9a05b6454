import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openModelTools } from '../../../test/helpers/open-model-tools.ts'
import { until } from '../../../test/helpers/open-serve.ts'
import { isListening } from './capability/model-servers/port-state.ts'
import { isSameProcess, processId } from './capability/model-servers/process-id.ts'

test('a model can be unloaded by a later process: its process and port are gone', async () => {
  const { load, again, port, living, log, violations } = await openModelTools()
  await load('good/model')
  expect(await again().unload()).toMatchObject({
    success: true,
    output: { ok: true, message: `good/model on port ${port} was stopped.`, port },
  })
  expect(living()).toEqual([])
  expect(await isListening('127.0.0.1', port)).toBe(false)
  // What mlx_lm.server handles.
  expect(log()).toContain('got SIGINT')
  expect(violations).toEqual([])
})

test('a server that is deaf to INT and TERM ends nevertheless', async () => {
  const { load, unload, living, log } = await openModelTools({ graceMs: 2000 })
  await load('deaf/model')
  expect(await unload()).toMatchObject({ output: { ok: true } })
  expect(log()).toMatch(/got SIGINT[\s\S]*got SIGTERM/)
  expect(living()).toEqual([])
})

test('a server of ours ends even if the config names mlxctl by then', async () => {
  const { load, again, living, called } = await openModelTools()
  await load('good/model')
  expect(await again({ driver: 'mlxctl', command: ['mlxctl'] }).unload()).toMatchObject({ output: { ok: true } })
  expect(living()).toEqual([])
  expect(called('mlxctl')).toEqual([])
})

test('child processes of a server end with it', async () => {
  const { load, unload, living } = await openModelTools()
  await load('parent/model')
  expect(living()).toHaveLength(2)
  expect(await unload()).toMatchObject({ output: { ok: true } })
  await until(() => living().length === 0)
})

test('the port can be used again at once', async () => {
  const { load, unload, living } = await openModelTools()
  for (const model of ['good/first', 'good/second']) {
    expect(await load(model)).toMatchObject({ success: true })
    expect(await unload()).toMatchObject({ output: { ok: true } })
  }
  expect(living()).toEqual([])
})

test('a port without a model is not listening', async () => {
  const { load, unload, port, living } = await openModelTools()
  const error = { code: 'not_listening', status: 404, message: `No model is loaded on port ${port}.` }
  expect(await unload()).toMatchObject({ error })
  await load('good/model')
  await unload()
  expect(await unload()).toMatchObject({ error })
  await load('good/model')
  process.kill(living()[0]!, 'SIGKILL')
  await until(async () => living().length === 0 && !(await isListening('127.0.0.1', port)))
  expect(await unload()).toMatchObject({ error })
})

test('a server that was not loaded here is left running', async () => {
  const { unload, port } = await openModelTools()
  const other = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  expect(await unload()).toMatchObject({
    error: { code: 'not_listening', message: expect.stringContaining('not loaded here and is left running') },
  })
  expect(await isListening('127.0.0.1', port)).toBe(true)
})

test('a process that was given the number of a server that has ended is left alone', async () => {
  const { load, unload, again, port, directory, living } = await openModelTools()
  await load('good/model')
  const [server] = living()
  const other = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other, 'spawn')
  const id = processId(other.pid!)
  const path = join(directory, `${port}.json`)
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"pid":${server}`, `"pid":${other.pid}`))
  expect(await unload()).toMatchObject({ error: { code: 'not_listening' } })
  await again({ driver: 'mlxctl', command: ['mlxctl'] }).unload()
  expect(isSameProcess(id)).toBe(true)
})

test('a model that is still being loaded ends, and its load fails', async () => {
  const { load, again, log, living, port } = await openModelTools()
  const loading = load('dead-loader/model')
  await until(async () => (await isListening('127.0.0.1', port)) && log().includes('asked'))
  expect(await again().unload()).toMatchObject({ output: { ok: true } })
  expect(await loading).toMatchObject({
    error: { code: 'launch_failed', message: 'dead-loader/model was unloaded before it answered.' },
  })
  expect(living()).toEqual([])
  expect(await load('good/model')).toMatchObject({ success: true })
})

test('a port that another program has taken over is reported as open', async () => {
  const { load, unload, living, port, log } = await openModelTools()
  const loading = load('portless/model')
  await until(() => living().length === 1 && log().length > 0)
  const other = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  expect(await unload()).toMatchObject({
    output: { ok: false, message: expect.stringContaining('something still listens on the port') },
  })
  expect(await loading).toMatchObject({ error: { code: 'launch_failed' } })
  expect(living()).toEqual([])
})

test.each([8099, 8140, '8100', null])('port %j is invalid', async (port) => {
  const { call } = await openModelTools()
  expect(await call('mlx.unload', { port })).toMatchObject({ error: { code: 'invalid_port', status: 400 } })
})

test.each([
  ['no port', {}],
  ['an unknown key', { port: 8100, model: 'x' }],
])('%s is refused', async (_what, input) => {
  const { call } = await openModelTools()
  expect(await call('mlx.unload', input)).toMatchObject({ error: { code: 'invalid_input', status: 400 } })
})
