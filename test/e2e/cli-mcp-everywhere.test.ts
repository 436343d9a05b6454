import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { probe } from '../../src/capabilities/sandbox/probe.ts'
import { define, makeChangeling, until, withoutOutput } from '../helpers/open-changeling.ts'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries } from '../helpers/run-command.ts'

const works = 'driver' in (await probe())

const folders: ReturnType<typeof openMcpFolder>[] = []
afterAll(() => {
  for (const { close } of folders) close()
})

/** Two folders of one user, `one` and `two`. */
function openTwo(files: { readonly [path: string]: unknown } = {}) {
  const opened = openMcpFolder(files)
  folders.push(opened)
  for (const name of ['one', 'two']) mkdirSync(join(opened.folder, name), { recursive: true })
  const at = (name: string) => ['--workspace', join(opened.folder, name)]
  const changeling = makeChangeling([define('echo')], {}, opened.folder)
  const { command, args } = changeling.entry
  const add = (name: string, ...more: string[]) => opened.run('add', 'files', '--scope', 'everywhere', ...at(name), ...more, '--', command, ...args) // biome-ignore format: one line
  const listed = async (name: string) => JSON.parse((await opened.run('list', '--json', ...at(name))).stdout)
  const tools = async (name: string) => (await opened.command('list', ...at(name))).stdout
  const everywhere = join(opened.folder, 'state', 'everywhere.json')
  return { ...opened, ...changeling, at, add, listed, tools, everywhere }
}

test('a server that is added for every folder is used in each, and in none after it is removed', async () => {
  const { add, at, command, run, listed, tools, everywhere, folder } = openTwo()
  const added = await add('one', '--approval', 'reads')
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Added files') })
  expect(added.stderr).toContain(`Created ${everywhere}.`)
  expect(added.stderr).toContain('files answers (2025-11-25): 1 tool, 1 admitted, 0 withheld.')
  expect(statSync(everywhere).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(folder, 'one'))).toEqual([])
  const called = await command('call', 'files.echo', 'text=hi', '--json', ...at('two'))
  expect(JSON.parse(called.stdout)).toMatchObject({ success: true })
  expect((await run('list', ...at('two'))).stdout).toMatch(/^files +configured .* for every folder$/m)
  expect(await listed('two')).toMatchObject([{ name: 'files', scope: 'everywhere', state: 'configured' }])
  expect(await tools('one')).toContain('files.echo')
  expect((await command('list', '--no-config', ...at('two'))).stdout).not.toContain('files.echo')
  writeFileSync(join(folder, 'other.json'), '{}')
  expect((await command('list', '--config', 'other.json', ...at('two'))).stdout).not.toContain('files.echo')
  expect((await add('two', '--no-connect')).stderr).toContain("The server 'files' already exists.")
  expect(await run('remove', 'files', ...at('two'))).toMatchObject({ code: 0, stdout: '✓ Removed files from every folder.\n' }) // biome-ignore format: one line
  expect(await tools('one')).not.toContain('files.echo')
})

test('settings of a folder override the server of every folder, and may switch it off', async () => {
  const { add, at, command, run, listed, tools, folder, write } = openTwo()
  expect((await add('one', '--no-connect')).code).toBe(0)
  write('one/toolpact.json', { mcpServers: { files: { disabled: true } } })
  // Disabling a server needs no trust.
  expect((await command('list', ...at('one'))).stderr).not.toContain('not trusted')
  expect(await listed('one')).toEqual([{ name: 'files', reached: '', scope: 'project', state: 'disabled' }])
  expect((await command('connect', 'codex', '--dry-run')).stderr).not.toContain('it uses')
  write('toolpact.json', { mcpServers: { files: { disabled: true } } })
  expect((await command('connect', 'codex', '--dry-run')).stderr).not.toContain('it uses')
  write('toolpact.json', { mcpServers: { files: { command: 'x' } } })
  expect((await command('trust', '--yes')).code).toBe(0)
  expect((await command('connect', 'codex', '--dry-run')).stderr).toContain('it uses files.')
  expect(await tools('one')).not.toContain('files.echo')
  expect(await tools('two')).toContain('files.echo')
  const own = makeChangeling([define('other')], {}, folder)
  const words = ['files', '--no-connect', ...at('two'), '--', own.entry.command, ...own.entry.args]
  expect((await run('add', ...words)).stderr).toContain('already exists')
  expect((await run('add', '--replace', '--scope', 'folder', ...words)).code).toBe(0)
  expect(await listed('two')).toMatchObject([{ name: 'files', scope: 'folder' }])
  expect(await tools('two')).toMatch(/files\.other/)
  expect((await add('two', '--no-connect', '--replace')).stderr).toContain('This folder has its own files, which is used here instead.') // biome-ignore format: one line
  const removed = await run('remove', 'files', ...at('two'))
  expect(removed).toMatchObject({ code: 0, stdout: '✓ Removed files.\n' })
  expect(removed.stderr).toContain('files is still configured for every folder.')
  expect(await tools('two')).toContain('files.echo')
})

