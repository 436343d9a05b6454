import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient, type ToolClient } from '../clients/open-client.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { realCalls } from '../real-servers/calls.ts'
import { hasRealServers, installRealServers } from '../real-servers/installed.ts'
import { openRealFolder } from '../real-servers/real-folder.ts'
import { realServers } from '../real-servers/servers.ts'

const canRun = hasRealServers() || process.env.CI !== undefined

describe.skipIf(!canRun)('a pasted config of real servers (node scripts/install-real-servers.ts installs them)', () => {
  let folder: ReturnType<typeof openRealFolder>
  let gateway: ToolClient
  let names: string[]
  const direct = new Map<string, ToolClient>()
  const commands = openCommandFolder()

  beforeAll(async () => {
    installRealServers()
    folder = openRealFolder()
    const mcpServers = Object.fromEntries(realServers.map((server) => [server.name, folder.toEntry(server)]))
    writeFileSync(join(commands.folder, 'toolpact.json'), JSON.stringify({ mcpServers }, null, 2))
    // One answer for all servers: their results are taken as quoted data, and their calls run.
    await commands.run(['mcp', 'adopt', '--all', '--yes'])
    await commands.run(['trust', '--yes'])
    const place = { args: [entries.toolpact, 'serve', '--stdio', '--yes'], env: commands.env, cwd: commands.folder }
    gateway = await openClient('v1', place)
    names = (await gateway.listTools()).tools.map(({ name }) => name)
    for (const { server } of realCalls) if (!direct.has(server)) direct.set(server, await openDirect(server))
  }, 600_000)
  afterAll(async () => {
    await Promise.all([...direct.values(), gateway].map((client) => client?.close()))
    folder?.close()
    commands.close()
  })

  async function openDirect(name: string): Promise<ToolClient> {
    const { args, env, cwd } = folder.toEntry(realServers.find((server) => server.name === name)!)
    return openClient('v1', { args, env: { ...commands.env, ...env }, cwd })
  }

  test('has at least twelve servers, and all are ready after one answer', async () => {
    expect(realServers.length).toBeGreaterThanOrEqual(12)
    const { stdout } = await commands.run(['mcp', 'inspect', '--json'])
    const servers = JSON.parse(stdout) as { name: string; state: string; withheld: unknown[] }[]
    expect(servers.map(({ name, state }) => ({ name, state }))).toEqual(
      realServers.map(({ name }) => ({ name, state: 'ready' })),
    )
    expect(servers.flatMap(({ withheld }) => withheld)).toEqual([])
  })

  test('offers their tools under names that every client accepts', () => {
    for (const { name } of realServers) expect(names.some((tool) => tool.startsWith(`${name}_`))).toBe(true)
    expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,45}$/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  test('is tried with at least thirty calls', () => expect(realCalls.length).toBeGreaterThanOrEqual(30))

  test.each(realCalls)('answers $server, $tool as the server itself does', async ({ server, tool, input }) => {
    const [answer, itself] = await Promise.all([
      gateway.callTool(`${server}_${tool}`, folder.inFolder(input)),
      direct.get(server)!.callTool(tool, folder.inFolder(input)),
    ])
    // Links to resources name the server here.
    const through = JSON.parse(JSON.stringify(answer).replaceAll(`toolpact://${server}/`, '')) as typeof answer
    expect(through.isError ?? false).toBe(itself.isError ?? false)
    if (itself.isError) return expect(JSON.stringify(through.content)).toContain(firstText(itself.content))
    if (through.structuredContent === undefined) return expect(through.content).toEqual(itself.content)
    expect(withoutTimes(through.structuredContent)).toEqual(withoutTimes(itself.structuredContent))
    // Beside a declared output the text is our own; pictures, sounds and resources are the server's.
    return expect(withoutText(through.content)).toEqual(withoutText(itself.content))
  })
})

/** The first text of an answer, as it appears within JSON text. */
function firstText(content: unknown): string {
  const [{ text }] = content as [{ text: string }]
  return JSON.stringify(text.trim()).slice(1, -1)
}

/** Without our text, and without our marks on the others. */
function withoutText(content: unknown): unknown[] {
  const blocks = content as { type: string; _meta?: unknown }[]
  return blocks.filter(({ type }) => type !== 'text').map(({ _meta, ...block }) => block)
}

/** One server states when it answered. */
function withoutTimes(output: unknown): string {
  return JSON.stringify(output).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}
