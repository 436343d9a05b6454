import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyToolset, type Serving, startServe } from '../clients/start-serve.ts'
import { listToolExamples, prepareWorkspace, toStableOutput } from '../clients/tool-examples.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const inspector = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
)
const examples = await listToolExamples()
const commands = openCommandFolder()
const workspace = join(commands.folder, 'workspace')
mkdirSync(workspace)

let server: Serving
let http: string[]
beforeAll(async () => {
  const args = ['--workspace', workspace, '--yes', ...everyToolset]
  server = await startServe({ entry: entries.toolpact, args, env: commands.env, cwd: commands.folder })
  const { stdout: token } = await commands.run(['token', 'create', 'local'])
  http = [server.url, '--transport', 'http', '--header', `Authorization: Bearer ${token.trim()}`]
})
afterAll(async () => {
  await server?.stop()
  commands.close()
})

// Each start of it is costly: the clients in sdk-clients.test.ts list and call every tool of every toolset.
const toolset = 'workspace'

test('the inspector finds no fault with the list of tools, in the words of either era', async () => {
  for (const era of ['legacy', 'modern']) {
    const { tools } = await inspect([...http, '--protocol-era', era, '--method', 'tools/list', '--strict'])
    const names = examples.map(({ toolset, contract }) => `${toolset}_${contract.name.replace('.', '_')}`)
    expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(names.toSorted())
  }
})

test('the inspector calls a tool over HTTP', async () => {
  const { contract, example } = examples.find((found) => found.toolset === toolset && found.example.output)!
  prepareWorkspace(workspace, example)
  const call = ['--method', 'tools/call', '--tool-name', `${toolset}_${contract.name}`]
  const answer = await inspect([...http, ...call, '--tool-args-json', JSON.stringify(example.input)])
  expect(answer.structuredContent).toMatchObject(toStableOutput(example))
})

test('the inspector shows what a tool refused, and why', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'workspace_read_file', '--tool-arg', 'path=../secret']
  for (const era of ['legacy', 'modern']) {
    const answer = await inspect([...http, '--protocol-era', era, ...call])
    expect(answer).toMatchObject({ isError: true, _meta: { 'toolpact/error': { code: 'path_outside_working_dir' } } })
  }
})

test('the inspector lists a toolset over stdio, under bare names', async () => {
  const command = [
    process.execPath,
    entries.toolpact,
    'serve',
    '--stdio',
    '--toolset',
    toolset,
    '--workspace',
    workspace,
  ]
  const { tools } = await inspect([...command, '--method', 'tools/list'])
  const expected = examples.filter((example) => example.toolset === toolset).map(({ contract }) => contract.name)
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(expected.toSorted())
})

async function inspect(args: readonly string[]) {
  // Its settings are kept in the home directory.
  const env = { ...commands.env, HOME: commands.folder }
  const ended = await promisify(execFile)(process.execPath, [inspector, '--cli', ...args], {
    env,
    timeout: 150_000,
  }).catch(
    // A tool that answers with an error gives an exit code of its own.
    (failed: { stdout: string; stderr: string }) => failed,
  )
  try {
    return JSON.parse(ended.stdout)
  } catch (cause) {
    throw new Error(`The inspector said: ${ended.stdout}${ended.stderr}`, { cause })
  }
}
