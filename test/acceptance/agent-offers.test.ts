import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram, installRealServers } from '../real-servers/installed.ts'
import { type Agent, agents } from './agents.ts'
import { installAgent, isInstalled } from './installed.ts'
import { type AgentFolder, type AgentRun, openAgentFolder } from './run-agent.ts'

const isCi = process.env.CI !== undefined
const uri = 'toolpact://everything/demo://resource/static/document/features.md'
/** The opening of that document, and the text of the prompt. */
const [inDocument, inPrompt] = ['Everything Server - Features', 'This is a simple prompt without arguments']

const able = agents.filter(({ toPromptArguments, reading }) => toPromptArguments || reading)

// In these versions codex runs no prompts of MCP servers, and copilot neither runs prompts nor reads resources, without a terminal.
test('most agents can use prompts or resources', () => {
  expect(able.map(({ name }) => name)).toEqual(['codex', 'gemini', 'opencode', 'qwen', 'claude-code'])
})

describe.each(able)('$name $version (node scripts/install-agents.ts installs it)', (agent: Agent) => {
  describe.skipIf(!isInstalled(agent) && !isCi).each(['stdio', 'http'] as const)('over %s', (transport) => {
    let folder: AgentFolder
    beforeAll(async () => {
      installAgent(agent)
      installRealServers()
      const everything = { command: process.execPath, args: [findProgram('@modelcontextprotocol/server-everything')] }
      const mcpServers = { everything: { ...everything, approval: 'never' } }
      folder = await openAgentFolder({ toolsets: ['everything'], withoutOutputSchema: 'opaque', mcpServers })
    })
    afterAll(() => folder?.close())

    const { toPromptArguments, reading } = agent

    if (toPromptArguments)
      test('runs a prompt of a server', async () => {
        const toArguments = (_prompt: string, home: string) => toPromptArguments('simple-prompt', home)
        const run = await folder.run({ ...agent, toArguments }, transport, [{ say: 'Done.' }])
        expect(run.conversation, run.printed).toContain(inPrompt)
      })

    if (reading)
      test('reads a resource of a server', async () => {
        const run = await read(folder, { ...agent, reading }, transport)
        expect(run.conversation, run.printed).toContain(inDocument)
      })
  })
})

async function read(
  folder: AgentFolder,
  agent: Agent & Required<Pick<Agent, 'reading'>>,
  transport: 'stdio' | 'http',
): Promise<AgentRun> {
  const { reading } = agent
  if ('step' in reading) return folder.run(agent, transport, [reading.step(uri), { say: 'Done.' }])
  const toArguments = (_prompt: string, home: string) => agent.toArguments(reading.mention(uri), home)
  return folder.run({ ...agent, toArguments }, transport, [{ say: 'Done.' }])
}
