import { existsSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries } from '../helpers/run-command.ts'

const folders: ReturnType<typeof openMcpFolder>[] = []
afterAll(() => {
  for (const folder of folders) folder.close()
})

const mcpServers = {
  plain: { command: 'x', env: { MODE: 'production', GIT_AUTHOR_NAME: 'Ada' } },
  hooked: { command: 'node', args: ['server.js'], env: { NODE_OPTIONS: '--require ./evil.cjs\u001b[2J', LD_PRELOAD: './evil.so' } }, // biome-ignore format: one line
}

function openFolder() {
  const opened = openMcpFolder({ 'toolpact.json': '{}', 'mine.json': { mcpServers } })
  folders.push(opened)
  const names = () => Object.keys(JSON.parse(opened.read()).mcpServers ?? {})
  return { ...opened, names }
}

test.concurrent('variables that make a program run other code are shown, and --yes does not import them unless the server is named', async () => {
  const { run, names } = openFolder()
  const all = await run('import', 'mine.json', '--yes', '--no-connect')
  expect(all.code).toBe(3)
  expect(all.stdout).toContain('! NODE_OPTIONS=--require ./evil.cjs')
  expect(all.stdout).toContain('! LD_PRELOAD=./evil.so loads other libraries into every program')
  expect(all.stdout).not.toContain('\u001b[2J')
  expect(all.stdout).not.toMatch(/! (?:MODE|GIT_AUTHOR_NAME)/)
  expect(all.stderr).toContain('Not imported: hooked.')
  expect(names()).toEqual(['plain'])
  const { stdout } = await run('import', 'mine.json', 'hooked', '--yes', '--no-connect', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ imported: ['hooked'], servers: expect.arrayContaining([expect.objectContaining({ given: 'hooked', codeVariables: ['NODE_OPTIONS', 'LD_PRELOAD'] })]) }) // biome-ignore format: one line
  expect(names()).toEqual(['plain', 'hooked'])
})

test.concurrent.each([
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'PYTHONSTARTUP',
  'PYTHONPATH',
  'BASH_ENV',
  'PERL5OPT',
  'RUBYOPT',
  'GIT_SSH_COMMAND',
  'npm_config_registry',
  'NPM_CONFIG_SCRIPT_SHELL',
])('mcp add asks about %s, and without a terminal needs --yes', async (name) => {
  const { run, names, file } = openFolder()
  const args = ['add', 'x', '--env', `${name}=./evil`, '--no-connect']
  const refused = await run(...args, '--', 'node', 'server.js')
  expect(refused).toMatchObject({ code: 3, stdout: expect.stringContaining(`! ${name}=./evil`), stderr: expect.stringContaining('Add --yes to add it anyway.') }) // biome-ignore format: one line
  expect(existsSync(file) ? names() : []).toEqual([])
  expect(await run(...args, '--yes', '--', 'node', 'server.js')).toMatchObject({ code: 0 })
  expect(names()).toEqual(['x'])
})

describe.skipIf(!hasTmux)('at a terminal', () => {
  test('a yes to all servers is not a yes to such variables: each of those servers is asked about', async () => {
    const { folder, env, names } = openFolder()
    const screens = openScreens({ folder, env })
    try {
      const screen = screens.open('code', `"${process.execPath}" "${entries.toolpact}" mcp import mine.json --no-connect --scope project`) // biome-ignore format: one line
      await screen.until('Import these 2 servers?')
      screen.type('y', 'Enter')
      await screen.until(/hooked sets NODE_OPTIONS, LD_PRELOAD/)
      screen.type('n', 'Enter')
      await screen.until('done:3')
      expect(names()).toEqual(['plain'])
    } finally {
      screens.close()
    }
  })
})
