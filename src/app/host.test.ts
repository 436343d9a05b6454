import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeChangeling } from '../../test/helpers/open-changeling.ts'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { openToolpact, type ToolpactOptions } from './app.ts'

/** As a config has it: how it is started, and that its calls do not ask. */
function makeServer() {
  const { entry, pids } = makeChangeling()
  return { entry: { command: entry.command, args: entry.args, approval: 'never' as const }, pids }
}

async function open(config: ToolpactOptions['config'], more: ToolpactOptions = {}) {
  const toolpact = await openToolpact({ storage: 'memory', stateDirectory: makeFolder(), config, ...more })
  onTestFinished(() => toolpact.close())
  return toolpact
}

test('tools of a server are called like any other, and their calls are in the ledger', async () => {
  const { entry } = makeServer()
  const toolpact = await open({ mcpServers: { odd: entry } })
  expect((await toolpact.catalog.all()).map(({ id }) => id)).toContain('odd.echo')
  expect(await toolpact.call('odd.echo', { text: 'hi' })).toMatchObject({ success: true, output: { said: 'hi' } })
  expect(await toolpact.call('odd.echo', { text: 1 })).toMatchObject({ error: { code: 'invalid_input' } })
  expect((await toolpact.ledger.read({ tool: 'odd.echo' })).map(({ record }) => record.kind)).toEqual([
    'intent',
    'outcome',
    'refusal',
  ])
})

test('a server that is disabled, or not among the toolsets that were chosen, is not started', async () => {
  const off = makeServer()
  const other = makeServer()
  const mcpServers = { off: { ...off.entry, disabled: true }, other: other.entry }
  const toolpact = await open({ mcpServers }, { toolsets: ['learning'], start: 'eager' })
  expect((await toolpact.catalog.all()).every(({ toolset }) => toolset === 'learning')).toBe(true)
  expect(await toolpact.upstreams.statuses()).toEqual([])
  expect([...off.pids(), ...other.pids()]).toEqual([])
})

test('an unknown toolset or server is reported, with the known names', async () => {
  const { entry } = makeServer()
  await expect(open({ mcpServers: { odd: entry } }, { toolsets: ['oddd'] })).rejects.toThrow(
    /There is no toolset 'oddd'. Use one of .*learning.*, odd\./,
  )
})

test('limits of the config hold for the tools of a server too', async () => {
  const { entry } = makeServer()
  const toolpact = await open({
    mcpServers: { odd: entry },
    limits: { 'odd.*': { calls: { count: 1, windowMs: 60_000 } } },
  })
  expect(await toolpact.call('odd.echo', { text: 'hi' })).toMatchObject({ success: true })
  expect(await toolpact.call('odd.echo', { text: 'hi' })).toMatchObject({ error: { code: 'rate_limited' } })
})

test('tools that another process accepts into the lock become callable', async () => {
  const { entry } = makeServer()
  const config = join(makeFolder(), 'toolpact.json')
  writeFileSync(config, JSON.stringify({ lock: 'required', mcpServers: { odd: entry } }))
  const serving = await open(config, { start: 'eager' })
  expect(await serving.call('odd.echo', {})).toMatchObject({ error: { code: 'tool_withheld' } })
  const other = await open(config)
  await other.lock.add('Ada')
  await expect
    .poll(async () => (await serving.call('odd.echo', { text: 'hi' })).success, { timeout: 60_000, interval: 100 })
    .toBe(true)
})
