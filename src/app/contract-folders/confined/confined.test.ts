import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  makeContracts,
  openFolders,
  reads,
  says,
  stateDirectory,
  works,
  workspace,
} from '../../../../test/helpers/confined-folders.ts'
import { findProcesses } from '../../../../test/helpers/find-processes.ts'

describe.skipIf(!works)('handlers of a confined folder (skipped where no sandbox works)', () => {
  test('run in a process of their own, which prints where it likes', async () => {
    const folder = makeContracts('tools', { 'say.js': `console.log('{"id":1}')\n${says}` })
    const { call } = await openFolders([{ path: folder, network: 'none' }])
    const first = await call('tools.say')
    expect(first).toMatch(/^x from \d+ /)
    expect(first).not.toContain(String(performance.timeOrigin))
    expect(await call('tools.say')).toBe(first)
  })

  test('read what was granted and their own folder, and find neither ~/.ssh nor the state directory', async () => {
    const folder = makeContracts('tools', { 'look.js': reads }, { 'own.txt': 'own' })
    mkdirSync(join(workspace, 'notes'))
    writeFileSync(join(workspace, 'notes/a.txt'), 'granted')
    writeFileSync(join(workspace, 'beside.txt'), 'private')
    writeFileSync(join(stateDirectory, 'key'), 'private')
    const { call } = await openFolders([{ path: folder, read: ['notes'] }], {}, {})
    // Paths of a config that is an object are relative to the workspace.
    expect(await call('tools.look', join(workspace, 'notes/a.txt'))).toBe('granted')
    expect(await call('tools.look', join(folder, 'own.txt'))).toBe('own')
    const refused = await call('tools.look', join(workspace, 'beside.txt'))
    const path = join(workspace, 'beside.txt')
    expect(refused).toMatchObject({
      code: 'internal',
      message: expect.stringContaining(`may not use ${path}, which it was not granted.`),
      suggestion: `Do not repeat the call. The operator can allow it: add "${path}" to "read" in the entry of tools under "contracts" in toolpact.json`,
    })
    for (const path of [join(stateDirectory, 'key'), join(homedir(), '.ssh/id_rsa')])
      expect(await call('tools.look', path)).toMatchObject({ code: 'internal' })
  })

  test('write where they may, and never their own folder', async () => {
    const write = `import { writeFileSync } from 'node:fs'
export const run = ({ value }) => { writeFileSync(value, 'x'); return { text: 'written' } }`
    const folder = makeContracts('tools', { 'put.js': write })
    mkdirSync(join(workspace, 'drafts'))
    const { call } = await openFolders([{ path: folder, write: ['.'] }])
    expect(await call('tools.put', join(workspace, 'drafts/a.txt'))).toBe('written')
    expect(readFileSync(join(workspace, 'drafts/a.txt'), 'utf8')).toBe('x')
    for (const file of ['put.js', 'new.js', 'put.contract.json'])
      expect(await call('tools.put', join(folder, file))).toMatchObject({ code: 'internal' })
    expect(readFileSync(join(folder, 'put.js'), 'utf8')).toBe(write)
    const own = await openFolders([{ path: folder, write: [folder] }])
    expect(await own.call('tools.put', join(folder, 'new.js'))).toMatchObject({
      code: 'tool_withheld',
      message: expect.stringContaining('"write" names the folder itself'),
    })
  })

  test('reach the hosts that were granted, and a refused one is explained and recorded', async () => {
    const web = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1')
    onTestFinished(() => void web.close())
    await once(web, 'listening')
    const { port } = web.address() as AddressInfo
    const folder = makeContracts('tools', {
      'get.js': 'export const run = async ({ value }) => ({ text: await (await fetch(value)).text() })',
    })
    const { toolpact, call } = await openFolders([{ path: folder, network: [`localhost:${port}`] }])
    expect(await call('tools.get', `http://localhost:${port}/`)).toBe('served')
    const refused = await call('tools.get', 'https://api.example.com/')
    expect(refused).toMatchObject({
      message: expect.stringContaining('was refused a connection to api.example.com, which it was not granted.'),
      suggestion: 'Do not repeat the call. The operator can allow it: add "api.example.com" to "network" in the entry of tools under "contracts" in toolpact.json', // biome-ignore format: one line
    })
    const findRefusal = async () => (await toolpact.ledger.read({ last: 10 })).map(({ record }) => record as { tool?: string }).find(({ tool }) => tool === 'tools.connect') // biome-ignore format: one line
    await expect.poll(findRefusal).toMatchObject({ errorCode: 'not_granted', caller: { name: 'contracts:tools' } })
  })

  test('end with Toolpact, with every daemon that they forked', async () => {
    const folder = makeContracts('tools', {
      'fork.js': `import { spawn } from 'node:child_process'
export const run = ({ value }) => {
  spawn('setsid', ['/bin/sh', '-c', 'sleep 600 # ' + value], { detached: true, stdio: 'ignore' }).unref()
  return { text: 'forked' }
}`,
    })
    const mark = `daemon-of-${process.pid}-${Date.now()}`
    const { toolpact, call } = await openFolders([{ path: folder, network: 'none' }])
    expect(await call('tools.fork', mark)).toBe('forked')
    await expect.poll(() => findProcesses(mark).length).toBeGreaterThan(0)
    await toolpact.close()
    await expect.poll(() => findProcesses(mark)).toEqual([])
  })

  test('do not keep a program running that closes Toolpact, or forgets to', async () => {
    const folder = makeContracts('tools', { 'say.js': says })
    const code = (
      end: string,
    ) => `import { openToolpact } from ${JSON.stringify(new URL('../../app.ts', import.meta.url).href)}
const toolpact = await openToolpact(${JSON.stringify({ storage: 'memory', stateDirectory, workspace, config: { contracts: [{ path: folder, network: 'none' }] } })})
console.log((await toolpact.call('tools.say', { value: 'x' })).success)
${end}`
    for (const end of ['await toolpact.close()\nconsole.log("closed")', 'console.log("closed")']) {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code(end)])
      expect([stdout, stderr]).toEqual(['true\nclosed\n', ''])
    }
  })

  test('that crash fail their calls with a reason, and the next call starts them again', async () => {
    const crash = `export const run = ({ value }) => {
  if (value === 'exit') process.exit(3)
  if (value === 'throw') setImmediate(() => { throw new Error('boom') })
  return value === 'throw' ? new Promise(() => {}) : { text: 'well' }
}`
    const folder = makeContracts('tools', { 'crash.js': crash })
    const violations: unknown[] = []
    const { call } = await openFolders([{ path: folder, network: 'none' }], { onViolation: (violation) => violations.push(violation) }) // biome-ignore format: one line
    for (const [how, words] of [
      ['exit', 'it ended with code 3'],
      ['throw', 'boom'],
    ] as const) {
      expect(await call('tools.crash', how)).toMatchObject({
        code: 'internal',
        message: "'tools.crash' failed unexpectedly. Its process ended before it answered, and is started again by the next call.", // biome-ignore format: one line
      })
      expect(String((violations.at(-1) as { raw: unknown }).raw)).toContain(words)
      expect(await call('tools.crash', 'well')).toBe('well')
    }
  })

  test('that loop forever are aborted, and do not take others with them for long', async () => {
    const folder = makeContracts('tools', {
      'loop.js': 'export const run = () => { for (;;); }',
      'say.js': says,
      'wait.js': `export const run = (_, { signal, progress }) => new Promise((_, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
  progress({ progress: 1 })
})`,
    })
    const { call } = await openFolders([{ path: folder, network: 'none' }])
    const before = await call('tools.say')
    const waits = new AbortController()
    expect(await call('tools.wait', 'x', { signal: waits.signal, onProgress: () => waits.abort() })).toMatchObject({ code: 'cancelled' }) // biome-ignore format: one line
    // One that honours its signal leaves the process as it is.
    expect(await call('tools.say')).toBe(before)
    const loops = new AbortController()
    setTimeout(() => loops.abort(), 300)
    expect(await call('tools.loop', 'x', { signal: loops.signal })).toMatchObject({ code: 'cancelled' })
    await expect.poll(() => call('tools.say'), { timeout: 15_000 }).toMatch(/^x from/)
    expect(await call('tools.say')).not.toBe(before)
  })
})