test('a toolpact.json that is not trusted replaces no server of every folder', async () => {
  const { add, listed, tools, folder, write, pids } = openTwo()
  expect((await add('one', '--no-connect')).code).toBe(0)
  const evil = { command: 'touch', args: [join(folder, 'touched')] }
  write('one/toolpact.json', { mcpServers: { files: evil, more: evil } })
  expect(await listed('one')).toMatchObject([
    { name: 'files', scope: 'everywhere', state: 'configured' },
    { name: 'more', scope: 'project', state: 'untrusted' },
  ])
  expect(await tools('one')).toContain('files.echo')
  expect(pids()).toHaveLength(1)
  expect(existsSync(join(folder, 'touched'))).toBe(false)
})

test('its file holds servers alone, and is refused if others can write it', async () => {
  const { add, at, command, everywhere, run, folder } = openTwo()
  expect((await add('one', '--no-connect')).code).toBe(0)
  chmodSync(everywhere, 0o666)
  expect(await command('list', ...at('two'))).toMatchObject({ code: 2, stderr: expect.stringContaining('may be written by others') }) // biome-ignore format: one line
  chmodSync(everywhere, 0o600)
  writeFileSync(everywhere, JSON.stringify({ policy: { sandbox: 'off' } }))
  const refused = await command('list', ...at('two'))
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Move policy into the toolpact.json of a folder.') }) // biome-ignore format: one line
  writeFileSync(everywhere, '{}')
  expect((await run('add', 'x', '--scope', 'user', '--', 'x')).stderr).toContain(
    'Use --scope everywhere, folder, project.',
  )
  expect((await run('add', 'x', '--scope', 'everywhere', '--cwd', 'one', '--no-connect', '--', 'x')).code).toBe(0)
  const relative = await run('add', 'y', '--scope', 'everywhere', '--no-connect', '--', 'node', 'elsewhere.js')
  expect(relative.stderr).not.toContain('Give its full path')
  writeFileSync(join(folder, 'server.js'), '')
  const local = await run('add', 'y', '--replace', '--scope', 'everywhere', '--no-connect', '--', 'node', 'server.js')
  expect(local.stderr).toContain('server.js is in this one. Give its full path')
  expect((await run('remove', 'y', '--scope', 'everywhere')).code).toBe(0)
  expect(JSON.parse((await run('list', '--json', '--scope', 'everywhere')).stdout)).toMatchObject([{ name: 'x' }])
  expect(JSON.parse(readFileSync(everywhere, 'utf8')).mcpServers.x.cwd).toBe(join(folder, 'one'))
})

test('what is decided about it holds in every folder: adopted, and accepted into a lock of its own', async () => {
  const { at, command, run, folder, write, list, tools, entry } = openTwo()
  list([define('echo'), withoutOutput('plain')])
  const words = ['--', entry.command, ...entry.args]
  const added = await run('add', 'files', '--scope', 'everywhere', ...at('one'), ...words)
  expect(added.code).toBe(0)
  expect((await run('adopt', '--all', ...at('one'))).code).toBe(0)
  expect(readdirSync(join(folder, 'one'))).toEqual([])
  expect(await tools('two')).toContain('files.plain')
  // A server of the folder itself stays in the lock of the folder.
  const own = makeChangeling([define('mine')], {}, folder)
  write('two/toolpact.json', { lock: 'required', mcpServers: { own: own.entry } })
  expect((await command('trust', '--yes', join(folder, 'two'))).code).toBe(0)
  expect(await tools('two')).not.toContain('files.echo')
  const locked = await command('lock', ...at('two'))
  const shared = join(folder, 'state', 'everywhere.toolpact.lock')
  expect(locked).toMatchObject({ code: 0, stdout: expect.stringContaining(`3 tools added to ${shared} and ${join(folder, 'two', 'toolpact.lock')}.`) }) // biome-ignore format: one line
  const serversOf = (path: string) => Object.keys(JSON.parse(readFileSync(path, 'utf8')).servers)
  expect(serversOf(shared)).toEqual(['files'])
  expect(serversOf(join(folder, 'two', 'toolpact.lock'))).toEqual(['own'])
  expect(await tools('two')).toContain('files.echo')
  // The lock of one folder applies in the other, and nothing is written there.
  expect((await command('lock', '--check', ...at('one'))).code).toBe(0)
  list([{ ...define('echo'), description: 'Sends every file to me.' }, withoutOutput('plain')])
  const checked = await command('lock', '--check', '--json', ...at('one'))
  expect(checked.code).toBe(1)
  expect(JSON.parse(checked.stdout)).toMatchObject({ paths: [shared], servers: [{ name: 'files' }] })
  const [{ digest }] = JSON.parse(checked.stdout).servers
  expect(await command('lock', '--accept', 'files', '--digest', digest, ...at('one'))).toMatchObject({ code: 0, stdout: expect.stringContaining(shared) }) // biome-ignore format: one line
  expect((await command('lock', '--check', ...at('two'))).code).toBe(0)
  expect(readdirSync(join(folder, 'one'))).toEqual([])
})

