import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { probe } from '../../capabilities/sandbox/probe.ts'
import { openToolpact } from '../app.ts'
import type { ConfigSource } from '../config/config.ts'
import { type GrantOffer, proposeGrants, toOfferedGrants } from './propose-grants.ts'

const prying = fileURLToPath(new URL('../../../test/upstream-servers/prying.cjs', import.meta.url))
const works = process.platform === 'linux' && 'driver' in (await probe())

let folder: string
let stateDirectory: string
beforeEach(() => {
  folder = realpathSync(makeFolder())
  stateDirectory = makeFolder()
})

async function open(entry: object, config: object = {}) {
  const server = { command: process.execPath, args: [prying], approval: 'never', ...entry }
  const toolpact = await openToolpact({
    storage: 'memory',
    stateDirectory,
    workspace: folder,
    config: { mcpServers: { odd: server }, ...config } as ConfigSource,
  })
  onTestFinished(() => toolpact.close())
  const call = async (tool: string, input = {}) => {
    const result = await toolpact.call(`odd.${tool}`, input)
    return result.success ? (result.output as { text: string }).text : result.error
  }
  return { toolpact, call }
}

describe.skipIf(!works)('a confined server (skipped where no sandbox works)', () => {
  test('reads what was granted, writes where it may, and finds nothing else', async () => {
    for (const name of ['notes', 'drafts', 'other']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'a.txt'), name)
    }
    const { toolpact, call } = await open({ read: [join(folder, 'notes')], write: [join(folder, 'drafts')] })
    const path = (name: string) => join(folder, name, 'a.txt')
    expect(await call('read', { path: path('notes') })).toBe('notes')
    expect(await call('write', { path: path('notes'), text: 'x' })).toMatchObject({ code: 'upstream_error' })
    expect(await call('write', { path: path('drafts'), text: 'x' })).toBe('written')
    expect(readFileSync(path('drafts'), 'utf8')).toBe('x')
    expect(await call('read', { path: path('other') })).toMatchObject({
      suggestion: expect.stringContaining(`toolpact mcp grant odd --read ${path('other')}`),
    })
    expect(await call('exists', { path: join(homedir(), '.ssh') })).toBe('false')
    writeFileSync(join(stateDirectory, 'key'), 'secret')
    expect(await call('exists', { path: join(stateDirectory, 'key') })).toBe('false')
    const [status] = toolpact.upstreams.look()
    expect(status!.isolation).toMatchObject({ state: 'confined', by: 'bubblewrap' })
    expect(status!.isolation!.may).toBe(
      `reads ${join(folder, 'notes')}, writes ${join(folder, 'drafts')}, talks to no host`,
    )
  })

  test('has a home of its own, which stays, and a temporary folder that does not', async () => {
    const { call } = await open({ network: 'none' })
    const home = JSON.parse((await call('environment')) as string).HOME
    expect(await call('write', { path: join(home, 'kept'), text: 'x' })).toBe('written')
    expect(await call('write', { path: '/tmp/lost', text: 'x' })).toBe('written')
    expect(existsSync('/tmp/lost')).toBe(false)
    expect(existsSync(join(home, 'kept'))).toBe(false)
    const again = await open({ network: 'none' })
    expect(await again.call('read', { path: join(home, 'kept') })).toBe('x')
  })

  test('starts in a folder that it may not see, which is empty for it', async () => {
    writeFileSync(join(folder, 'a.txt'), 'x')
    const { call } = await open({ network: 'none', cwd: folder })
    expect(await call('list', { path: folder })).toBe('')
  })

  test('is proposed the folders that its entry names, in arguments, variables and as the one to run in', async () => {
    for (const name of ['served', 'notes', 'kept', 'work']) mkdirSync(join(folder, name))
    const path = (name: string) => join(folder, name)
    const env = {
      NOTES: path('notes'),
      MEMORY_FILE: path('kept/memory.jsonl'),
      HOME: '/',
      PORT: '80',
      MISSING: '/no/such/x',
    }
    const entry = { command: process.execPath, args: [prying, path('served'), '--no-folder'], env, cwd: path('work') }
    const proposal = await proposeGrants('odd', entry, { workspace: folder, folder: undefined, signal: new AbortController().signal }) // biome-ignore format: one line
    expect(toOfferedGrants((proposal as { offers: GrantOffer[] }).offers)).toEqual({
      read: [],
      write: ['work', 'served', 'notes', 'kept'].map(path),
      network: 'none',
    })
  })

  test('sees no other process, and can neither open nor reach a Unix socket', async () => {
    const socket = createSocket((client) => client.end('reached')).listen(join(folder, 'service.sock'))
    onTestFinished(() => void socket.close())
    const { call } = await open({ read: [folder] })
    expect(await call('connect', { path: join(folder, 'service.sock') })).toMatchObject({ message: expect.stringContaining('EPERM') }) // biome-ignore format: one line
    expect(((await call('processes')) as string).split(' ').map(Number)).not.toContain(process.pid)
  })

  test('reaches a granted host by the proxy, by CONNECT and by its name alone, and no other', async () => {
    const web = createServer((asked, response) => response.end(`served ${asked.url}`)).listen(0, '127.0.0.1')
    const echo = createSocket((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
    await Promise.all([web, echo].map((server) => once(server, 'listening')))
    onTestFinished(() => {
      web.close()
      echo.close()
    })
    const [webPort, echoPort] = [web, echo].map((server) => (server.address() as AddressInfo).port) as [number, number]
    const { toolpact, call } = await open({ network: [`localhost:${webPort}`, `localhost:${echoPort}`] })
    expect(await call('get', { url: `http://localhost:${webPort}/a` })).toBe('served /a')
    expect(await call('tunnel', { host: 'localhost', port: echoPort })).toBe('hello\n')
    expect(await call('connect', { host: 'localhost', port: echoPort })).toBe('hello\n')
    expect(await call('get', { url: 'http://evil.example/' })).toMatchObject({
      message: expect.stringContaining('evil.example:80: it was not granted'),
      suggestion: expect.stringContaining('toolpact mcp grant odd --allow-host evil.example'),
    })
    expect(await call('tunnel', { host: '127.0.0.1', port: echoPort })).toMatchObject({ message: expect.stringContaining('403') }) // biome-ignore format: one line
    expect(await call('connect', { host: 'other.example', port: 443 })).toMatchObject({ message: expect.stringContaining('ENOTFOUND') }) // biome-ignore format: one line
    expect(await call('connect', { host: '192.0.2.1', port: 443 })).toMatchObject({ message: expect.stringContaining('ENETUNREACH') }) // biome-ignore format: one line
    const { refused } = toolpact.upstreams.look()[0]!.isolation!
    expect(refused.map(({ grant }) => grant)).toEqual(['other.example', `127.0.0.1:${echoPort}`, 'evil.example'])
    const recorded = async () => (await toolpact.ledger.read({ tool: 'odd.connect' })).map(({ record }) => record)
    await expect.poll(recorded).toContainEqual(
      expect.objectContaining({
        kind: 'refusal',
        caller: { name: 'server:odd' },
        errorCode: 'not_granted',
        input: { host: 'evil.example', port: 80 },
      }),
    )
  })
})

