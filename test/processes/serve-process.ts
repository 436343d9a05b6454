import { serveStdio } from '../../src/surfaces/mcp/stdio.ts'
import { mcpInfo, openMcpTools } from '../helpers/mcp-toolset.ts'

// Serves the test tools over stdio. The tests set how long a call waits for approval.
const waitMs = Number(process.argv[2] ?? 60_000)
const toolpact = await openMcpTools()
await serveStdio(toolpact, {
  info: mcpInfo,
  asking: { waitMs, onWaiting: (_, id) => process.stderr.write(`waiting ${id}\n`) },
  input: process.stdin,
  output: process.stdout,
})
await toolpact.close()
