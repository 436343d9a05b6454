import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { define, withoutOutput } from '../helpers/open-changeling.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openServeFolder = useServeFolders()
const closers: (() => unknown)[] = []
afterAll(() => closers.forEach((close) => void close()))

/** A server of which one tool declares its output and the other does not, and one that cannot be started. */
function writeConfig(folder: string): string {
  writeFileSync(join(folder, 'tools.json'), JSON.stringify([define('echo'), withoutOutput('mumble')]))
  const odd = { command: process.execPath, args: [entries.changeling, join(folder, 'tools.json')] }
  const config = join(folder, 'servers.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { odd, gone: { command: 'no-such-program' } } }))
  return config
}

test('without a terminal serve prints in a line what is withheld and what failed, and serves the rest', async () => {
  const { folder, start } = openServeFolder()
  const server = await start(['--config', writeConfig(folder), '--toolset', 'odd', '--toolset', 'gone'])
  await server.untilTold('toolpact mcp adopt odd')
  await server.untilTold('gone is not available')
  const listed = await server.send('/v1/tools')
  expect(listed.json.tools.map(({ name }: { name: string }) => name)).toEqual(['odd_echo'])
})

test.skipIf(!hasTmux)('at a terminal the first serve asks one question about several servers', async () => {
  const { folder, env } = openServeFolder()
  const screens = openScreens({ folder, env })
  closers.push(screens.close)
  writeFileSync(join(folder, 'tools.json'), JSON.stringify([define('echo'), withoutOutput('mumble')]))
  const entry = { command: process.execPath, args: [entries.changeling, join(folder, 'tools.json')] }
  const config = join(folder, 'servers.json')
  writeFileSync(config, JSON.stringify({ mcpServers: { first: entry, second: { ...entry, approval: 'ask' } } }))
  const chosen = '--toolset first --toolset second'
  const serve = `"${process.execPath}" "${entries.toolpact}" serve --port 0 --config servers.json ${chosen}`
  const screen = screens.open('several', serve)
  await screen.until('4 tools of 2 servers')
  await screen.until('How may they be used? (r/a/n/l/e/v,')
  screen.type('n', 'Enter')
  await screen.until('Toolpact serves 4 tools')
  screen.type('C-c')
  await screen.until('done:130')
  const { withoutOutputSchema, mcpServers } = JSON.parse(readFileSync(config, 'utf8'))
  expect({ withoutOutputSchema, mcpServers }).toMatchObject({
    withoutOutputSchema: 'opaque',
    mcpServers: { first: { approval: 'never' }, second: { approval: 'ask' } },
  })
  expect(mcpServers.first).not.toHaveProperty('withoutOutputSchema')
})

test.skipIf(!hasTmux)(
  'at a terminal the first serve of more than 100 tools offers search, and records the answer',
  async () => {
    const { folder, env } = openServeFolder()
    const screens = openScreens({ folder, env })
    closers.push(screens.close)
    const tools = Array.from({ length: 101 }, (_, index) => define(`job_${index}`))
    writeFileSync(join(folder, 'tools.json'), JSON.stringify(tools))
    const many = {
      command: process.execPath,
      args: [entries.changeling, join(folder, 'tools.json')],
      approval: 'never',
    }
    const config = join(folder, 'servers.json')
    writeFileSync(config, JSON.stringify({ withoutOutputSchema: 'refuse', mcpServers: { many } }))
    const serve = `"${process.execPath}" "${entries.toolpact}" serve --port 0 --config servers.json --toolset many`
    const screen = screens.open('many', serve)
    await screen.until('101 tools, about')
    await screen.until('(s/A)')
    screen.type('s', 'Enter')
    await screen.until('Toolpact serves 101 tools')
    screen.type('C-c')
    await screen.until('done:130')
    expect(JSON.parse(readFileSync(config, 'utf8')).catalogue).toBe('search')
  },
)

test.skipIf(!hasTmux)('at a terminal the first serve asks once, records the answer and serves by it', async () => {
  const { folder, env } = openServeFolder()
  const screens = openScreens({ folder, env })
  closers.push(screens.close)
  const config = writeConfig(folder)
  const serve = `"${process.execPath}" "${entries.toolpact}" serve --port 0 --config servers.json --toolset odd`
  const screen = screens.open('first', serve)
  await screen.until('How may they be used? (r/a/n/l/v,')
  screen.type('r', 'Enter')
  await screen.until('Toolpact serves 2 tools')
  screen.type('C-c')
  await screen.until('done:130')
  const { odd } = JSON.parse(readFileSync(config, 'utf8')).mcpServers
  expect(odd).toMatchObject({ withoutOutputSchema: 'opaque', approval: 'reads' })
  const again = screens.open('again', serve)
  await again.until('Toolpact serves 2 tools')
  expect(again.lines().join('')).not.toContain('How may they be used?')
  again.type('C-c')
  await again.until('done:130')
})