test.skipIf(process.platform !== 'darwin')(
  'Seatbelt lets a server read what was granted, and nothing else',
  async () => {
    for (const name of ['notes', 'other']) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'a.txt'), name)
    }
    const { call } = await open({ read: [join(folder, 'notes')], isolation: 'required' })
    expect(await call('read', { path: join(folder, 'notes/a.txt') })).toBe('notes')
    expect(await call('read', { path: join(folder, 'other/a.txt') })).toMatchObject({ code: 'upstream_error' })
    expect(await call('write', { path: join(folder, 'notes/a.txt'), text: 'x' })).toMatchObject({
      code: 'upstream_error',
    })
    expect(await call('tunnel', { host: 'evil.example', port: 443 })).toMatchObject({ message: expect.stringContaining('403') }) // biome-ignore format: one line
  },
)

test.skipIf(process.platform === 'win32')(
  'a server that must be confined does not start where nothing confines it, and runs and says so where it only should be',
  async () => {
    const image = { container: 'node', env: { PATH: folder } }
    const before = process.env.PATH
    process.env.PATH = folder
    onTestFinished(() => {
      process.env.PATH = before
    })
    const required = await open({ ...image, isolation: 'required' })
    expect(await required.call('processes')).toMatchObject({
      code: 'toolset_unavailable',
      message: expect.stringContaining('neither docker nor podman is installed'),
    })
    const recorded: unknown[] = []
    const { createIsolation } = await import('./create-isolation.ts')
    const confine = createIsolation({
      folder,
      stateDirectory: () => stateDirectory,
      protectedPaths: () => [],
      probe: async () => ({ reason: 'bubblewrap is not installed', suggestion: 'apt-get install bubblewrap' }),
      record: (event) => recorded.push(event),
    })
    const command = { command: 'x', program: '/x', args: [], environment: {}, cwd: folder }
    const options = { signal: AbortSignal.timeout(1000), onInstalling() {} }
    const auto = confine('odd', { network: 'none' })
    expect(await auto.prepare(command, options)).toBeUndefined()
    expect(recorded).toEqual([
      { kind: 'unconfined', server: 'odd', of: 'server', reason: 'bubblewrap is not installed' },
    ])
    expect(auto.status()).toMatchObject({ state: 'unavailable', suggestion: 'apt-get install bubblewrap' })
    const strict = confine('odd', { isolation: 'required' })
    await expect(strict.prepare(command, options)).rejects.toThrow(
      'It may run only confined, and bubblewrap is not installed. To confine it: apt-get install bubblewrap.',
    )
  },
)

test('a server to which nothing was granted runs as before, and its status says so', async () => {
  const { toolpact, call } = await open({})
  writeFileSync(join(folder, 'a.txt'), 'x')
  expect(await call('read', { path: join(folder, 'a.txt') })).toBe('x')
  expect(toolpact.upstreams.look()[0]!.isolation).toMatchObject({
    state: 'ungranted',
    suggestion: 'toolpact mcp grant odd',
  })
})
