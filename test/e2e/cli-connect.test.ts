// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { toStrictJson } from '../../src/state/strict-json.ts'
import { connectable } from '../../src/surfaces/clients/clients.ts'
import { openHttp } from '../helpers/open-http.ts'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries } from '../helpers/run-command.ts'

const folders: ReturnType<typeof openMcpFolder>[] = []
afterAll(() => {
  for (const folder of folders) folder.close()
})

function openFolder(files?: { readonly [path: string]: unknown }) {
  const opened = openMcpFolder(files)
  folders.push(opened)
  return opened
}

/** Isolates the location of client files from this machine. */
const moved = ['CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'COPILOT_HOME', 'GEMINI_CLI_HOME', 'OPENCODE_CONFIG', 'CONTINUE_GLOBAL_DIR'] // biome-ignore format: one line
for (const name of moved) delete process.env[name]

function parse(path: string, text: string) {
  if (path.endsWith('.toml')) return parseToml(text)
  return path.endsWith('.yaml') ? parseYaml(text) : JSON.parse(toStrictJson(text))
}

const written: { readonly [path: string]: string } = {
  'home/.claude.json': '{"numStartups":3,"mcpServers":{"x":{"command":"y"}},"projects":{}}',
  'home/.codex/config.toml':
    '# mine\nmodel = "x"\n\n[mcp_servers.x]\ncommand = "y" # why\n\n[tui]\nnotifications = true',
  'home/.gemini/settings.json': '{\n  // mine\n  "mcpServers": {\n    "x": { "command": "y" }, // why\n  },\n}\n',
  'home/.config/opencode/opencode.jsonc': '{\r\n\t"mcp": {\r\n\t\t// none yet\r\n\t}\r\n}',
  'home/.config/goose/config.yaml': '# mine\nextensions:\n  developer: # why\n    enabled: true\n\nGOOSE_MODEL: x',
  'home/.continue/config.yaml': 'name: mine\nmcpServers: [ {name: x, command: y} ] # why\n',
}

test.concurrent.each(connectable)('$id: connect and disconnect leave every byte as it was', async (client) => {
  const { command, folder, env } = openFolder(written)
  const places = { platform: process.platform, home: env.HOME!, workspace: folder, environment: {} }
  const paths = client.files(places).filter(({ key }) => key)
  const before = paths.map(({ path }) => (existsSync(path) ? readFileSync(path) : undefined))
  for (const scope of new Set(paths.map((file) => file.scope)))
    for (const how of ['--stdio', ...(client.toHttp && (scope === 'user' || client.toReference) ? ['--http'] : [])]) {
      const connected = await command('connect', client.id, how, '--scope', scope, '--yes', '--json')
      expect(connected, connected.stderr).toMatchObject({ code: 0 })
      const { file, state } = JSON.parse(connected.stdout)
      expect(state).toBe('connected')
      const text = readFileSync(file, 'utf8')
      expect(JSON.stringify(parse(file, text))).toContain(how === '--http' ? 'http://127.0.0.1:7420/mcp' : '"serve"')
      const again = await command('connect', client.id, how, '--scope', scope, '--yes', '--json')
      expect(JSON.parse(again.stdout).state).toBe('unchanged')
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(await command('disconnect', client.id, '--yes')).toMatchObject({ code: 0 })
      expect(paths.map(({ path }) => (existsSync(path) ? readFileSync(path) : undefined))).toEqual(before)
    }
  expect((await command('disconnect', client.id)).stdout).toBe(`${client.title} is not connected.\n`)
})

test.concurrent('what each coding agent needs is written', async () => {
  const { command, read, folder } = openFolder({
    'toolpact.json': { mcpServers: { a: { command: 'x', env: { KEY: '${env:MY_KEY}' }, args: ['${OTHER:-1}'] } } },
  })
  for (const client of ['codex', 'opencode', 'copilot', 'cline'])
    await command('connect', client, '--yes', '--read-only', '--', '--wait', '9')
  const codex = parseToml(read('home/.codex/config.toml'))
  expect(codex.mcp_servers).toEqual({
    toolpact: {
      command: process.execPath,
      args: [expect.any(String), 'serve', '--stdio', '--read-only', '--wait', '9'],
      env_vars: ['TOOLPACT_STATE_DIR', 'XDG_STATE_HOME', 'MY_KEY', 'OTHER'],
      required: true,
      tool_timeout_sec: 600,
    },
  })
  expect(JSON.parse(read('home/.config/opencode/opencode.json')).mcp.toolpact).toMatchObject({
    type: 'local',
    command: [process.execPath, expect.any(String), 'serve', '--stdio', '--read-only', '--wait', '9'],
    environment: { TOOLPACT_STATE_DIR: join(folder, 'state') },
  })
  expect(JSON.parse(read('home/.copilot/mcp-config.json')).mcpServers.toolpact.tools).toEqual(['*'])
  expect(JSON.parse(read('home/.cline/data/settings/cline_mcp_settings.json')).mcpServers.toolpact.timeout).toBe(600)
  await command('connect', 'opencode', '--yes', '--http', '--port', '9')
  expect(JSON.parse(read('home/.config/opencode/opencode.json')).mcp.toolpact).toMatchObject({ type: 'remote', oauth: false, url: 'http://127.0.0.1:9/mcp' }) // biome-ignore format: one line
})

test.concurrent.each([
  ['codex', 'CODEX_HOME', 'config.toml'],
  ['claude-code', 'CLAUDE_CONFIG_DIR', '.claude.json'],
  ['copilot', 'COPILOT_HOME', 'mcp-config.json'],
  ['opencode', 'XDG_CONFIG_HOME', 'opencode/opencode.json'],
])('%s: %s moves its file', async (client, name, file) => {
  const { runWith, folder, env } = openFolder()
  const place = join(folder, 'moved')
  expect(await runWith({ ...env, [name]: place }, 'connect', client, '--yes')).toMatchObject({ code: 0 })
  expect(existsSync(join(place, file))).toBe(true)
})

test.concurrent('the token is written for its owner alone, and never shown', async () => {
  const { command, read, folder } = openFolder({ 'home/.cursor/mcp.json': '{}' })
  const dry = await command('connect', 'cursor', '--http', '--dry-run')
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('"Authorization": "…"') })
  expect(existsSync(join(folder, 'state', 'tokens.json'))).toBe(false)
  const connected = await command('connect', 'cursor', '--http', '--yes')
  const readWritten = () => JSON.parse(read('home/.cursor/mcp.json')).mcpServers.toolpact.headers.Authorization.slice('Bearer '.length) // biome-ignore format: one line
  const readStored = async () => JSON.parse((await command('token', 'list', '--json')).stdout)
  const token = readWritten()
  const [stored] = await readStored()
  expect(stored).toMatchObject({ caller: 'local', label: 'cursor', prefix: token.slice(0, 13) })
  expect((await command('connect', 'cursor', '--http', '--yes')).stdout).toContain('already connected')
  expect(statSync(join(folder, 'home/.cursor/mcp.json')).mode & 0o077).toBe(0)
  const removed = await command('disconnect', 'cursor')
  expect(removed.code).toBe(3)
  for (const { stdout, stderr } of [connected, removed]) expect(stdout + stderr).not.toContain(token)
  expect(await readStored()).toEqual([stored])
  await command('connect', 'cursor', '--http', '--yes', '--caller', 'ci')
  expect(await readStored()).toMatchObject([{ caller: 'ci', label: 'cursor', prefix: readWritten().slice(0, 13) }])
  await command('token', 'revoke', 'ci')
  await command('connect', 'cursor', '--http', '--yes')
  expect(await readStored()).toMatchObject([{ caller: 'local', prefix: readWritten().slice(0, 13) }])
  await command('disconnect', 'cursor', '--yes')
  expect(await readStored()).toEqual([])
})

