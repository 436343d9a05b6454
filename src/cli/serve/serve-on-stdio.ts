import { serveStdio } from '../../surfaces/mcp/stdio.ts'
import { graceMs, type Serving } from './serving.ts'

/** Serves the client that started this process, until it closes stdin. Everything else goes to stderr. */
export async function serveOnStdio({ request, toolpact, asking, info }: Serving): Promise<void> {
  const { terminal, options } = request
  if (process.stdin.isTTY)
    terminal.tell('This speaks MCP on stdin and stdout, for a client that starts it. Without --stdio it serves HTTP.')
  if (options.debug) terminal.tell(`Serving ${(await toolpact.catalog.all()).length} tools on stdio.`)
  const { stdin: input, stdout: output } = process
  await serveStdio(toolpact, { input, output, info, asking, graceMs, signal: terminal.signal })
}
