import type { Toolpact } from '../../app/app.ts'
import { printable } from '../../contract/text/printable.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { describeIsolation } from '../../surfaces/console/isolation-words.ts'
import { decideAboutServers, printStatus, printUndecided } from '../mcp/settle-servers.ts'
import { openChosenConfig } from '../options/chosen-config.ts'
import type { Request } from '../options/command.ts'
import { paint } from '../terminal/terminal.ts'

/** Without an installation, a launcher needs about a second. */
const installMs = 3000

/**
 * At a terminal, waits for the first lists and asks once about undecided servers. Otherwise does not wait, and reports the
 * state of servers as it changes. Resolves to true if the config has changed.
 */
export async function settleUpstreams(toolpact: Toolpact, request: Request): Promise<boolean> {
  const { options } = request
  const { catalog, upstreams, config } = toolpact
  if (!options.stdio && !options.json && process.stdin.isTTY && upstreams.look().some(isOpen)) {
    await catalog.all()
    if (await decideAboutServers(upstreams.look(), { config, editor: openChosenConfig(request), request })) return true
  }
  printStates(toolpact, request)
  return false

  function isOpen({ name }: { readonly name: string }): boolean {
    const { withoutOutputSchema = config.withoutOutputSchema, approval } = config.mcpServers?.[name] ?? {}
    return withoutOutputSchema === undefined || approval === undefined
  }
}

/** Reports failures as they happen, once per cause, and withheld tools when all servers have settled. */
function printStates({ upstreams, config }: Toolpact, request: Request): void {
  const printed = new Map<string, string>()
  const unconfined = new Set<string>()
  let hasSettled = false
  const print = (status: UpstreamStatus) => {
    const { name, state, fault = '' } = status
    if (!hasSettled && upstreams.look().every((status) => isListed(config, status))) {
      hasSettled = true
      printUndecided(upstreams.look(), config, request)
    }
    if (status.isolation?.state === 'unavailable' && !unconfined.has(name)) {
      unconfined.add(name)
      request.terminal.log([paint('yellow', 'Note:'), ` ${name}: ${printable(describeIsolation(status.isolation))}`])
    }
    if (state === 'installing') setTimeout(printInstall, installMs, name).unref()
    if (state !== 'failed' || printed.get(name) === fault) return
    printed.set(name, fault)
    printStatus(status, request)
  }
  const printInstall = (server: string) => {
    const by = upstreams.look().find(({ name }) => name === server)?.installing?.by
    if (by === undefined || printed.get(server) === by) return
    printed.set(server, by)
    request.terminal.log(`${server} is being installed (${by}). Its tools are listed once it is ready.`)
  }
  upstreams.watch(print)
  // Some may have failed already, for example because a variable is not set.
  for (const status of upstreams.look()) print(status)
}

/** Its tools are known, or it starts lazily. */
function isListed({ mcpServers }: Toolpact['config'], { name, state, wasListed }: UpstreamStatus): boolean {
  return wasListed || state === 'failed' || mcpServers?.[name]?.start === 'lazy'
}

/** Waits until the servers that start with the host have listed their tools or failed: what is known from the lock or an earlier run may be withheld now. */
export async function untilListed({ upstreams, config }: Toolpact, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => upstreams.look().every((status) => isListed(config, status)) && resolve()
  const timer = setTimeout(resolve, ms)
  const stop = upstreams.watch(look)
  look()
  await promise
  clearTimeout(timer)
  stop()
}
