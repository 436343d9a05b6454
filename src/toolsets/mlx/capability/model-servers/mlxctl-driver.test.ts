import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openModelTools } from '../../../../../test/helpers/open-model-tools.ts'
import { until } from '../../../../../test/helpers/open-serve.ts'
import { openToolpact } from '../../../../app/app.ts'
import { findProgram } from '../../../../capabilities/process/find-program.ts'
import { quoteForShell } from './mlxctl-driver.ts'
import { isListening } from './port-state.ts'

const places = [
  ['on this machine', undefined],
  ['over ssh', 'ada@studio'],
] as const

test.each(places)('mlxctl %s loads and unloads; servers that it started keep running', async (_where, ssh) => {
  const { load, again, port, living, called, violations } = await openModelTools({
    driver: 'mlxctl',
    ...(ssh && { ssh }),
  })
  expect(await load('good/model')).toMatchObject({ output: { ok: true, port, model: 'good/model' } })
  expect(living()).toHaveLength(1)
  expect(await again().load('good/other')).toMatchObject({ error: { code: 'port_busy' } })
  expect(living()).toHaveLength(1)
  expect(await again().unload()).toMatchObject({
    output: { ok: true, message: `good/model on port ${port} was stopped.` },
  })
  await until(() => living().length === 0)
  expect(await again().unload()).toMatchObject({
    error: { code: 'not_listening', message: expect.stringContaining(`mlxctl says: nothing is loaded on ${port}`) },
  })
  const unload = ['unload', String(port)]
  expect(called('mlxctl')).toEqual([['load', 'good/model', String(port)], unload, unload])
  expect(called('ssh')).toHaveLength(ssh ? 3 : 0)
  expect(violations).toEqual([])
})

const hostile = [
  `it's`,
  `'; touch pwned; '`,
  'two  words ',
  '$(touch pwned) `touch pwned` $HOME',
  '"; touch pwned #',
  'line\nbreak\ntouch pwned',
  '\\',
  `\\'; touch pwned; \\`,
  `a\\' & touch pwned & '\\`,
  '* ~ ! | > pwned < { } [a-z] ? ; && ||',
  '\t\u001b[31mü😀\u202e',
  '%s\\n %d',
]

test.each(['studio', 'ada@bash'])(
  'names of models reach mlxctl over ssh as they are, by the shell of %s',
  async (ssh) => {
    const { load, port, called, folder } = await openModelTools({ driver: 'mlxctl', ssh })
    for (const name of hostile)
      expect(await load(`missing ${name}`), name).toMatchObject({ error: { code: 'model_not_found', status: 404 } })
    expect(called('mlxctl')).toEqual(hostile.map((name) => ['load', `missing ${name}`, String(port)]))
    for (const words of called('ssh'))
      expect(words.slice(0, -1)).toEqual(['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=15', '--', ssh])
    expect(readdirSync(folder, { recursive: true }).filter((path) => String(path).includes('pwned'))).toEqual([])
  },
)

test('a model with a hostile name is served and ended over ssh', async () => {
  const { load, unload, port, living } = await openModelTools({ driver: 'mlxctl', ssh: 'studio' })
  const model = `it's $(exit 9)\n"so" \\`
  expect(await load(model)).toMatchObject({ output: { ok: true, model } })
  const response = await fetch(`http://127.0.0.1:${port}/v1/models`)
  expect(await response.json()).toMatchObject({ data: [{ id: model }] })
  expect(await unload()).toMatchObject({ output: { ok: true } })
  await until(() => living().length === 0)
})

test('a name that is an option is not handed on', async () => {
  const { load, called } = await openModelTools({ driver: 'mlxctl' })
  expect(await load('--help')).toMatchObject({ error: { code: 'model_not_found' } })
  expect(called('mlxctl')).toEqual([])
})

test.each(['-oProxyCommand=touch pwned', '--', 'studio; touch pwned', 'a b', '$(touch pwned)', ''])(
  'the config may not name %j as a host',
  async (ssh) => {
    await expect(openToolpact({ storage: 'memory', config: { mlxctl: { ssh } } })).rejects.toThrow(/mlxctl\/ssh/)
  },
)

test.each([
  ['busy/model', 'port_busy', /in use by another lane/],
  ['broken/model', 'launch_failed', /exit code 9.*the studio sleeps/],
])('mlxctl cannot load %s: what is there is left alone', async (model, code, message) => {
  const { load, called } = await openModelTools({ driver: 'mlxctl' })
  expect(await load(model)).toMatchObject({ error: { code, message: expect.stringMatching(message) } })
  // An unload would stop a model that another user has loaded.
  expect(called('mlxctl').map(([command]) => command)).toEqual(['load'])
})

test('a server that mlxctl started is stopped if mlxctl then fails or the server does not answer', async () => {
  async function loadInVain(model: string, code: string) {
    const { load, living, started, called, port } = await openModelTools({ driver: 'mlxctl', loadTimeoutMs: 5000 })
    expect(await load(model), model).toMatchObject({ error: { code } })
    expect(started(), model).toBe(1)
    await until(() => living().length === 0)
    expect(await isListening('127.0.0.1', port)).toBe(false)
    expect(called('mlxctl').at(-1)).toEqual(['unload', String(port)])
  }
  await Promise.all([
    loadInVain('leaving/model', 'launch_failed'),
    loadInVain('dead-loader/model', 'launch_failed'),
    loadInVain('unknown/model', 'model_not_found'),
  ])
})