test.concurrent('a token that nobody confirmed is not created, and one that the user wrote is not revoked', async () => {
  const { command, read, write } = openFolder({ 'home/.cursor/mcp.json': '{}' })
  expect((await command('connect', 'cursor', '--http')).code).toBe(3)
  expect((await command('token', 'list')).stderr).toContain('There are no tokens yet.')
  const own = (await command('token', 'create', 'local')).stdout.trim()
  await command('connect', 'cursor', '--http', '--yes')
  const written = read('home/.cursor/mcp.json')
  write('home/.cursor/mcp.json', written.replace(/toolpact_[\w-]{43}/, own))
  expect((await command('connect', 'cursor', '--http', '--yes')).stdout).toContain('already connected')
  await command('disconnect', 'cursor', '--yes')
  const left = JSON.parse((await command('token', 'list', '--json')).stdout)
  expect(left).toMatchObject([{ prefix: own.slice(0, 13) }, { label: 'cursor' }])
})

test.concurrent.each(['agent', 'list', 'a b'])(
  '--caller %s cannot name a caller, so no token is made and no file is written',
  async (name) => {
    const { command, read, folder } = openFolder({ 'home/.cursor/mcp.json': '{}' })
    for (const extra of [[], ['--dry-run']])
      expect(await command('connect', 'cursor', '--http', '--yes', '--caller', name, ...extra)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`A caller cannot be named '${name}'`),
      })
    expect(read('home/.cursor/mcp.json')).toBe('{}')
    expect(existsSync(join(folder, 'state', 'tokens.json'))).toBe(false)
  },
)

