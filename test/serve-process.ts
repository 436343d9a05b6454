import { serveStdio } from '../src/surfaces/mcp/stdio.ts'
import { mcpInfo, openMcpTools } from './mcp-toolset.ts'

// Serves the test tools over stdio: run as a process of its own by tests.
const toolpact = await openMcpTools()
await serveStdio(toolpact, {
  info: mcpInfo,
  asking: { waitMs: 60_000, onWaiting: (_, id) => process.stderr.write(`waiting ${id}\n`) },
  input: process.stdin,
  output: process.stdout,
})
await toolpact.close()
