import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { define } from '../helpers/open-changeling.ts'
import { makeOffering, type Offered } from '../helpers/open-offering.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openServeFolder = useServeFolders()
const closers: (() => unknown)[] = []
afterAll(() => closers.forEach((close) => void close()))

const offered: Offered = {
  tools: [define('echo'), define('say')],
  prompts: [{ name: 'greet' }],
  resources: [
    { uri: 'demo://a', name: 'a' },
    { uri: 'demo://b', name: 'b' },
  ],
}
/** Without a description it is withheld. */
const poor: Offered = { ...offered, tools: [define('echo'), { ...define('say'), description: '' }] }

function writeConfig(folder: string, offered: Offered) {
  const desk = makeOffering('desk', offered)
  const config = join(folder, 'servers.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { desk: desk.entry } }))
  return { desk, config }
}

test('serve counts what is offered now, not what was known from an earlier run', async () => {
  const { folder, start } = openServeFolder()
  const { desk, config } = writeConfig(folder, offered)
  const first = await start(['--config', config])
  expect(first).toMatchObject({ tools: 2, prompts: 1, resources: 2, withheld: 0 })
  first.kill('SIGTERM')
  await first.exited
  desk.offer(poor)
  expect(await start(['--config', config])).toMatchObject({ tools: 1, prompts: 1, resources: 2, withheld: 1 })
})

test('check and mcp inspect count prompts and resources apart from tools', async () => {
  const { folder, run } = openServeFolder()
  const { desk, config } = writeConfig(folder, offered)
  const check = async () => (await run(['check', '--config', config])).stdout
  expect(await check()).toContain('desk: 2 tools, 1 prompt and 2 resources')
  desk.offer({ ...poor, prompts: [{ name: 'greet' }, { name: 'gre\u200bet' }] })
  expect(await check()).toContain('desk: 1 tool and 1 prompt withheld, 1 tool, 1 prompt and 2 resources admitted.')
  desk.offer(poor)
  expect(await check()).toContain('desk: 1 of 2 tools withheld.')
  const inspected = await run(['mcp', 'inspect', 'desk', '--config', config])
  expect(inspected.stdout).toMatch(/desk +ready +\S+ +1 +1 /)
  expect(inspected.stdout).toContain('It offers 1 prompt.')
})

test.skipIf(!hasTmux)('toolpact alone counts what serve offers', async () => {
  const { folder, env, run } = openServeFolder()
  const screens = openScreens({ folder, env })
  closers.push(screens.close)
  const alone = `"${process.execPath}" "${entries.toolpact}"`
  await screens.open('default', alone).until('10 tools to serve; every tool')
  const { config } = writeConfig(folder, offered)
  await screens.open('unknown', `${alone} --config ${config}`).until('those of desk to serve')
  await run(['mcp', 'inspect', '--config', config])
  await screens.open('known', `${alone} --config ${config}`).until('2 tools and 1 prompt to serve')
})
