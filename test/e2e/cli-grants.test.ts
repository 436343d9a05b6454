import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { until } from '../helpers/open-changeling.ts'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { entries } from '../helpers/run-command.ts'
import { serveUpstreams } from '../helpers/serve-upstreams.ts'

const prying = fileURLToPath(new URL('../upstream-servers/prying.cjs', import.meta.url))
const works = 'driver' in (await probe())

const opened: { close(): unknown }[] = []
afterAll(() => {
  for (const each of opened) each.close()
})

/** A folder whose config has one server, `odd`, with these members. */
async function open(members: object = {}) {
  const folder = openMcpFolder({ 'notes/b.txt': 'b', 'drafts/c.txt': 'c' })
  opened.push(folder)
  const home = makeFolder()
  mkdirSync(join(home, 'notes'))
  const { runWith, read } = folder
  const run = (...args: string[]) => runWith({ ...folder.env, HOME: home }, 'mcp', ...args)
  folder.write('toolpact.json', { mcpServers: { odd: { command: process.execPath, args: [prying], ...members } } })
  await folder.command('trust', '--yes')
  const entry = () => JSON.parse(read()).mcpServers.odd
  const grant = (...args: string[]) => run('grant', 'odd', ...args)
  const revoke = (...args: string[]) => run('revoke', 'odd', ...args)
  const lock = (...args: string[]) => folder.command('lock', ...args)
  return { ...folder, run, entry, grant, revoke, lock }
}

describe.concurrent('mcp grant', () => {
  test('grants hosts with and without ports, in small letters, and keeps those that were granted', async () => {
    const { grant, entry, file } = await open({ network: ['api.example.com'] })
    const granted = await grant('--allow-host', 'DB.example.com:5432', '--allow-host', '*.cdn.example.com')
    expect(granted).toEqual({
      code: 0,
      stdout: '✓ odd is confined: it reads nothing of yours, writes nothing, talks to *.cdn.example.com, api.example.com, db.example.com:5432.\n', // biome-ignore format: one line
      stderr: `Changed ${file}, and trusted it as it is now.\n`,
    })
    expect(entry().network).toEqual(['api.example.com', 'db.example.com:5432', '*.cdn.example.com'])
  })

  test('writes folders as a person would: below ~, and relative to the config', async () => {
    const { grant, entry, folder } = await open()
    expect(await grant('--read', '~/notes', '--read', join(folder, 'notes'), '--write', './drafts/')).toMatchObject({
      code: 0,
      stdout: '✓ odd is confined: it reads notes, ~/notes, writes drafts, talks to no host.\n',
    })
    expect(entry()).toMatchObject({ read: ['~/notes', 'notes'], write: ['drafts'] })
  })

  test('makes a readable folder writable, and lists it once', async () => {
    const { grant, entry } = await open({ read: ['notes', 'drafts'] })
    expect((await grant('--write', 'notes')).stdout).toContain('reads drafts, writes notes')
    expect(entry()).toMatchObject({ read: ['drafts'], write: ['notes'] })
    const again = await grant('--read', 'notes')
    expect(again.stdout).toContain('writes notes, talks to no host. Nothing changed.')
    expect(again.stderr).toBe('')
  })

  test.each([
    ['any', 'talks to any host'],
    ['none', 'talks to no host'],
  ])('--network %s replaces the hosts', async (network, words) => {
    const { grant, entry } = await open({ network: ['api.example.com'] })
    expect((await grant('--network', network)).stdout).toContain(words)
    expect(entry().network).toBe(network)
  })

  test('confines what was switched off, unless the command says that it stays so', async () => {
    const { grant, entry } = await open({ isolation: 'off' })
    expect((await grant('--read', 'notes', '--isolation', 'off')).stdout).toContain('odd is not confined: it reads and writes what you can') // biome-ignore format: one line
    expect(entry()).toMatchObject({ isolation: 'off', read: ['notes'] })
    expect((await grant('--network', 'none')).stdout).toContain('odd is confined: it reads notes')
    expect(entry().isolation).toBeUndefined()
    expect((await grant('--isolation', 'required')).code).toBe(0)
    expect(entry().isolation).toBe('required')
  })

  test.each([
    [['grant', 'oddd', '--read', 'notes'], "There is no server 'oddd'.", 'Did you mean odd?'],
    [['grant'], 'mcp grant needs the name of one server.', 'toolpact mcp list'],
    [['grant', 'odd', 'other'], 'mcp grant needs the name of one server.', 'toolpact mcp list'],
    [['grant', 'odd', '--read', 'no/such'], 'no/such does not exist.', 'Create it first'],
    [['grant', 'odd', '--write', '~/none'], 'none does not exist.', 'Create it first'],
    [['grant', 'odd', '--allow-host', 'https://a.example/'], "--allow-host cannot be 'https://a.example/'.", 'without https://'], // biome-ignore format: one line
    [['grant', 'odd', '--allow-host', 'a.example:99999'], "--allow-host cannot be 'a.example:99999'.", 'db.example.com:5432'], // biome-ignore format: one line
    [['grant', 'odd', '--allow-host', 'any'], "--allow-host cannot be 'any'.", 'Use --network any.'],
    [['grant', 'odd', '--network', 'some'], "--network cannot be 'some'.", '--allow-host'],
    [['grant', 'odd', '--network', 'any', '--allow-host', 'a.example'], 'exclude each other', 'Leave one'],
    [['grant', 'odd', '--isolation', 'yes'], "--isolation cannot be 'yes'.", 'auto, required or off'],
    [['grant', 'far', '--read', 'notes'], 'far is reached by its url', 'cannot be confined'],
    [['revoke', 'odd', '--read', 'notes'], '--read notes was not granted.', 'No folder was granted.'],
    [['revoke', 'odd', '--network', 'none'], 'nothing to take back', '--network any'],
    [['revoke', 'none'], "There is no server 'none'.", 'toolpact mcp list'],
  ] as const)('refuses %j and changes nothing', async (args, message, help) => {
    const { run, read, write, command } = await open()
    const far = { odd: { command: process.execPath, args: [prying] }, far: { url: 'http://127.0.0.1:9/mcp' } }
    write('toolpact.json', { mcpServers: far })
    await command('trust', '--yes')
    const before = read()
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).toContain(help)
    expect(read()).toBe(before)
  })

  test('--json says what is granted, whether that changed, and what the lock does not have', async () => {
    const { grant, file } = await open()
    const asked = async () => JSON.parse((await grant('--read', 'notes', '--json')).stdout)
    const granted = {
      server: 'odd',
      grants: { read: ['notes'], write: [], network: 'none' },
      may: 'reads notes, writes nothing, talks to no host',
      changed: true,
      config: file,
      trust: 'trusted',
      review: null,
    }
    expect(await asked()).toEqual(granted)
    expect(await asked()).toEqual({ ...granted, changed: false })
  })

  test('of a server for every folder is not relative to this one, and is written where the server is', async () => {
    const { run, folder, read } = await open()
    await run('add', 'shared', '--scope', 'everywhere', '--no-connect', '--', process.execPath, prying)
    const before = read()
    const granted = await run('grant', 'shared', '--read', 'notes')
    expect(granted.stdout).toContain(`reads ${join(folder, 'notes')}, writes nothing`)
    expect(read()).toBe(before)
    expect((await run('revoke', 'shared', '--read', 'notes')).stdout).toContain('reads nothing of yours')
  })
})

