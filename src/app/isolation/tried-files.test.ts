import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { probe } from '../../capabilities/sandbox/probe.ts'
import type { RefusedFile } from '../../host/connect/confinement.ts'
import { openToolpact } from '../app.ts'
import type { ConfigSource } from '../config/config.ts'
import { type GrantOffer, proposeGrants } from './propose-grants.ts'

const servers = new URL('../../../test/upstream-servers/', import.meta.url)
const node = { command: process.execPath, args: [fileURLToPath(new URL('prying.cjs', servers))] }
const python = { command: findPython(), args: [fileURLToPath(new URL('prying.py', servers))] }
const works = 'driver' in (await probe())

/** The program itself: a shim would need files of its own. */
function findPython(): string {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

let folder: string
let stateDirectory: string
beforeEach(() => {
  folder = realpathSync(makeFolder())
  stateDirectory = makeFolder()
  for (const name of ['notes', 'drafts']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'a.txt'), name)
  }
})

const at = (path: string) => join(folder, path)

async function open(entry: object) {
  const toolpact = await openToolpact({
    storage: 'memory',
    stateDirectory,
    workspace: folder,
    config: { mcpServers: { odd: { ...node, approval: 'never', network: 'none', ...entry } } } as ConfigSource,
  })
  onTestFinished(() => toolpact.close())
  const call = async (tool: string, path?: string, more = {}) => {
    const result = await toolpact.call(`odd.${tool}`, { ...(path !== undefined && { path }), ...more })
    return result.success ? (result.output as { text: string }).text : result.error
  }
  const tried = () => (toolpact.upstreams.look()[0]!.isolation!.refused as readonly RefusedFile[]).map(({ access, path, grant }) => ({ access, path, grant })) // biome-ignore format: one line
  const write = (path: string) => call('write', at(path), { text: 'x' })
  return { toolpact, call, write, tried }
}