test('a caller who gives up while mlxctl works leaves nothing, and the port is free again', async () => {
  const tools = await openModelTools({ driver: 'mlxctl', graceMs: 300 })
  const controller = new AbortController()
  const loading = tools.load('stuck/model', { signal: controller.signal })
  await until(() => tools.called('mlxctl').length === 1)
  controller.abort()
  expect(await loading).toMatchObject({ error: { code: 'cancelled' } })
  await until(() => !existsSync(join(tools.directory, `${tools.port}.json`)))
  // Killed midway, it may have started something.
  expect(tools.called('mlxctl').at(-1)).toEqual(['unload', String(tools.port)])
  expect(await tools.load('good/model')).toMatchObject({ success: true })
})

test('mlxctl that does not end is ended when the time is over', async () => {
  const { load } = await openModelTools({ driver: 'mlxctl', loadTimeoutMs: 300, graceMs: 100 })
  expect(await load('stuck/model')).toMatchObject({
    error: {
      code: 'launch_failed',
      message: expect.stringContaining('took too long'),
      suggestion: expect.stringContaining('mlxctl.loadTimeoutMs'),
    },
  })
})

test('an unload while mlxctl loads ends the load', async () => {
  const { load, again, called, living, log } = await openModelTools({ driver: 'mlxctl' })
  const loading = load('dead-loader/model')
  await until(() => living().length === 1 && log('mlxctl').includes('asked'))
  expect(await again().unload()).toMatchObject({ output: { ok: true } })
  expect(await loading).toMatchObject({ error: { message: 'dead-loader/model was unloaded before it answered.' } })
  // Only the unload has asked mlxctl to stop it: by then another program may own the port.
  expect(called('mlxctl').map(([command]) => command)).toEqual(['load', 'unload'])
})

test('a server that mlxctl does not stop is reported as not gone, and can be stopped later', async () => {
  const { load, unload, folder, living } = await openModelTools({ driver: 'mlxctl', graceMs: 200 })
  await load('good/model')
  for (const [mark, message] of [
    ['refuse', /could not unload port \d+ \(exit code 5\).*not now/],
    ['pretend', /something still listens on the port/],
  ] as const) {
    writeFileSync(join(folder, mark), '')
    expect(await unload()).toMatchObject({ output: { ok: false, message: expect.stringMatching(message) } })
    rmSync(join(folder, mark))
  }
  expect(living()).toHaveLength(1)
  expect(await unload()).toMatchObject({ output: { ok: true } })
})

test('a port that mlxctl is still working on is not unloaded', async () => {
  const { load, again, called, living, folder } = await openModelTools({ driver: 'mlxctl' })
  const loading = load('held/model')
  await until(() => called('mlxctl').length === 1)
  expect(await again().unload()).toMatchObject({
    error: { code: 'not_listening', message: 'The server of held/model is still starting.' },
  })
  expect(called('mlxctl')).toHaveLength(1)
  writeFileSync(join(folder, 'go'), '')
  expect(await loading).toMatchObject({ success: true })
  expect(await again().unload()).toMatchObject({ output: { ok: true } })
  await until(() => living().length === 0)
})

test('mlxctl that knows of nothing is not believed while something listens', async () => {
  const { load, unload, folder, port } = await openModelTools({ driver: 'mlxctl' })
  await load('good/model')
  rmSync(join(folder, `${port}.pid`))
  expect(await unload()).toMatchObject({
    output: { ok: false, message: expect.stringContaining('mlxctl says: nothing is loaded') },
  })
})

test('models that others loaded with mlxctl can be unloaded', async () => {
  const { load, unload, directory, port, living } = await openModelTools({ driver: 'mlxctl' })
  await load('good/model')
  rmSync(join(directory, `${port}.json`))
  expect(await unload()).toMatchObject({ output: { ok: true, message: `The server on port ${port} was stopped.` } })
  await until(() => living().length === 0)
})

test.each([
  [
    'mlxctl that is not installed',
    { command: ['no-such-mlxctl'] },
    /^no-such-mlxctl was not found\./,
    /mlxctl\.command/,
  ],
  [
    'mlxctl that is not installed there',
    { ssh: 'studio', command: ['no-such-mlxctl'] },
    /cannot be run.*not found/,
    /mlxctl\.command/,
  ],
  [
    'a machine that cannot be reached',
    { ssh: 'ada@away' },
    /ssh could not connect to ada@away.*No route/,
    /mlxctl\.ssh/,
  ],
])('%s is reported, with what to check', async (_what, settings, message, check) => {
  const { load, unload } = await openModelTools({ driver: 'mlxctl', ...settings })
  expect(await load('good/model')).toMatchObject({
    error: { code: 'launch_failed', message: expect.stringMatching(message), suggestion: expect.stringMatching(check) },
  })
  const output = { ok: false, message: expect.stringMatching(message) }
  expect(await unload()).toMatchObject({ output })
  expect(await unload()).toMatchObject({ output: { message: expect.stringMatching(check) } })
})

/** Made of what shells care about, and of anything else that an argument can hold. */
const word = fc.string({
  unit: fc.oneof(fc.constantFrom(...`'"\\$()\`;&|<>*?[]{}~!#%^= \t\n-`), fc.string({ unit: 'grapheme', maxLength: 1 })),
  maxLength: 12,
})
const words = fc.sample(word, { numRuns: 400, seed: 8 }).filter((text) => !text.includes('\0'))

const shells = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'fish'].flatMap(
  (name) => findProgram(name, process.env.PATH, import.meta.dirname) ?? [],
)

test('there is a shell to try', () => expect(shells.length).toBeGreaterThan(0))

test.each(shells)('%s reads every word as it is', (shell) => {
  const command = `printf '%s\\0' ${words.map(quoteForShell).join(' ')}`
  const said = execFileSync(shell, ['-c', command], { encoding: 'utf8' })
  expect(said.split('\0').slice(0, -1)).toEqual(words)
})
