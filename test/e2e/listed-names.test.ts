import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openClient, type Place } from '../clients/open-client.ts'
import { startServe } from '../clients/start-serve.ts'
import { define, makeChangeling } from '../helpers/open-changeling.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, env, run, close } = openCommandFolder()
afterAll(close)

const long = 'summarize_every_conversation_of_the_last_business_week'
/** By server: names that are long, dotted, alike at their beginning, or begin like another server's. */
const tools = {
  'team-chat': [`${long}_1`, `${long}_2`, 'search.messages.v2', 'list-channels'],
  git: ['hub_pull', 'log'],
  git_hub: ['push'],
  'a-server-whose-own-name-is-longer-than-any-listed-name': ['echo'],
}
const ids = Object.entries(tools).flatMap(([server, names]) => names.map((name) => `${server}.${name}`))
const mcpServers = Object.fromEntries(
  Object.entries(tools).map(([server, names]) => [
    server,
    makeChangeling(
      names.map((name) => define(name)),
      {},
      folder,
    ).entry,
  ]),
)

function writeConfig(name: string, more: object = {}): string[] {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ toolsets: ['workspace', ...Object.keys(mcpServers)], mcpServers, ...more }))
  return ['--config', path, '--yes']
}

async function connect(sdk: 'v1' | 'v2', transport: 'stdio' | 'http', args: readonly string[]) {
  const client = await openClient(sdk, await start(transport, args))
  onTestFinished(() => client.close())
  return client
}

async function start(transport: 'stdio' | 'http', args: readonly string[]): Promise<Place> {
  if (transport === 'stdio') return { args: [entries.toolpact, 'serve', '--stdio', ...args], env, cwd: folder }
  const server = await startServe({ entry: entries.toolpact, args, env, cwd: folder })
  onTestFinished(async () => void (await server.stop()))
  return { url: server.url, token: (await run(['token', 'create', 'local'])).stdout.trim() }
}

test('every tool of every server is listed under a name that all clients accept, the same over stdio and HTTP', async () => {
  const args = writeConfig('plain.json')
  const listed: string[][] = []
  for (const [sdk, transport] of [
    ['v1', 'stdio'],
    ['v2', 'http'],
  ] as const) {
    const client = await connect(sdk, transport, args)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,45}$/)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining(['workspace_create_file', 'git_log', 'git_hub_push', 'team-chat_search_messages_v2']),
    )
    const own = names.filter((name) => /^(team-chat|git|a-server)/.test(name))
    expect(own).toHaveLength(ids.length)
    for (const name of [...own, ...ids, 'search.messages.v2'])
      expect(await client.callTool(name, { text: name }), name).toMatchObject({
        structuredContent: { said: expect.stringContaining(name) },
      })
    listed.push(names)
  }
  expect(listed[1]).toEqual(listed[0])
  const { stdout } = await run(['ledger', '--json', '--tool', `team-chat.${long}_1`])
  expect(stdout.trimEnd().split('\n')).toHaveLength(4)
})

test('an error names tools as the client called them', async () => {
  const client = await connect(
    'v1',
    'stdio',
    writeConfig('errors.json', { toolsets: ['workspace', 'learning'], mcpServers: {} }),
  )
  const errorOf = async (name: string, input: Record<string, unknown>) =>
    JSON.stringify((await client.callTool(name, input))._meta?.['toolpact/error'])
  expect(await errorOf('workspace_read_file', { path: 'list_dir' })).toMatch(
    /File 'list_dir' not found.*use workspace_file_search to/,
  )
  expect(await errorOf('workspace.read_file', { path: 'a' })).toContain('use workspace.file_search to')
  expect(await errorOf('read_file', { path: 'a' })).toContain('use file_search to')
  expect(await errorOf('workspace_read_file', {})).toContain("the contract of 'workspace_read_file'")
  writeFileSync(join(folder, 'replace_string_in_file'), '')
  expect(await errorOf('workspace_create_file', { path: 'replace_string_in_file', content: '' })).toContain(
    "File 'replace_string_in_file' already exists. Use workspace_replace_string_in_file to modify",
  )
})

test('"names": "dotted" lists ids', async () => {
  const client = await connect('v2', 'stdio', writeConfig('dotted.json', { names: 'dotted' }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...ids, 'workspace.create_file']))
  expect(await client.callTool('git_log', { text: 'a' })).toMatchObject({
    structuredContent: { said: expect.any(String) },
  })
})
