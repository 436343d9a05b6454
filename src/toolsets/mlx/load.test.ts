import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openModelTools } from '../../../test/helpers/open-model-tools.ts'
import { until } from '../../../test/helpers/open-serve.ts'
import { isListening } from './capability/model-servers/port-state.ts'

type Tools = Awaited<ReturnType<typeof openModelTools>>

/** No process, no port, and nothing that keeps the port from the next one. */
async function expectNothingLeft({ living, port, directory, violations }: Tools) {
  expect(living()).toEqual([])
  expect(await isListening('127.0.0.1', port)).toBe(false)
  expect(readdirSync(directory).filter((name) => name.endsWith('.json'))).toEqual([])
  expect(violations).toEqual([])
}

test('a model is loaded: it answers on the port, and its process runs', async () => {
  const { load, port, living, log } = await openModelTools()
  expect(await load('good/model')).toMatchObject({
    success: true,
    output: { ok: true, message: `good/model answers on port ${port}.`, port, model: 'good/model' },
  })
  expect(living()).toHaveLength(1)
  expect(log()).toContain('asked')
  const response = await fetch(`http://127.0.0.1:${port}/v1/models`)
  expect(await response.json()).toMatchObject({ data: [{ id: 'good/model' }] })
})

test('a model is loaded once it has answered, not once it reports healthy; progress is reported meanwhile', async () => {
  const { load, port } = await openModelTools()
  const told: unknown[] = []
  const loading = load('slow/model', { onProgress: (update) => told.push(update) })
  let ended = false
  loading.then(() => {
    ended = true
  })
  await until(() => isListening('127.0.0.1', port))
  expect(await fetch(`http://127.0.0.1:${port}/health`)).toMatchObject({ status: 200 })
  expect(ended).toBe(false)
  expect(await loading).toMatchObject({ success: true })
  expect(told[0]).toEqual({ progress: 0, message: `Loading slow/model on port ${port}` })
  expect(told).toContainEqual({ progress: 1, message: `Loading slow/model on port ${port} (1 s)` })
})

test.each([
  ['says at first that it is loading', 'loading/model'],
  ['drops the first question', 'dropping/model'],
])('a server that %s is asked again', async (_what, model) => {
  const { load } = await openModelTools()
  expect(await load(model)).toMatchObject({ success: true })
})

test.each([
  ['the server ends for want of the model', 'missing/model', 'model_not_found', 404, /Repository Not Found/],
  ['the server answers that it does not exist', 'unknown/model', 'model_not_found', 404, /no such repository/],
  ['the server ends for another reason', 'crashing/model', 'launch_failed', 500, /exit code 3.*libmlx/],
  ['the server ends when it is asked', 'dying/model', 'launch_failed', 500, /exit code 9/],
  ['the server refuses', 'refusing/model', 'launch_failed', 500, /401.*a key is needed/],
])('%s: the load fails and leaves nothing', async (_what, model, code, status, message) => {
  const tools = await openModelTools()
  expect(await tools.load(model)).toMatchObject({
    error: { code, status, message: expect.stringMatching(message), suggestion: expect.stringMatching(/./) },
  })
  expect(tools.started()).toBe(1)
  await expectNothingLeft(tools)
})

test('a server that does not answer in time is stopped, and nothing is left', async () => {
  const traps = ['dead-loader', 'deaf-dead-loader', 'failing', 'odd', 'portless']
  const results = await Promise.all(
    traps.map(async (trap) => {
      const tools = await openModelTools({ loadTimeoutMs: 5000, graceMs: 400 })
      const result = await tools.load(`${trap}/model`)
      expect(tools.started(), trap).toBe(1)
      await expectNothingLeft(tools)
      return result.success ? trap : result.error
    }),
  )
  for (const error of results)
    expect(error).toMatchObject({
      code: 'launch_failed',
      message: expect.stringContaining('did not answer within 5 s'),
    })
  expect(results[2]).toMatchObject({
    message: expect.stringContaining('The server (500) says: {"error":"out of memory'),
  })
  expect(results[4]).toMatchObject({
    message: expect.stringContaining('Nothing listens at 127.0.0.1:'),
    suggestion: expect.stringContaining('mlxctl.host'),
  })
})

test('of two loads for one port at once, one wins and the other finds the port busy', async () => {
  const { load, again, port, started, living } = await openModelTools()
  const results = await Promise.all([load('slow/model'), again().load('good/model'), load('good/model')])
  const won = results.filter(({ success }) => success)
  const errors = results.flatMap((result) => (result.success ? [] : [result.error]))
  expect(won).toHaveLength(1)
  expect(errors).toMatchObject([{ code: 'port_busy', status: 409 }, { code: 'port_busy' }])
  expect(errors[0]!.message).toMatch(new RegExp(`^Port ${port} is loading (?:slow|good)/model\\.$`))
  expect(started()).toBe(1)
  expect(living()).toHaveLength(1)
})