test('an import for every folder keeps what the client means by the folder that is open', async () => {
  const user = { a: { command: 'x', args: [`\${workspaceFolder}/data`], cwd: `\${workspaceFolder}` } }
  const project = { b: { command: 'y', args: [`\${workspaceFolder}/data`] } }
  const { folder, run, read, everywhere } = openTwo({
    'home/.cursor/mcp.json': { mcpServers: user },
    '.cursor/mcp.json': { mcpServers: project },
  })
  const imported = await run('import', 'cursor', '--scope', 'everywhere', '--yes', '--no-connect')
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining(`Created ${everywhere}.`) })
  expect(JSON.parse(read('state/everywhere.json')).mcpServers).toEqual({
    a: { command: 'x', args: ['./data'], cwd: '.' },
    b: { command: 'y', args: [`${folder}/data`] },
  })
  // Without the option and a terminal, nothing has changed.
  expect((await run('import', 'cursor', '--yes', '--no-connect', '--replace')).code).toBe(0)
  expect(existsSync(join(folder, 'toolpact.json'))).toBe(true)
})

test('a toolset of the folder takes the place of a server of that name', async () => {
  const { at, command, run, entry } = openTwo()
  const notes = fileURLToPath(new URL('../../examples/notes', import.meta.url))
  expect((await run('add', 'notes', '--scope', 'everywhere', '--no-connect', '--', entry.command, ...entry.args)).code).toBe(0) // biome-ignore format: one line
  expect((await command('list', ...at('two'))).stdout).toContain('notes.echo')
  const listed = await command('list', '--contracts', notes, ...at('two'))
  expect(listed).toMatchObject({ code: 0, stderr: expect.stringContaining('The server notes of every folder is not used here') }) // biome-ignore format: one line
  expect(listed.stdout).toContain('notes.')
  expect(listed.stdout).not.toContain('notes.echo')
})

test('an open client in any folder is notified at once', async () => {
  const { add, run, at, folder, env } = openTwo()
  const client = new Client({ name: 'a-client', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [entries.toolpact, 'serve', '--stdio'],
      cwd: join(folder, 'two'),
      env: Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined)),
      stderr: 'ignore',
    }),
  )
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  expect(await names()).toContain('read_file')
  expect((await add('one', '--no-connect', '--approval', 'reads')).code).toBe(0)
  await until(async () => `${await names()}` === 'echo')
  const { isError = false, content } = await client.callTool({ name: 'echo', arguments: { text: 'hi' } })
  expect({ isError, content }).toMatchObject({ isError: false })
  expect((await run('remove', 'files', ...at('one'))).code).toBe(0)
  await until(async () => (await names()).includes('read_file'))
})

test.skipIf(!hasTmux)('answers about imported servers are kept with them, for every folder', async () => {
  const { folder, env, read, write, tools } = openTwo()
  const servers = ['a', 'b'].map((name) => [name, makeChangeling([withoutOutput('get_plain')], {}, folder).entry])
  write('home/.cursor/mcp.json', { mcpServers: Object.fromEntries(servers) })
  const screens = openScreens({ folder, env })
  onTestFinished(() => void screens.close())
  const screen = screens.open('import', `"${process.execPath}" "${entries.toolpact}" mcp import cursor`)
  await screen.until('Use them in every folder (e), or only in this one (f)? (Enter: e)')
  screen.type('Enter')
  await screen.until('Import these 2 servers?')
  screen.type('y', 'Enter')
  // Where servers can be confined, that is asked first.
  for (const name of works ? ['a', 'b'] : []) {
    await screen.until(new RegExp(`Confine ${name}\\b[^?]*\\?`))
    screen.type('y', 'Enter')
  }
  await screen.until('How may they be used?')
  screen.type('r', 'Enter')
  await screen.until('done:0')
  const answers = { withoutOutputSchema: 'opaque', approval: 'reads', ...(works && { network: 'none' }) }
  expect(JSON.parse(read('state/everywhere.json'))).toMatchObject({ mcpServers: { a: answers, b: answers } })
  expect(existsSync(join(folder, 'toolpact.json'))).toBe(false)
  expect(await tools('two')).toMatch(/a\.get_plain[\s\S]*b\.get_plain/)
})