describe.concurrent('mcp import', () => {
  test('with options grants them to every server that starts here, and starts none to find out', async () => {
    const { run, write, read } = await open()
    const servers = {
      near: { command: process.execPath, args: [prying, 'near'] },
      far: { url: 'http://127.0.0.1:9/mcp' },
    }
    write('servers.json', { mcpServers: servers })
    const args = ['--yes', '--no-connect', '--read', 'notes', '--allow-host', 'api.example.com']
    const imported = await run('import', 'servers.json', ...args)
    expect(imported).toMatchObject({ code: 0 })
    expect(imported.stderr).not.toContain('Starting')
    const { near, far } = JSON.parse(read()).mcpServers
    expect(near).toMatchObject({ read: ['notes'], network: ['api.example.com'] })
    expect(far).toEqual({ url: 'http://127.0.0.1:9/mcp' })
    expect(await run('import', 'servers.json', '--yes', '--read', 'none')).toMatchObject({ code: 2, stderr: expect.stringContaining('does not exist') }) // biome-ignore format: one line
  })

  test('with --no-connect or --json starts nothing and grants nothing', async () => {
    const { run, write, read } = await open()
    write('servers.json', { mcpServers: { near: { command: process.execPath, args: [prying, 'near'] } } })
    expect(await run('import', 'servers.json', '--yes', '--no-connect')).toMatchObject({ code: 0 })
    expect(JSON.parse(read()).mcpServers.near).toEqual({ command: process.execPath, args: [prying, 'near'] })
    expect(await run('import', 'servers.json', '--yes', '--json', '--replace')).toMatchObject({ code: 0 })
    expect(JSON.parse(read()).mcpServers.near).not.toHaveProperty('network')
  })
})

