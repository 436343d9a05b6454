import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { exitCodeMeanings } from '../../src/cli/terminal/exit-codes.ts'
import { findOldNode } from '../helpers/find-old-node.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

test.concurrent.each(['--version', '-v'])('%s prints the version', async (flag) => {
  expect(await run([flag], { alone: true })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test.concurrent.each([[[]], [['--help']], [['-h']], [['help']]])('%j prints the help, grouped', async (args) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(
    /Use\n {2}call .*\n(?: {2}.*\n)* {2}serve .*\n {2}open .*\nLook\n {2}list .*\n {2}show .*\n {2}ledger /,
  )
})

test.concurrent('help options lists the options of every command and the exit codes', async () => {
  const { code, stdout } = await run(['help', 'options'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}--workspace DIR +the folder/m)
  for (const [exitCode, meaning] of exitCodeMeanings)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(` ${exitCode} ${meaning}`)
})

test.concurrent('an action has its own help, with its own options', async () => {
  const { code, stdout } = await run(['mcp', 'add', '--help'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Usage: toolpact mcp add NAME/)
  expect(stdout).toContain('--header')
  expect(stdout).not.toContain('--schema')
  expect((await run(['help', 'mcp', 'add'])).stdout).toBe(stdout)
  const { stderr } = await run(['mcp', 'inspect', '--header', 'A: b'])
  expect(stderr).toBe(
    "Error: mcp inspect does not take --header.\nUse toolpact mcp add --header 'NAME: VALUE'. See toolpact mcp inspect --help.\n",
  )
})

test.concurrent.each(['call', 'serve', 'list', 'show', 'ledger'])(
  '%s --help shows usage and examples',
  async (name) => {
    const { code, stdout } = await run([name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain(`Usage: toolpact ${name}`)
    expect(stdout).toContain('Options of every command: --workspace ')
    expect(stdout).toMatch(/Examples\n(?: {2}#.*\n)? {2}.*toolpact/)
    expect((await run(['help', name])).stdout).toBe(stdout)
  },
)

test.concurrent.each([
  [['lst'], "There is no command 'lst'.", 'Did you mean toolpact list? See toolpact --help.'],
  [['constructor'], "There is no command 'constructor'.", 'See toolpact --help.'],
  [['list', '--jsno'], 'There is no option --jsno.', 'Did you mean --json? See toolpact list --help.'],
  [['--bogus'], 'There is no option --bogus.', 'See toolpact --help.'],
  [['call'], 'call needs the name of a tool.', 'Run `toolpact list` to see them. See toolpact call --help.'],
  [['call', 'learning.hello', 'name=a', '--input', '{}'], 'not both', 'See toolpact call --help.'],
  [['list', 'learning.hello'], 'list takes no name', 'Did you mean toolpact show learning.hello?'],
  [['show'], 'show needs the name of a tool.', 'Run `toolpact list` to see them.'],
  [['show', 'a', 'b'], "also got 'b'", 'See toolpact show --help.'],
  [['show', 'learning.helo'], "There is no tool 'learning.helo'.", 'Did you mean learning.hello?'],
  [['show', 'hello'], "Several tools match the name 'hello'.", 'Use one of learning.hello, practitioner.hello.'],
  [['list', '--toolset', 'lerning'], "There is no toolset 'lerning'.", 'learning, practitioner'],
  [['list', '--workspace', 'nowhere'], 'The workspace nowhere is not a folder.', 'Check the path after --workspace.'],
  [['list', '--config', 'nowhere.json'], 'nowhere.json cannot be read (ENOENT)', 'Check the path after --config.'],
  [['serve', 'x'], "serve takes no name, but got 'x'.", 'See toolpact serve --help.'],
])('%j is wrong usage, and says what is right', async (args, message, suggestion) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`Error: `)
  expect(stderr).toContain(message)
  expect(stderr).toContain(suggestion)
  expect(stderr).not.toContain('    at ')
})

test.concurrent('list shows the tools by toolset', async () => {
  const { code, stdout } = await run(['list'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}tool +risk +approval +access +side effects\n/)
  expect(stdout).toMatch(/^learning\n {2}learning\.hello +read_only +never asks +Public +None +A simple greeting tool/m)
  expect(stdout).toMatch(/\n\npractitioner\n {2}practitioner\.hello /)
  expect((await run(['list'], { entry: 'odd' })).stdout).toMatch(
    /odd\.write +safe_write +asks +\S.* +Writes\S* .*Says that it wrote a file\.\n/,
  )
  const one = await run(['list', '--toolset', 'learning'])
  expect(one.stdout).not.toContain('practitioner')
})

test.concurrent('list --json gives the same for a script', async () => {
  const { stdout } = await run(['list', '--json'])
  expect(JSON.parse(stdout)).toContainEqual({
    id: 'learning.hello',
    toolset: 'learning',
    name: 'hello',
    title: 'Hello',
    description: expect.any(String),
    version: '1.0.0',
    status: 'active',
    risk: 'read_only',
    approval: 'never',
    summary: { access: 'Public', sideEffects: 'None', approvalRequired: false },
  })
})

test.concurrent('list and show say how a tool is reached where its contract does', async () => {
  const place = { status: 'active', transport: 'mcp (stdio or http), rest', endpoint: 'mlxctl' }
  const listed = JSON.parse((await run(['list', '--json'])).stdout)
  expect(listed.find(({ id }: { id: string }) => id === 'mlxctl.mlx.load')).toMatchObject(place)
  const { stdout } = await run(['show', 'mlxctl.mlx.load'])
  expect(stdout).toContain('Reached over mcp (stdio or http), rest, at mlxctl.')
})

test.concurrent('show prints the contract for people, with an example that can be copied and run', async () => {
  const { code, stdout } = await run(['show', 'learning.hello'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/name +string +required +Name to greet \(at most 100 characters\)/)
  expect(stdout).toMatch(/greeting +string +The greeting/)
  expect(stdout).toMatch(/time +1 min/)
  const [, line] = / {2}toolpact (call .*)\n/.exec(stdout)!
  expect((await run([...line!.split(' '), '--json'])).stdout).toContain('"greeting"')
})

test.concurrent('show prints defaults, limits and effects', async () => {
  const { stdout } = await run(['show', 'practitioner.hello'])
  expect(stdout).toContain('default "World"')
  expect(stdout).toMatch(/calls +100 in 1 min, per caller/)
  expect(stdout).toMatch(/input +64 KiB/)
  const odd = await run(['show', 'odd.write'], { entry: 'odd' })
  expect(odd.stdout).toContain('a call asks for approval')
  expect(odd.stdout).toContain('Writes what path names.')
})

test.concurrent('show --json is the contract', async () => {
  const { stdout } = await run(['show', 'learning.hello', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ name: 'hello', risk: 'read_only', input: { required: ['name'] } })
})

test.concurrent('an unusable state directory is reported in a line, and --debug adds where', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const broken = { env: { TOOLPACT_STATE_DIR: join(file, 'state') } }
  const { code, stderr } = await run(['ledger'], broken)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Error: .*\nAdd --debug for a stack trace\.\n$/)
  expect((await run(['ledger', '--debug'], broken)).stderr).toContain('    at ')
})

test.concurrent('on an old Node the needed version is printed, and nothing else happens', async () => {
  const preload = join(folder, 'old-node.mjs')
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })`,
  )
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` }
  const { code, stdout, stderr } = await run(['list'], { env, alone: true })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^toolpact needs Node 24 or newer, but this is Node 20\.1\.0\. .*\n$/)
})

