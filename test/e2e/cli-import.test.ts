// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
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

interface Case {
  readonly client: string
  readonly files: { readonly [path: string]: unknown }
  readonly servers: object
  readonly problems?: readonly string[]
}

/** A config as each client documents it, and what must become of it. */
const cases: readonly Case[] = [
  {
    client: 'claude-code',
    files: {
      '.mcp.json': { mcpServers: { shared: { command: 'a' }, off: { command: 'b' }, denied: { command: 'd' } } },
      'home/.claude.json': (folder: string) => ({
        mcpServers: { user: { type: 'http', url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${KEY:-none}' } }, hidden: { command: 'c' } }, // biome-ignore format: one line
        projects: { [folder]: { mcpServers: { local: { command: 'e' } }, disabledMcpServers: ['hidden'], disabledMcpjsonServers: ['off'] } }, // biome-ignore format: one line
      }),
      '.claude/settings.json': { deniedMcpServers: [{ serverName: 'denied' }] },
    },
    servers: {
      shared: { command: 'a' },
      off: { command: 'b', disabled: true },
      denied: { command: 'd', disabled: true },
      user: { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${KEY:-none}' } },
      hidden: { command: 'c', disabled: true },
      local: { command: 'e' },
    },
  },
  {
    client: 'vscode',
    files: {
      '.vscode/mcp.json': `{
        // asked once
        "inputs": [
          { "type": "promptString", "id": "region", "default": "eu" },
          { "type": "promptString", "id": "api-key", "password": true },
        ],
        "servers": { "x": { "type": "stdio", "command": "npx", "args": ["-y", "x", "\${input:region}"], "env": { "KEY": "\${input:api-key}" }, "envFile": "\${workspaceFolder}/.env" } },
      }`,
    },
    servers: { x: { command: 'npx', args: ['-y', 'x', 'eu'], env: { KEY: '${API_KEY}' } } },
    problems: ['x: envFile names variables', 'x: The editor asks for api-key: put it into the environment variable API_KEY.'], // biome-ignore format: one line
  },
  {
    client: 'codex',
    files: {
      'home/.codex/config.toml': `model = "x"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
env_vars = ["TOKEN"]
startup_timeout_sec = 20
enabled_tools = ["search"]
[mcp_servers.docs.env]
MODE = "a"
[mcp_servers.remote]
url = "https://x.example/mcp"
bearer_token_env_var = "REMOTE_TOKEN"
disabled_tools = ["delete"]
enabled = false
`,
    },
    servers: {
      docs: { command: 'npx', args: ['-y', 'docs'], env: { TOKEN: '${TOKEN}', MODE: 'a' }, startupMs: 20_000, tools: ['search'] }, // biome-ignore format: one line
      remote: { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer ${REMOTE_TOKEN}' }, exclude: ['delete'], disabled: true }, // biome-ignore format: one line
    },
  },
  ...(['gemini', 'qwen'] as const).map((client) => ({
    client,
    files: {
      [`home/.${client}/settings.json`]: {
        mcp: { excluded: ['off'] },
        mcpServers: {
          a: { command: 'x', env: { KEY: '$MY_KEY' }, trust: true, includeTools: ['one'], excludeTools: ['two'] },
          off: { httpUrl: 'https://x.example/mcp', timeout: 5 },
        },
      },
    },
    servers: {
      a: { command: 'x', env: { KEY: '${MY_KEY}' }, tools: ['one'], exclude: ['two'] },
      off: { url: 'https://x.example/mcp', disabled: true },
    },
  })),
  {
    client: 'opencode',
    files: {
      'opencode.jsonc': `{
        "mcp": {
          "a": { "type": "local", "command": ["npx", "-y", "x"], "environment": { "KEY": "{env:MY_KEY}" }, "enabled": true },
          "b": { "type": "remote", "url": "https://x.example/mcp", "headers": { "X": "{file:secret.txt}" }, "oauth": false },
          "c": { "type": "local", "command": ["y"] },
        },
        "tools": { "a_delete": false, "c*": false, "bash": false },
      }`,
    },
    servers: {
      a: { command: 'npx', args: ['-y', 'x'], env: { KEY: '${MY_KEY}' }, exclude: ['delete'] },
      c: { command: 'y', disabled: true },
    },
    problems: ['b: ${file:secret.txt} is not understood'],
  },
  {
    client: 'goose',
    files: {
      'home/.config/goose/config.yaml': `GOOSE_MODEL: x
extensions:
  developer: { enabled: true, type: builtin, name: developer }
  tracker:
    enabled: true
    type: stdio
    cmd: uvx
    args: [tracker]
    envs: { MODE: a }
    env_keys: [TRACKER_KEY]
    timeout: 300
    bundled: null
    available_tools: []
  remote:
    enabled: false
    type: streamable_http
    uri: https://x.example/mcp
    headers: { A: b }
`,
    },
    servers: {
      tracker: { command: 'uvx', args: ['tracker'], env: { MODE: 'a', TRACKER_KEY: '${TRACKER_KEY}' } },
      remote: { url: 'https://x.example/mcp', headers: { A: 'b' }, disabled: true },
    },
    problems: ['tracker: Its client keeps TRACKER_KEY'],
  },
  {
    client: 'continue',
    files: {
      'home/.continue/config.yaml': `name: mine
mcpServers:
  - name: My server
    command: npx
    args: ["-y", "x"]
    env: { KEY: "\${{ secrets.MY_KEY }}" }
  - uses: org/block
`,
      '.continue/mcpServers/more.yaml': 'mcpServers:\n  - name: more\n    type: sse\n    url: https://x.example/sse\n',
    },
    servers: {
      'My-server': { command: 'npx', args: ['-y', 'x'], env: { KEY: '${MY_KEY}' } },
      more: { type: 'sse', url: 'https://x.example/sse' },
    },
    problems: ['My server: Its client keeps MY_KEY', 'org/block: uses names the block org/block'],
  },
  {
    client: 'cline',
    files: { 'home/.cline/data/settings/cline_mcp_settings.json': { mcpServers: { a: { type: 'streamableHttp', url: 'https://x.example/mcp', disabled: true, autoApprove: ['x'], timeout: 60 } } } }, // biome-ignore format: one line
    servers: { a: { url: 'https://x.example/mcp', disabled: true } },
  },
  {
    client: 'roo',
    files: { '.roo/mcp.json': { mcpServers: { a: { command: 'x', args: ['${env:DIR}'], disabledTools: ['rm'], alwaysAllow: ['ls'] } } } }, // biome-ignore format: one line
    servers: { a: { command: 'x', args: ['${DIR}'], exclude: ['rm'] } },
  },
  {
    client: 'windsurf',
    files: { 'home/.codeium/windsurf/mcp_config.json': { mcpServers: { a: { serverUrl: 'https://x.example/mcp', headers: { A: '${env:KEY}' }, disabledTools: ['rm'] } } } }, // biome-ignore format: one line
    servers: { a: { url: 'https://x.example/mcp', headers: { A: '${KEY}' }, exclude: ['rm'] } },
  },
  {
    client: 'zed',
    files: {
      'home/.config/zed/settings.json': `{
        // Zed
        "theme": "One",
        "context_servers": {
          "old": { "command": { "path": "x", "args": ["y"], "env": { "A": "b" } }, "settings": {} },
          "new": { "source": "custom", "command": "z", "enabled": true },
          "extension": { "source": "extension", "settings": { "key": "a" } },
        },
      }`,
    },
    servers: { old: { command: 'x', args: ['y'], env: { A: 'b' } }, new: { command: 'z' } },
    problems: ['extension: settings belongs to an extension'],
  },
  {
    client: 'copilot',
    files: { 'home/.copilot/mcp-config.json': { mcpServers: { a: { type: 'local', command: 'x', args: [], tools: ['*'] }, b: { type: 'http', url: 'https://x.example/mcp', tools: ['one'] } } } }, // biome-ignore format: one line
    servers: { a: { command: 'x' }, b: { url: 'https://x.example/mcp', tools: ['one'] } },
  },
  {
    client: 'docker',
    files: { 'home/.docker/mcp/registry.yaml': 'registry:\n  duckduckgo:\n    ref: ""\n' },
    servers: { duckduckgo: { command: 'docker', args: ['mcp', 'gateway', 'run', '--servers', 'duckduckgo'] } },
  },
  {
    client: 'server.json',
    files: {
      'server.json': {
        name: 'io.github.ada/weather',
        version: '1.2.0',
        packages: [
          {
            registryType: 'npm',
            identifier: '@ada/weather',
            version: '1.2.0',
            packageArguments: [{ type: 'positional', value: 'serve' }, { type: 'named', name: '--units', default: 'metric' }], // biome-ignore format: one line
            environmentVariables: [{ name: 'WEATHER_KEY', isRequired: true, isSecret: true }, { name: 'LEVEL' }],
          },
        ],
        remotes: [{ type: 'streamable-http', url: 'https://x.example/mcp' }],
      },
    },
    servers: { weather: { command: 'npx', args: ['-y', '@ada/weather@1.2.0', 'serve', '--units', 'metric'], env: { WEATHER_KEY: '${WEATHER_KEY}' } } }, // biome-ignore format: one line
    problems: ['weather: The editor asks for WEATHER_KEY'],
  },
]

/** Files are those of Linux; elsewhere the paths differ, which a test beside the table covers. */
describe.skipIf(process.platform !== 'linux')('each client', () => {
  test.concurrent.each(cases)('$client: servers are imported, and what is not understood is reported', async (each) => {
    const { run, read, write, folder } = openFolder({ 'toolpact.json': '{}' })
    for (const [path, content] of Object.entries(each.files)) write(path, typeof content === 'function' ? content(folder) : content) // biome-ignore format: one line
    const imported = await run('import', each.client, '--yes', '--no-connect', '--json')
    const { problems } = JSON.parse(imported.stdout)
    expect(problems).toEqual((each.problems ?? []).map((words) => expect.stringContaining(words)))
    expect(imported.code).toBe(problems.length > 0 ? 1 : 0)
    expect(JSON.parse(read()).mcpServers).toMatchObject(each.servers)
    if (each.client !== 'opencode') expect(JSON.parse(read()).mcpServers).toEqual(each.servers)
  })

  test.concurrent('without a name, everything on this machine is found and offered', async () => {
    const { run, read } = openFolder({
      'toolpact.json': '{}',
      'home/.codex/config.toml': '[mcp_servers.files]\ncommand = "x"\n[mcp_servers.same]\ncommand = "y"\n',
      'home/.cursor/mcp.json': { mcpServers: { files: { command: 'z' }, alike: { command: 'y' } } },
      'home/.config/zed/settings.json': '{ "theme": "One" }',
    })
    const found = await run('import')
    expect(found).toMatchObject({ code: 0, stderr: expect.stringContaining('toolpact mcp import --all') })
    expect(found.stdout).toMatch(/^1 +Codex +2 servers .*\n2 +Cursor +2 servers .*\n$/)
    expect(JSON.parse((await run('import', '--json')).stdout).found).toMatchObject([{ client: 'Codex', servers: ['files', 'same'] }, { client: 'Cursor' }]) // biome-ignore format: one line
    expect(JSON.parse(read())).toEqual({})
    // Equal servers are imported once, and different ones of one name both.
    expect(await run('import', '--all', '--yes', '--no-connect')).toMatchObject({ code: 0, stdout: expect.stringContaining('it is the same as same of Codex') }) // biome-ignore format: one line
    expect(JSON.parse(read()).mcpServers).toEqual({ files: { command: 'x' }, same: { command: 'y' }, 'files-2': { command: 'z' } }) // biome-ignore format: one line
    expect(await run('import', '--all', '--yes')).toMatchObject({ code: 0, stderr: 'There is nothing to import.\n' })
  })
})

test.concurrent('a file is read by its form, whatever it is called', async () => {
  const { run, read } = openFolder({
    'a.toml': '[mcp_servers.a]\ncommand = "x"\n',
    'b.yml': 'mcpServers:\n  b:\n    command: y\n',
    'my.gemini/.gemini/settings.json': { mcpServers: { c: { command: '$BIN' } } },
    'odd.json': { something: { else: 1 } },
    'broken.toml': 'a = ',
  })
  for (const file of ['a.toml', 'b.yml', 'my.gemini/.gemini/settings.json'])
    expect(await run('import', file, '--yes', '--no-connect')).toMatchObject({ code: 0 })
  expect(JSON.parse(read()).mcpServers).toEqual({ a: { command: 'x' }, b: { command: 'y' }, c: { command: '${BIN}' } })
  expect(await run('import', 'odd.json', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('no servers were found in a form that is understood') }) // biome-ignore format: one line
  expect(await run('import', 'broken.toml', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used') }) // biome-ignore format: one line
})

test.concurrent('files that would exhaust or deceive a reader are refused', async () => {
  const laughs = ['a: &a [x, x, x, x, x, x, x, x, x]', ...'bcdefgh'.split('').map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[index]}`).join(', ')}]`)] // biome-ignore format: one line
  const { run } = openFolder({
    'laughs.yaml': laughs.join('\n'),
    'twice.json': '{ "mcpServers": { "a": { "command": "shown", "command": "run" } } }',
    'twice.yaml': 'mcpServers:\n  a:\n    command: shown\n    command: run\n',
    'deep.json': '['.repeat(100_000),
  })
  for (const file of ['laughs.yaml', 'twice.json', 'twice.yaml', 'deep.json'])
    expect(await run('import', file, '--yes'), file).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be used') }) // biome-ignore format: one line
})

const shared = fileURLToPath(new URL('../../../shared/tools/clients/configs', import.meta.url))

test.skipIf(!existsSync(shared))('configs that real clients ran with are read (needs ../shared/tools)', async () => {
  for (const name of readdirSync(shared).filter((file) => !file.includes('providers'))) {
    const { run } = openFolder({ 'toolpact.json': '{}' })
    const { stdout } = await run('import', `${shared}/${name}`, '--yes', '--no-connect', '--json')
    const { servers, problems } = JSON.parse(stdout)
    expect(servers, name).toHaveLength(1)
    expect(problems, name).toEqual([])
  }
})

describe.skipIf(!hasTmux)('at a terminal', () => {
  test('a person chooses among what was found', async () => {
    const { folder, env, read } = openFolder({
      'toolpact.json': '{}',
      'home/.codex/config.toml': '[mcp_servers.one]\ncommand = "x"\n',
      'home/.cursor/mcp.json': { mcpServers: { two: { command: 'y' } } },
    })
    const screens = openScreens({ folder, env })
    try {
      const screen = screens.open('choose', `"${process.execPath}" "${entries.toolpact}" mcp import --no-connect`)
      await screen.until('Import which?')
      screen.type('7', 'Enter')
      await screen.until(/numbers from the list[\s\S]*Import which/)
      screen.type('2', 'Enter')
      await screen.until('(Enter: e)')
      screen.type('Enter')
      await screen.until('Import this server?')
      screen.type('y', 'Enter')
      await screen.until('done:0')
      expect(read()).toBe('{}')
      expect(JSON.parse(read('state/everywhere.json')).mcpServers).toEqual({ two: { command: 'y' } })
    } finally {
      screens.close()
    }
  })
})
