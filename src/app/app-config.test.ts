import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defineEcho, makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { defineToolset } from '../contract/define-toolset.ts'
import { digest } from '../contract/digest.ts'
import { openToolpact, type ToolpactOptions } from './app.ts'

async function open(options: ToolpactOptions = {}) {
  const toolpact = await openToolpact({ storage: 'memory', ...options })
  onTestFinished(() => toolpact.close())
  return toolpact
}

const learningTools = ['hello', 'read_repo_file', 'write_memory_entry']
const mine = defineToolset('mine', [defineEcho({ name: 'one' }), defineEcho({ name: 'two' })])

async function namesFor(options: ToolpactOptions, caller?: string): Promise<string[]> {
  const { catalog } = await open(options)
  return (await catalog.all(caller === undefined ? undefined : { name: caller })).map(({ name }) => name)
}

test('the config chooses toolsets, in its order, unless they are chosen beside it', async () => {
  expect(await namesFor({ config: { toolsets: ['practitioner', 'learning'] } })).toEqual(
    ['practitioner', 'learning'].flatMap((toolset) => learningTools.map((name) => `${toolset}_${name}`)),
  )
  expect(await namesFor({ config: { toolsets: ['learning'] } })).toEqual(learningTools)
  expect(await namesFor({ config: { toolsets: ['learning'] }, toolsets: ['practitioner', mine] })).toContain('mine_one')
})

test('with offer: chosen, what is configured is offered, else workspace', async () => {
  const offeredFor = async (options: ToolpactOptions) => (await open({ offer: 'chosen', ...options })).catalog.toolsets
  const mcpServers = { files: { command: process.execPath } }
  const workspace = makeFolder()
  mkdirSync(join(workspace, 'notes'))
  const table: [ToolpactOptions, string[]][] = [
    [{}, ['workspace']],
    [{ config: { workspace } }, ['workspace']],
    [{ config: { mcpServers: {} } }, ['workspace']],
    [{ config: { mcpServers } }, ['files']],
    [{ config: { mcpServers: { files: { ...mcpServers.files, disabled: true } } } }, []],
    [{ config: { mcpServers, toolsets: ['learning'] } }, ['learning']],
    [{ config: { mcpServers, mlxctl: {} } }, ['mlxctl', 'files']],
    [{ contracts: [join(workspace, 'notes')] }, ['notes']],
    [{ settings: { 'transcript-clean': { rulesOnly: true } } }, ['transcript-clean']],
    [{ toolsets: ['learning'], config: { mcpServers } }, ['learning']],
  ]
  for (const [options, toolsets] of table) expect(await offeredFor(options), JSON.stringify(options)).toEqual(toolsets)
})

test('with offer: chosen, a config that is not trusted adds no toolset and says so', async () => {
  const workspace = makeFolder()
  writeFileSync(join(workspace, 'toolpact.json'), '{"toolsets":["learning","workspace"]}')
  const untrusted = { workspace, discover: true, stateDirectory: makeFolder() }
  const chosen = await open({ ...untrusted, offer: 'chosen' })
  expect(chosen.catalog.toolsets).toEqual(['workspace'])
  expect(chosen.notices).toEqual([
    expect.stringMatching(/not trusted, so these .* not offered: learning\. Review it with/),
  ])
  const all = await open(untrusted)
  expect([all.catalog.toolsets, all.notices]).toEqual([['learning', 'workspace'], []])
})

test('tools that a caller may not use are unknown to it, listed and called, by any name', async () => {
  const config = { callers: { ci: { tools: ['mine.o*'] }, '*': { tools: [] } } }
  const toolpact = await open({ toolsets: [mine, 'learning'], config })
  expect(await namesFor({ toolsets: [mine, 'learning'], config }, 'ci')).toEqual(['mine_one'])
  expect(await namesFor({ toolsets: [mine, 'learning'], config }, 'other')).toEqual([])
  expect(await namesFor({ toolsets: [mine, 'learning'], config })).toHaveLength(5)
  const codeOf = async (tool: string, name: string) => {
    const result = await toolpact.call(tool, { text: 'a' }, { caller: { name } })
    return result.success ? 'success' : result.error.code
  }
  expect(await codeOf('mine.one', 'ci')).toBe('success')
  expect(await codeOf('mine_one', 'ci')).toBe('success')
  expect(await codeOf('one', 'ci')).toBe('success')
  for (const tool of ['mine.two', 'mine_two', 'two', 'learning.hello', 'hello'])
    expect(await codeOf(tool, 'ci')).toBe('tool_not_found')
  expect(await codeOf('mine.one', 'other')).toBe('tool_not_found')
  const hidden = await toolpact.call('mine.twoo', {}, { caller: { name: 'ci' } })
  expect(JSON.stringify(hidden)).not.toContain('mine.two?')
})