const oldNode = findOldNode()

test.skipIf(!oldNode)('a real old Node gets as far as that message (skipped where none is on the path)', () => {
  const built = join(folder, 'old', 'dist', 'cli')
  mkdirSync(built, { recursive: true })
  writeFileSync(join(folder, 'old', 'package.json'), '{ "type": "module" }')
  writeFileSync(join(built, 'toolpact.js'), stripTypeScriptTypes(readFileSync(entries.toolpact, 'utf8')))
  for (const args of [['--version'], ['list']]) {
    try {
      execFileSync(oldNode!, [join(built, 'toolpact.js'), ...args], { stdio: 'pipe', encoding: 'utf8' })
      expect.unreachable()
    } catch (cause) {
      const { status, stdout, stderr } = cause as { status: number; stdout: string; stderr: string }
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toMatch(/^toolpact needs Node 24 or newer, but this is Node \d+\.\d+\.\d+\. .*\n$/)
    }
  }
})

test.skipIf(process.platform === 'win32')(
  'compiled code is kept only in a folder that nobody else can write',
  async () => {
    const kept = join(folder, 'cache', 'toolpact')
    const unset = { NODE_COMPILE_CACHE: undefined }
    const help = (more = {}) => run(['help'], { env: { ...unset, ...more }, alone: true })
    await help()
    expect(statSync(kept).mode & 0o777).toBe(0o700)
    expect(readdirSync(kept)).not.toEqual([])
    const shared = join(folder, 'shared')
    mkdirSync(join(shared, 'toolpact'), { recursive: true })
    chmodSync(join(shared, 'toolpact'), 0o777)
    expect(await help({ XDG_CACHE_HOME: shared })).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(join(shared, 'toolpact'))).toEqual([])
    const file = join(folder, 'no-folder')
    writeFileSync(file, '')
    expect(await help({ XDG_CACHE_HOME: file })).toMatchObject({ code: 0, stderr: '' })
  },
)

test('docs/cli.md lists the exit codes as --help does', () => {
  const page = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  for (const [code, meaning] of exitCodeMeanings) expect(page).toContain(`| ${code} | ${meaning} |`)
})
