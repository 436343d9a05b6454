import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram, installRealServers } from '../real-servers/installed.ts'
import { type Agent, agents } from './agents.ts'
import { installAgent, isInstalled } from './installed.ts'
import { type AgentFolder, type AgentRun, openAgentFolder } from './run-agent.ts'

const isCi = process.env.CI !== undefined

describe.each(agents)('$name $version (node scripts/install-agents.ts installs it)', (agent: Agent) => {
  describe.skipIf(!isInstalled(agent) && !isCi).each(['stdio', 'http'] as const)('over %s', (transport) => {
    let folder: AgentFolder
    let run: AgentRun
    const path = `made-by-${agent.name}.txt`

    beforeAll(async () => {
      installAgent(agent)
      installRealServers()
      folder = await openAgentFolder(toConfig())
      const ended = new AbortController()
      const approving = approveWhenAsked(folder, path, ended.signal)
      run = await folder.run(agent, transport, [
        { call: 'learning_hello', input: { name: 'Ada' } },
        { call: 'workspace_create_file', input: { path, content: 'approved\n' } },
        { call: 'workspace_read_file', input: { path: 'missing.txt' } },
        { call: 'everything_get-tiny-image', input: {} },
        { call: 'slow_echo', input: { message: 'worth the wait' } },
        { call: 'workspace_create_file', input: { path: 'never.txt', content: 'not approved\n' } },
        { say: 'Done.' },
      ])
      ended.abort()
      await approving
    }, 300_000)
    afterAll(() => folder?.close())

    test('offers the tools to its model under names that every provider accepts', () => {
      const ours = run.offered.filter((name) => /learning|workspace|everything/.test(name))
      // Some clients hide them behind a search tool of their own.
      if (!agent.toTurn) expect(ours.length).toBeGreaterThan(20)
      expect(ours.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
    })

    test('brings a read to its answer', () => {
      expect(run.results[0], run.printed).toContain('Hello, Ada!')
    })

    test('brings a write to its answer once it is approved at another terminal', () => {
      expect(run.results[1]).toContain(path)
      expect(readFileSync(join(folder.project, path), 'utf8')).toBe('approved\n')
    })

    test('shows its model why a call failed', () => {
      expect(run.results[2]).toContain('file_not_found')
      expect(run.results[2]).toContain('missing.txt')
    })

    test("brings a server's picture to its model", () => {
      if (agent.showsPictures) expect(run.conversation).toMatch(/"(input_image|image|image_url|inlineData)"/)
      expect(run.results[3]).not.toContain('structuredContent')
    })

    test('waits for a server that starts slowly', () => {
      expect(run.results[4]).toContain('worth the wait')
    })

    test('tells its model how to approve an unanswered call, and does not run it again', () => {
      expect(run.results[5]).toContain('approval_required')
      expect(run.results[5]).toContain('toolpact approvals approve')
      expect(existsSync(join(folder.project, 'never.txt'))).toBe(false)
    })
  })
})

/** A config with an ordinary server and one that takes its time. */
function toConfig() {
  const everything = findProgram('@modelcontextprotocol/server-everything')
  const server = { command: process.execPath, args: [everything], approval: 'never' }
  return {
    toolsets: ['learning', 'workspace', 'everything', 'slow'],
    withoutOutputSchema: 'opaque',
    approval: { waitMs: 4000 },
    mcpServers: {
      everything: server,
      slow: { ...server, command: '/bin/sh', args: ['-c', `sleep 5; exec "${process.execPath}" "${everything}"`], tools: ['echo'] }, // biome-ignore format: one line
    },
  }
}

/** Approves the one call that writes this path, as a person at another terminal does. */
async function approveWhenAsked({ toolpact }: AgentFolder, path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { id } of JSON.parse(await toolpact('approvals', '--json')) as { id: string }[]) {
      const { input } = JSON.parse(await toolpact('approvals', 'show', id, '--json')) as { input: { path?: string } }
      if (input.path === path) return void (await toolpact('approvals', 'approve', id))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