describe.concurrent('mcp revoke', () => {
  test('takes back one of two, and says what is left', async () => {
    const { revoke, entry } = await open({ read: ['notes', '~/notes'], network: ['a.example', 'b.example'] })
    expect((await revoke('--read', '~/notes', '--allow-host', 'a.example')).stdout).toBe(
      '✓ odd is confined: it reads notes, writes nothing, talks to b.example.\n',
    )
    expect(entry()).toMatchObject({ read: ['notes'], network: ['b.example'] })
    expect((await revoke('--allow-host', 'B.example')).stdout).toContain('talks to no host')
    expect(entry().network).toBe('none')
  })

  test('without options takes back everything, also from a server that was not confined', async () => {
    const { revoke, entry } = await open({ isolation: 'off', write: ['.'], network: 'any' })
    expect((await revoke()).stdout).toBe('✓ odd is confined: it reads nothing of yours, writes nothing, talks to no host.\n') // biome-ignore format: one line
    expect(entry()).toEqual({ command: process.execPath, args: [prying], read: [], write: [], network: 'none' })
    expect((await revoke()).stdout).toContain('Nothing changed.')
  })

  test('takes back a folder that no longer exists', async () => {
    const { revoke, entry } = await open({ write: ['gone', 'drafts'] })
    expect((await revoke('--write', 'gone')).code).toBe(0)
    expect(entry().write).toEqual(['drafts'])
  })

  test('takes back the whole network with --network any, and no single host of it', async () => {
    const { revoke, entry } = await open({ network: 'any' })
    const refused = await revoke('--allow-host', 'a.example')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('To take that back: --network any') })
    expect(JSON.parse((await revoke('--network', 'any', '--json')).stdout)).toMatchObject({ may: 'reads nothing of yours, writes nothing, talks to no host', changed: true }) // biome-ignore format: one line
    expect(entry().network).toBe('none')
  })
})

describe.concurrent('grants and the lock', () => {
  test('more than the lock has is a change to review, and less is not', { timeout: 180_000 }, async () => {
    const { grant, revoke, lock } = await open({ read: ['notes'], approval: 'never' })
    expect(await lock()).toMatchObject({ code: 0 })
    const granted = await grant('--read', 'drafts', '--allow-host', 'a.example')
    expect(granted.stderr).toContain(
      'Note: This is more than toolpact.lock has accepted: reads drafts, talks to a.example. To review it: toolpact lock --accept odd',
    )
    const checked = await lock('--check')
    expect(checked).toMatchObject({ code: 1 })
    expect(checked.stdout.replace(/\s+/g, ' ')).toContain('The server may do more than was accepted: reads drafts, talks to a.example.') // biome-ignore format: one line
    expect((await revoke('--read', 'drafts', '--allow-host', 'a.example')).stderr).not.toContain('Note:')
    expect(await lock('--check')).toMatchObject({ code: 0 })
    const narrowed = await revoke()
    expect(narrowed.stderr).not.toContain('Note:')
    expect(await lock('--check')).toMatchObject({ code: 0 })
  })
})

const openServe = useServeFolders()