describe.skipIf(!works)('what a confined server looked for (skipped where no sandbox works)', () => {
  describe.each([
    ['Node', node],
    ['Python', python],
  ])('in %s (skipped where it is not installed)', (_, server) => {
    const own = test.skipIf(server.command === '')

    own('is observed for reads, lists, checks and writes, with what would have to be granted', async () => {
      const { call, write, tried } = await open({ ...server, read: [at('notes')] })
      await call('read', at('drafts/a.txt'))
      expect(tried()).toEqual([{ access: 'read', path: at('drafts/a.txt'), grant: at('drafts/a.txt') }])
      expect(await call('exists', at('drafts'))).toMatch(/false/i)
      await write('notes/a.txt')
      await write('drafts/new.txt')
      expect(tried()).toEqual(
        expect.arrayContaining([
          { access: 'read', path: at('drafts'), grant: at('drafts') },
          { access: 'write', path: at('notes/a.txt'), grant: at('notes') },
          { access: 'write', path: at('drafts/new.txt'), grant: at('drafts') },
        ]),
      )
    })

    own('is nothing for what it may use, what does not exist, and the system', async () => {
      const { call, write, tried } = await open({ ...server, read: [at('notes')], write: [at('drafts')] })
      expect(await call('read', at('notes/a.txt'))).toBe('notes')
      expect(await write('drafts/b.txt')).toBe('written')
      for (const path of ['none.txt', 'notes/none.txt', 'drafts/none.txt']) await call('read', at(path))
      await call('read', '/etc/shadow')
      await call('read', join(stateDirectory, 'servers'))
      await call('list', homedir())
      expect(tried().filter(({ path }) => path !== join(stateDirectory, 'servers'))).toEqual([])
    })

    own('is explained to the caller, and recorded', async () => {
      const { toolpact, call } = await open(server)
      expect(await call('read', at('notes/a.txt'))).toMatchObject({
        code: 'upstream_error',
        suggestion: `The server may not use ${at('notes/a.txt')}, which it was not granted. Do not repeat the call. The operator can allow it: toolpact mcp grant odd --read ${at('notes/a.txt')}`,
      })
      const recorded = async () => (await toolpact.ledger.read({ tool: 'odd.open' })).map(({ record }) => record)
      await expect.poll(recorded).toEqual([
        expect.objectContaining({
          kind: 'refusal',
          caller: { name: 'server:odd' },
          errorCode: 'not_granted',
          input: { path: at('notes/a.txt'), access: 'read', grant: at('notes/a.txt') },
        }),
      ])
    })
  })

  test('is found in calls that fail without naming it, and said with doubt', async () => {
    const { call } = await open(node)
    const code = `try { require('fs').readFileSync('${at('notes/a.txt')}') } catch { throw new Error('bad settings') }`
    expect(await call('evaluate', undefined, { code })).toMatchObject({
      suggestion: expect.stringMatching(/^While it ran, the server found no .*a\.txt, which it was not granted\. If that is why it failed/), // biome-ignore format: one line
    })
  })

  test('is found through callbacks, promises, streams and ES modules, whose results stay as they are', async () => {
    const { call, tried } = await open(node)
    const code = `
      const fs = require('fs'), { promisify } = require('util')
      const seen = (promise) => promise.then(() => 'found', (error) => error.code)
      const all = await Promise.all([
        seen(promisify(fs.readFile)('${at('notes/a.txt')}')),
        seen(fs.promises.readdir('${at('notes')}')),
        seen(import('node:fs/promises').then((m) => m.stat(new URL('file://${at('drafts')}')))),
        seen(new Promise((done, fail) => fs.createReadStream('${at('drafts/a.txt')}').on('error', fail).on('open', done))),
        promisify(fs.exists)('${at('notes')}'),
        seen(fs.promises.readFile('/etc/hostname')),
      ])
      return [fs.realpathSync.native('/usr'), fs.readFile.length, ...all]`
    expect(await call('evaluate', undefined, { code: `return (async () => {${code}})()` })).toBe(
      '/usr,3,ENOENT,ENOENT,ENOENT,ENOENT,false,found',
    )
    await expect.poll(() => tried().map(({ path }) => path).sort()).toEqual([at('drafts'), at('drafts/a.txt'), at('notes'), at('notes/a.txt')]) // biome-ignore format: one line
  })

  test.skipIf(python.command === '')('leaves Python as it was for the server and its children', async () => {
    mkdirSync(at('own'))
    writeFileSync(at('own/sitecustomize.py'), 'mark = "its own"\n')
    const { call, tried } = await open({ ...python, env: { PYTHONPATH: at('own') }, read: [at('own')] })
    expect(await call('state')).toBe('[true, "its own"]')
    expect(await call('child', at('notes/a.txt'))).toContain('FileNotFoundError')
    await expect.poll(tried).toEqual([{ access: 'read', path: at('notes/a.txt'), grant: at('notes/a.txt') }])
  })

  test('is left out where Node runs with its own permissions, and where the state directory is hidden', async () => {
    const limited = { ...node, args: ['--permission', '--allow-fs-read=*', ...node.args], read: [at('notes')] }
    const first = await open(limited)
    expect(await first.call('read', at('notes/a.txt'))).toBe('notes')
    stateDirectory = at('state')
    const second = await open({ ...node, read: [folder] })
    expect(await second.call('read', at('drafts/a.txt'))).toBe('drafts')
    expect(second.tried()).toEqual([])
  })

  test('is bounded, and what the server puts in place of the report is not followed', async () => {
    const { call, tried } = await open(node)
    const home = `process.env.HOME + '/' + process.env.TOOLPACT_TRIED`
    const write = (text: string) => call('evaluate', undefined, { code: `require('fs').appendFileSync(${home}, ${text})` }) // biome-ignore format: one line
    for (let n = 0; n < 60; n++) writeFileSync(at(`notes/${n}.txt`), '')
    await write(`Array.from({ length: 60 }, (_, n) => 'r ${at('notes')}/' + n + '.txt\\n').join('')`)
    await write(
      String.raw`'x /a\nr relative\nr /usr/bin\nr ${at('notes')}/\u202egnp\n' + 'r /' + 'a'.repeat(5000) + '\n'`,
    )
    await expect.poll(() => tried().length).toBe(50)
    await write(`'r ${at('drafts')}\\n'.repeat(100000)`)
    expect(tried()).toHaveLength(50)
    const code = `const fs = require('fs'); fs.rmSync(${home}); fs.symlinkSync('${at('notes/a.txt')}', ${home}); return 'replaced'`
    expect(await call('evaluate', undefined, { code })).toBe('replaced')
    expect(await call('read', at('drafts/a.txt'))).toMatchObject({ code: 'upstream_error' })
    expect(existsSync(at('notes/a.txt'))).toBe(true)
  })

  test('leaves no report behind once the server has ended', async () => {
    const { toolpact, call } = await open(node)
    await call('read', at('notes/a.txt'))
    await toolpact.close()
    const [server] = readdirSync(join(stateDirectory, 'servers'))
    const home = join(stateDirectory, 'servers', server!, 'home')
    await expect.poll(() => readdirSync(home).filter((name) => name.startsWith('.toolpact'))).toEqual([])
  })

  test('while it starts is part of the proposal, as a claim', async () => {
    mkdirSync(at('code'))
    writeFileSync(
      at('code/early.cjs'),
      `const fs = require('fs')
      for (const path of ['${at('notes/a.txt')}', '${at('notes')}']) fs.existsSync(path)
      try { fs.writeFileSync('${at('drafts/b.txt')}', '') } catch {}`,
    )
    const args = ['--require', at('code/early.cjs'), ...node.args]
    const proposal = await proposeGrants('odd', { command: process.execPath, args }, { workspace: folder, folder, signal: AbortSignal.timeout(60_000) }) // biome-ignore format: one line
    expect((proposal as { offers: GrantOffer[] }).offers).toEqual([
      { access: 'read', value: 'notes', why: 'it looked for it', isClaim: true },
      { access: 'write', value: 'drafts', why: 'it looked for it', isClaim: true },
    ])
  })
})
