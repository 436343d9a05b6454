import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'

const folders: ReturnType<typeof openMcpFolder>[] = []
afterAll(() => {
  for (const { close } of folders) close()
})

/** A repository whose toolpact.json git tracks. */
function openRepository(config: object) {
  const opened = openMcpFolder({ 'toolpact.json': config })
  folders.push(opened)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: opened.folder, encoding: 'utf8', stdio: 'pipe' }) // biome-ignore format: one line
  git('init', '-q')
  git('add', 'toolpact.json')
  git('commit', '-qm', 'first')
  const { entry, pids } = makeChangeling([define('echo')], {}, opened.folder)
  const add = (...more: string[]) => opened.run('add', 'files', ...more, '--', entry.command, ...entry.args)
  const own = () => {
    const folder = join(opened.folder, 'state', 'workspaces')
    return join(folder, readdirSync(folder)[0]!)
  }
  return { ...opened, entry, pids, add, own, changed: () => git('status', '--short', 'toolpact.json') }
}

test('mcp add leaves a toolpact.json that git tracks as it is, and every command uses the server', async () => {
  const { add, changed, command, run, read, own } = openRepository({ policy: { requireQuery: false } })
  const added = await add('--approval', 'reads')
  expect(added.code).toBe(0)
  expect(added.stderr).toContain('files answers (2025-11-25): 1 tool, 1 admitted, 0 withheld.')
  expect(added.stderr).toContain(
    'Its toolpact.json stays as it is; --scope project changes it, and --scope everywhere is for every folder.',
  )
  expect(changed()).toBe('')
  expect(statSync(own()).mode & 0o777).toBe(0o600)
  expect((await command('list')).stdout).toContain('files.echo')
  expect(JSON.parse((await command('call', 'files.echo', 'text=hi', '--json')).stdout)).toMatchObject({ success: true })
  expect((await run('list')).stdout).toMatch(/^files +configured/)
  expect(JSON.parse((await run('inspect', 'files', '--json')).stdout)).toMatchObject([
    { name: 'files', state: 'ready' },
  ])
  expect((await command('lock')).code).toBe(0)
  expect((await run('adopt', 'files')).code).toBe(0)
  expect(read()).not.toContain('files')
  expect((await run('add', 'files', '--no-connect', '--', 'x')).stderr).toContain("The server 'files' already exists.")
  const removed = await run('remove', 'files')
  expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining(own()) })
  expect((await command('list')).stdout).not.toContain('files.echo')
  expect(changed()).toBe('')
})

test('--scope project writes into the tracked file, and a file that git does not track is written as before', async () => {
  const { add, changed, read, write, run, folder } = openRepository({})
  expect((await add('--scope', 'project', '--no-connect')).code).toBe(0)
  expect(changed()).toBe(' M toolpact.json\n')
  expect(JSON.parse(read()).mcpServers).toHaveProperty('files')
  write('inner/toolpact.json', {})
  expect((await run('add', 'one', '--no-connect', '--workspace', join(folder, 'inner'), '--', 'x')).code).toBe(0)
  expect(JSON.parse(read('inner/toolpact.json')).mcpServers).toHaveProperty('one')
})

test('servers of a file that is not trusted are not started beside the own ones', async () => {
  const { add, run, command, folder, write, own } = openRepository({})
  const evil = { command: 'touch', args: [join(folder, 'touched')] }
  write('toolpact.json', { mcpServers: { evil } })
  expect((await add()).code).toBe(0)
  expect((await command('list')).stdout).toContain('files.echo')
  expect((await run('list')).stdout).toMatch(/^evil +not trusted[\s\S]*^files +configured/m)
  expect((await run('inspect', 'evil')).stderr).toContain('is not trusted')
  expect((await run('inspect', '--json')).stdout).not.toContain('evil')
  expect(readdirSync(folder)).not.toContain('touched')
  // Only files that this user alone can write need no trust.
  chmodSync(own(), 0o666)
  expect(await command('list')).toMatchObject({ code: 2, stderr: expect.stringContaining('may be written by others') })
})