test('a port that serves a model is busy for every process, and the error names the model', async () => {
  const { load, again, port } = await openModelTools()
  await load('good/first')
  expect(await again().load('good/second')).toMatchObject({
    error: { code: 'port_busy', message: `Port ${port} is serving good/first.` },
  })
})

test('a port that something else listens on is busy, and nothing is started', async () => {
  const tools = await openModelTools()
  const other = createServer((socket) => socket.destroy()).listen(tools.port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  expect(await tools.load('good/model')).toMatchObject({
    error: { code: 'port_busy', message: expect.stringContaining('not loaded here') },
  })
  expect(tools.started()).toBe(0)
})

test('a server that has died does not keep its port', async () => {
  const { load, again, living, port } = await openModelTools()
  await load('good/first')
  const [server] = living()
  process.kill(server!, 'SIGKILL')
  await until(async () => living().length === 0 && !(await isListening('127.0.0.1', port)))
  expect(await again().load('good/second')).toMatchObject({ success: true })
  expect(living()).toHaveLength(1)
})

test.each(['dead-loader/model', 'deaf-dead-loader/model', 'portless/model'])(
  'a caller who gives up on %s leaves nothing',
  async (model) => {
    const tools = await openModelTools({ graceMs: 400 })
    const controller = new AbortController()
    const loading = tools.load(model, { signal: controller.signal })
    await until(() => tools.started() === 1)
    controller.abort()
    expect(await loading).toMatchObject({ error: { code: 'cancelled' } })
    await until(() => tools.living().length === 0)
    await until(() => readdirSync(tools.directory).every((name) => !name.endsWith('.json')))
    await expectNothingLeft(tools)
  },
)

test.each(['it\'s "so" \\ $(exit 9) `exit 9`; exit 9 * %s', 'line\nbreak {port} $HOME', '../ü😀'])(
  'the model %j reaches the server as it is',
  async (model) => {
    const { load, port, log } = await openModelTools()
    expect(await load(model)).toMatchObject({ success: true, output: { model } })
    const [words] = log().split('\n')
    expect(JSON.parse(words!)).toEqual(['--model', model, '--host', '127.0.0.1', '--port', String(port)])
  },
)

test.each([
  ['an option', '--trust-remote-code'],
  ['a NUL character', 'a\0b'],
])('a model that is %s is not found, and nothing is started', async (_what, model) => {
  const { load, started } = await openModelTools()
  expect(await load(model)).toMatchObject({ error: { code: 'model_not_found' } })
  expect(started()).toBe(0)
})

test.each([8099, 8140, 0, -1, 8100.5, '8100', null])('port %j is invalid', async (port) => {
  const { call, started } = await openModelTools()
  const error = { code: 'invalid_port', status: 400, problems: [{ pointer: '/port' }] }
  expect(await call('mlx.load', { model: 'good/model', port })).toMatchObject({ error })
  expect(started()).toBe(0)
})

test.each([
  ['no port', { model: 'good/model' }],
  ['no model', { port: 8100 }],
  ['an empty model', { model: '', port: 8100 }],
  ['an unknown key', { model: 'good/model', port: 8100, host: 'example.com' }],
])('%s is refused', async (_what, input) => {
  const { call, started } = await openModelTools()
  expect(await call('mlx.load', input)).toMatchObject({ error: { code: 'invalid_input', status: 400 } })
  expect(started()).toBe(0)
})

test('a program that is not installed is named in the error', async () => {
  const tools = await openModelTools({ command: ['no-such-server', '{model}'] })
  expect(await tools.load('good/model')).toMatchObject({
    error: {
      code: 'launch_failed',
      message: 'no-such-server was not found.',
      suggestion: expect.stringContaining('mlxctl.command'),
    },
  })
  await expectNothingLeft(tools)
})

test('without a yes nothing is started or ended', async () => {
  const { load, unload, started, living } = await openModelTools()
  const no = { approver: async () => ({ answer: 'no', by: 'a test' }) as const }
  expect(await load('good/model', no)).toMatchObject({ error: { code: 'approval_denied' }, ran: false })
  expect(started()).toBe(0)
  expect(await load('good/model')).toMatchObject({ success: true })
  expect(await unload(no)).toMatchObject({ error: { code: 'approval_denied' }, ran: false })
  expect(living()).toHaveLength(1)
})