test.concurrent('a project file names the variable of the token, and not the token', async () => {
  const { command, read } = openFolder()
  for (const client of ['codex', 'claude-code', 'vscode'])
    expect(await command('connect', client, '--http', '--scope', 'project', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('TOOLPACT_TOKEN'), stderr: expect.stringContaining('export TOOLPACT_TOKEN=$(toolpact token create local)') }) // biome-ignore format: one line
  expect(parseToml(read('.codex/config.toml'))).toMatchObject({ mcp_servers: { toolpact: { bearer_token_env_var: 'TOOLPACT_TOKEN' } } }) // biome-ignore format: one line
  expect(JSON.parse(read('.mcp.json')).mcpServers.toolpact.headers.Authorization).toBe('Bearer ${TOOLPACT_TOKEN}')
  expect(JSON.parse(read('.vscode/mcp.json')).servers.toolpact.headers.Authorization).toBe('Bearer ${env:TOOLPACT_TOKEN}') // biome-ignore format: one line
  const token = (await command('token')).stdout.trim()
  expect(read('.codex/config.toml') + read('.mcp.json') + read('.vscode/mcp.json')).not.toContain(token)
})

test.concurrent('what was changed meanwhile stays, and only the entry is removed', async () => {
  const { command, read, write } = openFolder({ 'home/.codex/config.toml': 'model = "x"\n' })
  await command('connect', 'codex', '--yes', '--toolpact-asks')
  expect(read('home/.codex/config.toml')).toContain('default_tools_approval_mode = "approve"')
  // Connecting again keeps what the person had chosen.
  await command('connect', 'codex', '--yes', '--toolset', 'learning')
  expect(read('home/.codex/config.toml')).toContain('default_tools_approval_mode = "approve"')
  write('home/.codex/config.toml', `${read('home/.codex/config.toml')}\n# later\n[tui]\nx = 1\n`)
  await command('disconnect', 'codex', '--yes')
  expect(read('home/.codex/config.toml')).toBe('model = "x"\n\n# later\n[tui]\nx = 1\n')
})

test.concurrent('whether a server answers is said, and so is where the servers of a folder are used', async () => {
  const { command, folder } = openFolder({ 'toolpact.json': { mcpServers: { a: { command: 'x' } } } })
  const { url, port } = await openHttp()
  const connected = await command('connect', 'codex', '--http', '--port', `${port}`, '--dry-run')
  expect(connected.stderr).toContain(`Toolpact answers at ${url}/mcp.`)
  expect((await command('connect', 'codex', '--http', '--port', '9', '--dry-run')).stderr).toContain(
    'run toolpact serve',
  )
  expect((await command('connect', 'codex', '--dry-run')).stderr).toContain(
    `Only where Codex is opened in ${folder}, it uses a.`,
  )
  const pinned = await command('connect', 'codex', '--dry-run', '--workspace', folder)
  expect(pinned).toMatchObject({ code: 0, stdout: expect.stringContaining(`"--workspace", "${folder}"`) })
  expect(pinned.stderr).not.toContain('everywhere')
  const project = await command('connect', 'codex', '--dry-run', '--scope', 'project', '--config', 'toolpact.json')
  expect(project).toMatchObject({ code: 0, stdout: expect.stringContaining('"--config"') })
})

test.concurrent("what a client's file holds cannot write to the terminal", async () => {
  const { command } = openFolder({
    'home/.cursor/mcp.json': '{\n  "mcpServers": {\n    "\u001b[2Jx": {} // \u001b]0;t\u0007 \u202e\n  }\n}\n',
    'home/.codex/config.toml': 'a = "\u001b[2J',
  })
  for (const client of ['cursor', 'codex']) {
    const { stdout, stderr } = await command('connect', client, '--dry-run')
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/)
  }
})

