// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { join } from 'node:path'
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

test.concurrent('a server is added to a new config, which is trusted with it', async () => {
  const { run, read, file } = openFolder()
  const added = await run('add', 'files', '--no-connect', '--env', 'MODE=a=b', '--', 'npx', '-y', 'server', '--yes')
  expect(added).toEqual({
    code: 0,
    stdout: '✓ Added files: npx -y server --yes\n',
    stderr: `Created ${file}, and trusted it as it is now.\n`,
  })
  expect(JSON.parse(read())).toEqual({
    mcpServers: { files: { command: 'npx', args: ['-y', 'server', '--yes'], env: { MODE: 'a=b' } } },
  })
  const second = await run('add', 'tracker', 'https://x.example/mcp', '--no-connect', '--type', 'sse', '--header', 'Authorization: Bearer ${T}') // biome-ignore format: one line
  expect(second.stderr).toBe(`Changed ${file}, and trusted it as it is now.\n`)
  expect(JSON.parse(read()).mcpServers.tracker).toEqual({
    type: 'sse',
    url: 'https://x.example/mcp',
    headers: { Authorization: 'Bearer ${T}' },
  })
  const listed = await run('list')
  expect(listed).toMatchObject({ code: 0, stderr: '' })
  expect(listed.stdout).toBe(
    'files    configured  stdio  npx -y server --yes    in toolpact.json\ntracker  configured  sse    https://x.example/mcp  in toolpact.json\n',
  )
})