test('limits of the config hold, for each caller, and change the digest', async () => {
  const config = { limits: { 'mine.*': { calls: { count: 1, windowMs: 60_000 } }, 'mine.one': { inputBytes: 20 } } }
  const { call, catalog } = await open({ toolsets: [mine], config })
  const said = async (tool: string, text: string, name: string) => {
    const result = await call(tool, { text }, { caller: { name } })
    return result.success ? 'success' : result.error.code
  }
  expect(await said('mine.one', 'x'.repeat(20), 'a')).toBe('input_too_large')
  expect(await said('mine.one', 'x', 'a')).toBe('success')
  expect(await said('mine.one', 'x', 'a')).toBe('rate_limited')
  expect(await said('mine.one', 'x', 'b')).toBe('success')
  expect(await said('mine.two', 'x'.repeat(20), 'a')).toBe('success')
  const found = await catalog.find('mine.one')
  expect(found.kind === 'found' && digest(found.tool.contract)).not.toBe(digest(mine.tools[0]!.contract))
})

test('tools work in the workspace of the config, relative to its file, unless another is named', async () => {
  const folder = realpathSync(makeFolder())
  mkdirSync(join(folder, 'project'))
  writeFileSync(join(folder, 'project', 'a.txt'), 'inside')
  const config = join(folder, 'my.json')
  writeFileSync(config, '{ "workspace": "project" }')
  const toolpact = await open({ config })
  expect(toolpact.workspace).toBe(join(folder, 'project'))
  expect(await toolpact.call('workspace.read_file', { path: 'a.txt' })).toMatchObject({ success: true })
  expect((await open({ config, workspace: folder })).workspace).toBe(folder)
  writeFileSync(config, '{ "workspace": "gone" }')
  await expect(open({ config })).rejects.toThrow('gone is not a folder. Create it, or name another.')
})

test.each<[ToolpactOptions['config'], string]>([
  [{ toolsets: ['lerning'] }, "/toolsets/0: There is no toolset 'lerning'. Did you mean learning?"],
  [{ approvers: [{ tools: ['learning.helo'] }] }, "/approvers/0/tools/0: There is no tool 'learning.helo'"],
  [
    { approvers: [{ who: ['group:ops'] }] },
    '/approvers/0/who: There is no group \'ops\'. Add it to "groups", or let the tokens of http.auth or http.signIn name it.',
  ],
  [{ limits: { 'lerning.*': { timeoutMs: 1 } } }, "/limits/lerning.*: There is no toolset 'lerning'."],
  [{ limits: { 'learning.helo': { timeoutMs: 1 } } }, 'Did you mean learning.hello?'],
  [
    { callers: { ci: { tools: ['learning.*', 'learning.helo'] } } },
    "/callers/ci/tools/1: There is no tool 'learning.helo'",
  ],
  [{ callers: { ci: { tools: ['hello'] } } }, 'Write it as toolset.tool.'],
  [{ mcpServers: { learning: { command: 'x' } } }, "/mcpServers/learning: There is a toolset 'learning' already."],
])('unknown names in %j are reported before anything is opened', async (config, words) => {
  await expect(openToolpact({ storage: 'memory', config })).rejects.toThrow(words)
})

test('a config may contain names of servers and toolsets that are not served', async () => {
  const config = {
    toolsets: ['learning'],
    limits: { 'files.read': { timeoutMs: 1 }, 'workspace.read_file': { timeoutMs: 1 } },
    callers: { ci: { tools: ['files.read', 'other*'] } },
    mcpServers: { files: { command: 'never-run' } },
  }
  expect(await namesFor({ config })).toEqual(learningTools)
})
