import { serveStdio } from '../../surfaces/mcp/stdio.ts'
import { graceMs, type Serving } from './serving.ts'

/** Time to answer requests that were already received. */
const startAfterMs = 20

/** Serves the parent process until it closes stdin. Messages go to stderr. */
export async function serveOnStdio({ request, toolpact, asking, info, catalogue, tasks }: Serving): Promise<void> {
  const { terminal, options } = request
  if (process.stdin.isTTY)
    terminal.log('Waiting for MCP on stdin, for a client that starts this process. Leave out --stdio to serve HTTP.')
  const { stdin: input, stdout: output } = process
  // The client is gone: its runs are not cancelled with its calls.
  input.once('end', () => toolpact.runs?.pause())
  // Serve before starting upstream servers: some clients wait only a second for the first answer.
  const served = serveStdio(toolpact, {
    input,
    output,
    info,
    asking,
    catalogue,
    tasks,
    graceMs,
    signal: terminal.signal,
  })
  setTimeout(toolpact.upstreams.begin, startAfterMs).unref()
  if (options.debug) terminal.log(`Serving ${(await toolpact.catalog.all()).length} tools on stdio.`)
  await served
}