describe.skipIf(!works)('with a sandbox (skipped where none works)', () => {
  test('a running serve follows what is granted and taken back', { timeout: 120_000 }, async () => {
    const folder = openServe()
    const notes = join(folder.folder, 'notes')
    mkdirSync(notes)
    writeFileSync(join(notes, 'a.txt'), 'a note')
    const odd = { command: process.execPath, args: [prying], approval: 'never', network: 'none' } as const
    const server = await serveUpstreams(folder, { odd })
    const config = ['--config', join(folder.folder, 'toolpact.json')]
    const readNote = async () => (await server.call('odd.read', { path: join(notes, 'a.txt') })).output?.text
    await until(async () => (await server.list()).names.length > 0)
    expect(await readNote()).toBeUndefined()
    expect(await folder.run(['mcp', 'grant', 'odd', '--read', 'notes', ...config])).toMatchObject({ code: 0 })
    await until(async () => (await readNote()) === 'a note')
    expect(await folder.run(['mcp', 'revoke', 'odd', '--read', 'notes', ...config])).toMatchObject({ code: 0 })
    await until(async () => (await readNote()) === undefined)
  })

  test('without options and without a terminal, it shows what it wanted and the command that grants it', async () => {
    const { run, write, folder, command, read } = await open()
    // It is named by no argument, and looked for while it starts.
    write('code/early.cjs', `require('fs').existsSync('${join(folder, 'drafts')}')`)
    const args = ['--require', join(folder, 'code/early.cjs'), prying, join(folder, 'notes')]
    write('toolpact.json', { mcpServers: { odd: { command: process.execPath, args } } })
    await command('trust', '--yes')
    const before = read()
    const asked = await run('grant', 'odd')
    expect(asked).toMatchObject({ code: 3, stdout: '' })
    expect(asked.stderr).toContain('Note: There is no terminal to ask at, so nothing was granted. To grant it: toolpact mcp grant odd --write notes --read drafts') // biome-ignore format: one line
    const listed = JSON.parse((await run('grant', 'odd', '--json')).stdout)
    expect(listed).toMatchObject({
      server: 'odd',
      offers: [
        { access: 'write', value: 'notes', why: 'named by its entry', isClaim: false },
        { access: 'read', value: 'drafts', why: 'it looked for it', isClaim: true },
      ],
    })
    expect(read()).toBe(before)
    const granted = await run('grant', 'odd', '--yes')
    expect(granted).toMatchObject({ code: 0, stdout: '✓ odd is confined: it reads only what it writes, writes notes, talks to no host.\n' }) // biome-ignore format: one line
    expect(granted.stderr).toContain('Only odd itself says that it needs drafts, so that is not granted by --yes. To grant it: toolpact mcp grant odd --read drafts') // biome-ignore format: one line
  })

  test('an import proposes what each server wanted, and --yes grants what is not only a claim', async () => {
    const { run, write, folder, read } = await open()
    write('code/early.cjs', `require('fs').existsSync('${join(folder, 'drafts')}')`)
    const early = ['--require', join(folder, 'code/early.cjs'), prying]
    const servers = {
      files: { command: process.execPath, args: [prying, join(folder, 'notes')] },
      claims: { command: process.execPath, args: early },
      far: { url: 'http://127.0.0.1:9/mcp' },
      asleep: { command: process.execPath, args: [prying], disabled: true },
    }
    write('servers.json', { mcpServers: servers })
    const imported = await run('import', 'servers.json', '--yes')
    expect(imported.stderr).toContain('Starting files once, confined and without network, to see what it needs …')
    expect(imported.stderr).toContain('Only claims itself says that it needs drafts, so that is not granted by --yes.')
    expect(imported.stderr).not.toContain('Starting far once')
    expect(imported.stderr).not.toContain('Starting asleep once')
    const { files, claims, far, asleep } = JSON.parse(read()).mcpServers
    expect(files).toMatchObject({ write: ['notes'], network: 'none' })
    expect(claims).toMatchObject({ read: [], write: [], network: 'none' })
    for (const entry of [far, asleep]) expect(entry).not.toHaveProperty('network')
  })

  describe.skipIf(!hasTmux)('at a terminal (skipped without tmux)', () => {
    test('lists what it wanted, and grants what is chosen by number', async () => {
      const folder = await open()
      folder.write('code/early.cjs', `require('fs').existsSync('${join(folder.folder, 'drafts')}')`)
      const words = ['--require', join(folder.folder, 'code/early.cjs'), prying, join(folder.folder, 'notes')]
      const screens = openScreens(folder)
      opened.push({ close: screens.close })
      const screen = screens.open('add', `"${process.execPath}" "${entries.toolpact}" mcp add other -- "${process.execPath}" ${words.join(' ')}`, 80) // biome-ignore format: one line
      await screen.until('(y, n, or numbers such as 1 2)')
      const shown = screen.lines().join('\n')
      expect(shown).toMatch(/1 +write notes +named by its entry/)
      expect(shown).toMatch(/2 +read drafts +it looked for it/)
      screen.type('3', 'Enter')
      // What is typed before the question is asked again is lost.
      await screen.until(/or numbers from the list\.\s+Confine other to this\?/)
      screen.type('2', 'Enter')
      await screen.until('How may they be used?')
      screen.type('Enter')
      await screen.until('done:0')
      expect(JSON.parse(folder.read()).mcpServers.other).toMatchObject({ read: ['drafts'], write: [], network: 'none' })
    })

    test('asks before it grants, and grants nothing without a yes', async () => {
      const folder = await open()
      const screens = openScreens(folder)
      opened.push({ close: screens.close })
      const before = folder.read()
      const line = `"${process.execPath}" "${entries.toolpact}" mcp grant odd`
      for (const [key, code] of [
        ['n', 3],
        ['y', 0],
      ] as const) {
        const screen = screens.open('grant', line, 80)
        await screen.until('(y/n)')
        expect(folder.read()).toBe(before)
        screen.type(key, 'Enter')
        await screen.until(`done:${code}`)
      }
      expect(folder.entry()).toMatchObject({ network: 'none' })
      expect(existsSync(join(folder.folder, 'toolpact.lock'))).toBe(false)
    })
  })
})