test.concurrent('what others wrote into the config is kept to the letter, and not trusted by adding to it', async () => {
  const text = '{\n    "policy": { "sandbox":  "off" },\n    "limits": {}\n}\n'
  const { run, read, file } = openFolder({ 'toolpact.json': text })
  const { code, stderr } = await run('add', 'files', '--no-connect', '--', 'x')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Changed ${file}.\nNote: ${file} is not trusted, so its servers are not started. To review it: toolpact trust\n`,
  })
  const entry = '    "mcpServers": {\n        "files": {\n            "command": "x"\n        }\n    }\n'
  expect(read()).toBe(text.replace('{}\n', `{},\n${entry}`))
  expect((await run('list')).stdout).toContain('not trusted')
})

test.concurrent('a server that the config does not offer is added with a note that says what to write', async () => {
  const { run } = openFolder({ 'toolpact.json': { toolsets: ['workspace', 'files'] } })
  expect((await run('add', 'files', '--no-connect', '--', 'npx', 'server')).stderr).not.toContain('Note:')
  const { code, stderr } = await run('add', 'tracker', '--no-connect', '--', 'npx', 'server')
  expect(code).toBe(0)
  expect(stderr).toContain('Note: tracker is not offered')
  expect(stderr).toContain('"toolsets": ["workspace", "files", "tracker"]')
  const { stdout } = await run('add', 'other', '--no-connect', '--json', '--', 'npx', 'server')
  expect(JSON.parse(stdout)).toMatchObject({ name: 'other', offered: false })
})

test.concurrent('a config that is named is the one that changes', async () => {
  const { run, read } = openFolder({ 'elsewhere/my.json': '{}' })
  expect(await run('add', 'files', '--no-connect', '--config', 'elsewhere/my.json', '--cwd', 'sub', '--', 'x')).toMatchObject({ code: 0 }) // biome-ignore format: one line
  expect(JSON.parse(read('elsewhere/my.json'))).toEqual({
    mcpServers: { files: { command: 'x', cwd: join('..', 'sub') } },
  })
})

test.concurrent('a secret in the file is pointed out, and never printed', async () => {
  const { run } = openFolder()
  const added = await run('add', 'a', '--no-connect', '--env', 'API_KEY=abcdef-12345', '--', 'x', '--token', 'tuvwxyz')
  expect(added.code).toBe(0)
  expect(added.stderr).toContain('mcpServers.a.env.API_KEY, mcpServers.a.args. Move them to the environment and write ${API_KEY}') // biome-ignore format: one line
  const listed = await run('list', '--json')
  for (const text of [added.stdout, added.stderr, listed.stdout, listed.stderr])
    expect(text).not.toMatch(/abcdef-12345|tuvwxyz/)
})

test.concurrent.each<[args: string[], words: string]>([
  [['add'], 'needs a name'],
  [['add', 'a.b', '--', 'x'], "cannot be named 'a.b'"],
  [['add', 'a'], 'needs a command after --, or a URL'],
  [['add', 'learning', '--', 'x'], "No server can be called 'learning'"],
  [['add', 'a', '--header', 'A: b', '--', 'x'], 'Use --env.'],
  [['add', 'a', 'https://x', '--env', 'A=b'], 'Use --header.'],
  [['add', 'a', 'https://x', '--type', 'stdio'], 'Use http or sse.'],
  [['add', 'a', '--env', 'A', '--', 'x'], '--env needs NAME=VALUE.'],
  [['add', 'a', '--env', 'A=1', '--env', 'A=2', '--', 'x'], '--env gives A twice.'],
  [['add', 'there', '--', 'x'], 'replace it with --replace'],
  [['remove'], 'needs the name of a server'],
  [['remove', 'ther'], 'Did you mean there?'],
  [['adopt-all'], "mcp has no action 'adopt-all'"],
  [['list', '--no-config'], 'Leave out --no-config.'],
  [['import', 'cursor', '--all'], 'not both'],
  [['import', 'nothing.json'], 'There is no file nothing.json'],
  [['import', 'cursor'], 'home/.cursor/mcp.json'],
])('%j is refused, and says what to do', async (args, words) => {
  const { run, read } = openFolder({ 'toolpact.json': '{"mcpServers":{"there":{"command":"y"}}}' })
  const { code, stderr } = await run(...args)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) })
  expect(read()).toBe('{"mcpServers":{"there":{"command":"y"}}}')
})

test.concurrent('servers are replaced and removed', async () => {
  const { run, read } = openFolder({ 'toolpact.json': '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}' })
  expect(await run('add', 'a', '--no-connect', '--replace', '--', 'z')).toMatchObject({ code: 0 })
  expect(JSON.parse(read())).toEqual({ mcpServers: { a: { command: 'z' }, b: { command: 'y' } } })
  expect(await run('remove', 'a', 'b')).toMatchObject({ code: 0, stdout: '✓ Removed a.\n✓ Removed b.\n' })
  expect(JSON.parse(read())).toEqual({ mcpServers: {} })
  expect(await run('list')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No servers') })
})

const cursor = `{
  // what Cursor has
  "mcpServers": {
    "there": { "command": "other" },
    "@org/My server": { "command": "npx", "args": ["-y", "\${workspaceFolder}/x"], "autoApprove": ["rm"], "disabledTools": ["rm"] },
    "nothing": {},
    "toolpact": { "command": "npx", "args": ["-y", "toolpact", "serve", "--stdio"] },
  },
}`

const there = { 'toolpact.json': { mcpServers: { there: { command: 'y' } } }, 'home/.cursor/mcp.json': cursor }

test.concurrent('servers of another client are shown, and imported with a yes', async () => {
  const { run, read, folder } = openFolder(there)
  const shown = await run('import', 'cursor')
  expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining('Add --yes to import what has a +.') })
  expect(shown.stdout.split('\n')).toEqual([
    expect.stringMatching(/^- {2}there .*Cursor$/),
    '     Skipped: there is another one of that name; --replace replaces it',
    expect.stringMatching(/^\+ {2}org-My-server {2}npx -y .*x {2}Cursor$/),
    '     It is called org-My-server here.',
    '     autoApprove has no effect here, and is left out.',
    expect.stringMatching(/^- {2}nothing .*Cursor$/),
    '     Skipped: it has neither a command nor a url',
    expect.stringMatching(/^- {2}toolpact .*Cursor$/),
    '     Skipped: it is Toolpact itself',
    '',
  ])
  expect(JSON.parse(read())).toEqual(there['toolpact.json'])
  const imported = await run('import', 'cursor', '--yes', '--no-connect', '--json')
  // One entry could not be understood.
  expect(imported.code).toBe(1)
  expect(JSON.parse(imported.stdout)).toMatchObject({
    imported: ['org-My-server'],
    problems: ['nothing: It cannot be imported: it has neither a command nor a url.'],
  })
  expect(JSON.parse(read()).mcpServers).toEqual({
    there: { command: 'y' },
    'org-My-server': { command: 'npx', args: ['-y', `${folder}/x`], exclude: ['rm'] },
  })
  expect(await run('import', 'cursor', 'org-My-server', '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no server 'org-My-server'") }) // biome-ignore format: one line
  expect(await run('import', 'cursor', '@org/My server', '--yes')).toMatchObject({ code: 0, stderr: 'There is nothing to import.\n' }) // biome-ignore format: one line
  await run('import', 'cursor', 'there', '--yes', '--no-connect', '--replace')
  expect(JSON.parse(read()).mcpServers.there).toEqual({ command: 'other' })
})

test.concurrent('the files of every client are found, and one that is broken does not hide the others', async () => {
  const { run, read } = openFolder({
    '.mcp.json': { mcpServers: { project: { command: 'a' } } },
    'home/.claude.json': { projects: {}, mcpServers: { user: { type: 'http', url: 'https://x.example' }, project: { command: 'b' } } }, // biome-ignore format: one line
    'home/.config/Claude/claude_desktop_config.json': '{ "mcpServers": ',
    '.vscode/mcp.json': { servers: { editor: { type: 'stdio', command: 'c' } } },
    'home/.config/Code/User/settings.json': { mcp: { servers: { settings: { command: 'd' } } } },
    'any.json': { any: { command: 'e' } },
  })
  const claude = await run('import', 'claude', '--yes', '--no-connect')
  if (process.platform === 'linux') expect(claude.stderr).toContain('claude_desktop_config.json cannot be used: Not valid JSON at line 1') // biome-ignore format: one line
  expect(claude.stdout).toContain('Skipped: Claude Code, this folder has it too, and that one counts')
  await run('import', 'vscode', '--yes', '--no-connect')
  await run('import', 'any.json', '--yes', '--no-connect')
  expect(JSON.parse(read()).mcpServers).toMatchObject({
    project: { command: 'a' },
    user: { url: 'https://x.example' },
    editor: { command: 'c' },
    ...(process.platform === 'linux' && { settings: { command: 'd' } }),
    any: { command: 'e' },
  })
})

test.concurrent('what a file of others says cannot write to the terminal', async () => {
  const { run } = openFolder({
    'x.json': { mcpServers: { '\u001b[2Jx': { command: 'a\u001b]0;t\u0007\nb', oddKey: 1 } } },
  })
  const { stdout, stderr } = await run('import', 'x.json', '--yes', '--no-connect')
  expect(stdout + stderr).not.toMatch(/[\u001b\u0007]/)
})

describe.skipIf(!hasTmux)('at a terminal', () => {
  test('an import asks, and only a yes imports', async () => {
    const { folder, env, read } = openFolder(there)
    const screens = openScreens({ folder, env })
    try {
      const line = `"${process.execPath}" "${entries.toolpact}" mcp import cursor --no-connect`
      const no = screens.open('no', line)
      await no.until('Use them in every folder (e), or only in this one (f)? (Enter: e)')
      no.type('x', 'Enter')
      await no.until(/Type e or f[\s\S]*Enter: e/)
      no.type('f', 'Enter')
      await no.until('Import this server? Its command will be run. (y/N)')
      no.type('Enter')
      await no.until('done:3')
      expect(JSON.parse(read())).toEqual(there['toolpact.json'])
      const yes = screens.open('yes', line)
      await yes.until('only in this one (f)?')
      yes.type('f', 'Enter')
      await yes.until('(y/N)')
      yes.type('y', 'Enter')
      await yes.until('done:1')
      expect(Object.keys(JSON.parse(read()).mcpServers)).toEqual(['there', 'org-My-server'])
    } finally {
      screens.close()
    }
  })
})
