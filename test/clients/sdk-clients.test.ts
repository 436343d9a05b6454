import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { toolsets } from '../../src/toolsets/index.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { openClient, type Place, type ToolClient } from './open-client.ts'
import { everyToolset, startServe } from './start-serve.ts'
import { listToolExamples, prepareWorkspace, type ToolExample, toStableOutput } from './tool-examples.ts'

const examples = await listToolExamples()
const commands = openCommandFolder()
afterAll(() => commands.close())

const sdks = [
  { sdk: 'v1', revision: '2025-11-25' },
  { sdk: 'v2', revision: '2026-07-28' },
] as const

describe.each(sdks)('the client of the official SDK $sdk, which speaks $revision', ({ sdk, revision }) => {
  test('lists and calls every tool over HTTP', async () => {
    const { folder, env, workspace } = openFolder()
    const server = await startServe({
      entry: entries.toolpact,
      args: ['--workspace', workspace, '--yes', '--set', 'transcript-clean.rulesOnly=true', ...everyToolset],
      env,
      cwd: folder,
    })
    onTestFinished(async () => void (await server.stop()))
    const { stdout: token } = await commands.run(['token', 'create', 'local'], { env })
    const client = await connect(sdk, { url: server.url, token: token.trim() })
    expect(client.revision).toBe(revision)
    await expectEveryTool(client, {
      workspace,
      tools: examples,
      toName: ({ toolset, contract }) => `${toolset}_${contract.name.replace('.', '_')}`,
    })
  })

  test.each(Object.keys(toolsets))('lists and calls every tool of %s over stdio', async (toolset) => {
    const { folder, env, workspace } = openFolder()
    const args = [
      entries.toolpact,
      'serve',
      '--stdio',
      '--toolset',
      toolset,
      '--workspace',
      workspace,
      '--yes',
      '--set=transcript-clean.rulesOnly=true',
    ]
    const client = await connect(sdk, { args, env, cwd: folder })
    const tools = examples.filter((example) => example.toolset === toolset)
    await expectEveryTool(client, { workspace, tools, toName: ({ contract }) => contract.name.replace('.', '_') })
  })
})

interface Expected {
  readonly workspace: string
  readonly tools: readonly ToolExample[]
  readonly toName: (tool: ToolExample) => string
}

async function expectEveryTool(client: ToolClient, { workspace, tools, toName }: Expected) {
  const { tools: listed } = await client.listTools()
  expect(listed.map(({ name }) => name).toSorted()).toEqual(tools.map(toName).toSorted())
  for (const tool of tools) {
    const { example } = tool
    prepareWorkspace(workspace, example)
    const answer = await client.callTool(toName(tool), example.input)
    if (example.error !== undefined)
      expect(answer, toName(tool)).toMatchObject({
        isError: true,
        _meta: { 'toolpact/error': { code: example.error } },
      })
    else expect(answer.structuredContent, toName(tool)).toMatchObject(toStableOutput(example))
  }
}

async function connect(sdk: 'v1' | 'v2', place: Place): Promise<ToolClient> {
  const client = await openClient(sdk, place)
  onTestFinished(() => client.close())
  return client
}

/** Compiled code is kept in the folder that all share; a workspace and a state are each test's own. */
function openFolder() {
  const folder = mkdtempSync(join(commands.folder, 'test-'))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  return { folder, workspace, env: { ...commands.env, TOOLPACT_STATE_DIR: join(folder, 'state') } }
}
