import { serveStdio } from '../../surfaces/mcp/stdio.ts'
import { graceMs, type Serving } from './serving.ts'

/** Time to answer what the client has sent already. */
const startAfterMs = 20

/** Serves the client that started this process, until it closes stdin. Everything else goes to stderr. */
export async function serveOnStdio({ request, toolpact, asking, info, catalogue }: Serving): Promise<void> {
  const { terminal, options } = request
  if (process.stdin.isTTY)
    terminal.log('This speaks MCP on stdin and stdout, for a client that starts it. Without --stdio it serves HTTP.')
  const { stdin: input, stdout: output } = process
  // Serving begins before any server is started: some clients wait only a second for the first answer.
  const served = serveStdio(toolpact, { input, output, info, asking, catalogue, graceMs, signal: terminal.signal })
  setTimeout(toolpact.upstreams.begin, startAfterMs).unref()
  if (options.debug) terminal.log(`Serving ${(await toolpact.catalog.all()).length} tools on stdio.`)
  await served
}