test.concurrent('keys of other servers around the change are not shown', async () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(10)}`
  const { command } = openFolder({ 'home/.cursor/mcp.json': `{\n  "mcpServers": {\n    "x": { "env": { "API_KEY": "${key}" } }\n  }\n}\n` }) // biome-ignore format: one line
  const shown = await command('connect', 'cursor', '--dry-run')
  expect(shown.stdout).toContain('"API_KEY"')
  expect(shown.stdout).not.toContain(key)
})

test.concurrent('a link to the file stays a link', async () => {
  const { command, folder, read } = openFolder({ 'dotfiles/config.toml': 'model = "x"\n' })
  mkdirSync(join(folder, 'home/.codex'), { recursive: true })
  symlinkSync(join(folder, 'dotfiles/config.toml'), join(folder, 'home/.codex/config.toml'))
  await command('connect', 'codex', '--yes')
  expect(read('dotfiles/config.toml')).toContain('[mcp_servers.toolpact]')
  await command('disconnect', 'codex', '--yes')
  expect(read('dotfiles/config.toml')).toBe('model = "x"\n')
})

test.concurrent.each<[args: string[], words: string]>([
  [['connect', 'codx'], 'Did you mean toolpact connect codex?'],
  [['connect', 'docker'], 'toolpact mcp import docker'],
  [['connect', 'codex', '--http', '--stdio'], 'not both'],
  [['connect', 'codex', '--port', '1'], 'Add --http.'],
  [['connect', 'claude-desktop', '--http'], 'Leave out --http.'],
  [['connect', 'copilot', '--scope', 'project'], 'Use --scope user.'],
  [['connect', 'codex', '--scope', 'all'], 'Use --scope user or --scope project.'],
  [['connect', 'cursor', '--toolpact-asks'], 'has no effect on Cursor'],
  [['connect', 'zed', '--http', '--scope', 'project'], 'Use --scope user'],
  [['connect', 'cursor', '--yes'], 'is not valid JSON'],
  [['disconnect'], 'needs one client'],
])('%j is refused, and says what to do', async (args, words) => {
  const { command, read } = openFolder({ 'home/.cursor/mcp.json': '{ "mcpServers": ' })
  expect(await command(...args)).toEqual({
    code: 2,
    stdout: expect.any(String),
    stderr: expect.stringContaining(words),
  })
  expect(read('home/.cursor/mcp.json')).toBe('{ "mcpServers": ')
})

test.concurrent('without a client those that are known are listed, and which of them are here', async () => {
  const { command } = openFolder({ 'home/.codex/x': '', 'home/.cursor/mcp.json': '{}' })
  await command('connect', 'cursor', '--yes')
  const listed: { client: string; connected: string[] }[] = JSON.parse((await command('connect', '--json')).stdout)
  const of = (id: string) => listed.find(({ client }) => client === id)
  expect(listed).toHaveLength(connectable.length)
  expect(of('codex')).toMatchObject({ found: true, connected: [] })
  expect(of('cursor')?.connected).toEqual([expect.stringContaining('mcp.json')])
  expect(of('zed')).toMatchObject({ found: false })
  expect((await command('connect')).stdout).toMatch(/codex +Codex +found on this machine/)
})

describe.skipIf(!hasTmux)('at a terminal', () => {
  test('the change is shown, and only a yes makes it', async () => {
    const { folder, env, read } = openFolder({ 'home/.codex/config.toml': 'model = "x"\n' })
    const screens = openScreens({ folder, env })
    try {
      const line = `"${process.execPath}" "${entries.toolpact}" connect codex`
      const no = screens.open('no', line)
      await no.until('(y/N)')
      no.type('Enter')
      await no.until('done:3')
      expect(read('home/.codex/config.toml')).toBe('model = "x"\n')
      const yes = screens.open('yes', line)
      await yes.until('(y/N)')
      yes.type('y', 'Enter')
      await yes.until('Do that? (y/N)')
      yes.type('y', 'Enter')
      await yes.until('done:0')
      expect(read('home/.codex/config.toml')).toContain('default_tools_approval_mode = "approve"')
    } finally {
      screens.close()
    }
  })
})
