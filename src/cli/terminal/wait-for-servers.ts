import type { Toolpact } from '../../app/app.ts'
import { kindOf } from '../../contract/offer.ts'
import { printable } from '../../contract/text/printable.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { countWithheld, toWithheldWords } from '../../surfaces/offered-counts.ts'
import { startSpinner } from './spinner.ts'
import { paint, type Terminal } from './terminal.ts'
import { untilAborted } from './until-aborted.ts'

const beforeMs = 1000
const maxNames = 5

/**
 * Starts every MCP server and waits until each is ready or has failed, within its own timeouts. Reports progress on stderr
 * (a spinner in a terminal, otherwise one line) and failures as they happen. Rejects on interrupt.
 */
export async function waitForServers(toolpact: Toolpact, terminal: Terminal): Promise<readonly UpstreamStatus[]> {
  const { upstreams } = toolpact
  if (upstreams.look().length === 0) return []
  const spinner = startSpinner(() => toWaiting(upstreams.look()), { beforeMs })
  const timer = setTimeout(() => terminal.log(paint('dim', toWaiting(upstreams.look()))), beforeMs)
  if (process.stderr.isTTY) clearTimeout(timer)
  const reported = new Set<string>()
  const printFailure = ({ name, state, fault = '' }: UpstreamStatus) => {
    if (state !== 'failed' || reported.has(name)) return
    reported.add(name)
    spinner.clear()
    terminal.log([paint('red', '✗ '), `${name} is not available: ${printable(fault)}`])
  }
  const stopWatching = upstreams.watch(printFailure)
  try {
    // Some may have failed already, for example because a variable is not set.
    for (const status of upstreams.look()) printFailure(status)
    return await untilAborted(upstreams.statuses(), terminal.signal)
  } finally {
    stopWatching()
    clearTimeout(timer)
    spinner.stop()
  }
}

/** Reports how many tools of each server are withheld. */
export function printWithheldCounts(statuses: readonly UpstreamStatus[], terminal: Terminal): void {
  for (const status of statuses) {
    const { name, state, withheld } = status
    if (state !== 'failed' && withheld.length > 0)
      terminal.log([
        paint('yellow', 'Note:'),
        ` ${toWithheldWords(countWithheld(status))} of ${name} ${withheld.length === 1 && kindOf(withheld[0]!.name) !== 'resource' ? 'is' : 'are'} withheld. See why: toolpact mcp inspect ${name}`,
      ])
  }
}

function toWaiting(statuses: readonly UpstreamStatus[]): string {
  const pending = statuses.filter(({ state }) => state !== 'ready' && state !== 'failed').map(toPendingName)
  const more = pending.length - maxNames
  return `Waiting for ${toCount(pending.length, 'server')}: ${pending.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''} …`
}

/** The servers that are starting or being installed for a call; undefined if there are none. */
export function toStarting(statuses: readonly UpstreamStatus[]): string | undefined {
  const pending = statuses.filter(({ state }) => state === 'starting' || state === 'installing').map(toPendingName)
  return pending.length === 0 ? undefined : `Starting ${pending.slice(0, maxNames).join(', ')}`
}

function toPendingName({ name, installing }: UpstreamStatus): string {
  return installing ? `${name} (${installing.by} is installing it)` : name
}