describe.skipIf(process.platform !== 'linux')('a folder that nothing can confine', () => {
  beforeEach(() => {
    const { PATH } = process.env
    process.env.PATH = '/nowhere'
    onTestFinished(() => {
      process.env.PATH = PATH
    })
  })

  test('runs unconfined with auto, and says so', async () => {
    const folder = makeContracts('tools', { 'say.js': says })
    const { toolpact, call } = await openFolders([{ path: folder, network: 'none' }])
    expect(toolpact.notices).toContain(
      `The handlers in ${folder} run unconfined: bubblewrap is not installed. To confine them: install bubblewrap (apt-get install bubblewrap).`,
    )
    expect(await call('tools.say')).toContain(`x from ${process.pid} `)
    const findRecord = async () => (await toolpact.ledger.read({ last: 10 })).map(({ record }) => record as { tool?: string }).find(({ tool }) => tool === 'tools.confine') // biome-ignore format: one line
    await expect.poll(findRecord).toMatchObject({ errorCode: 'not_confined', caller: { name: 'contracts:tools' } })
  })

  test('is withheld with required, and its code never runs', async () => {
    const mark = join(workspace, 'ran')
    const folder = makeContracts('tools', { 'say.js': `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\n${says}` }) // biome-ignore format: one line
    const { toolpact, call } = await openFolders([{ path: folder, isolation: 'required' }])
    expect(toolpact.notices.join()).toContain(`The tools in ${folder} are withheld: bubblewrap is not installed.`)
    expect(await call('tools.say')).toMatchObject({
      code: 'tool_withheld',
      message: expect.stringContaining('It may run only confined, and bubblewrap is not installed'),
    })
    expect(existsSync(mark)).toBe(false)
  })
})

test('an entry without grants, or with isolation off, runs in this process; one with grants wins over a plain one', async () => {
  const folder = makeContracts('tools', { 'say.js': says })
  for (const entry of [{ path: folder }, { path: folder, isolation: 'off', network: 'none' }]) {
    const { call } = await openFolders([entry])
    expect(await call('tools.say')).toContain(`x from ${process.pid} `)
  }
  if (!works) return
  const { call } = await openFolders([{ path: folder, network: 'none' }], { contracts: [folder] })
  expect(await call('tools.say')).not.toContain(`x from ${process.pid} `)
})

test.each([
  [{ read: ['x'] }, 'path'],
  [{ path: 'tools', reads: [] }, 'reads'],
  [{ path: 'tools', network: ['http://a/b'] }, 'network'],
])('an entry that is not valid says what is wrong: %j', async (entry, words) => {
  await expect(openFolders([entry])).rejects.toThrow(words)
})
