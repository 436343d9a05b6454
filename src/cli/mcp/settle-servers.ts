import type { Config } from '../../config/config.ts'
import type { ChangedConfig, ConfigDesk } from '../../config/config-desk.ts'
import { printable } from '../../contract/printable.ts'
import { setMember } from '../../storage/edit-json.ts'
import type { UpstreamStatus } from '../../upstream/upstream.ts'
import type { Request } from '../command.ts'
import { toCount } from '../prompt/rows.ts'
import { paint } from '../terminal.ts'
import { readUserName } from '../user-name.ts'
import { askAboutServer, countUndeclared, type ServerAnswers } from './ask-about-server.ts'
import { untilAborted } from './until-aborted.ts'

type Servers = NonNullable<Config['mcpServers']>

/** Connects to servers that were just added, tells what they have, and asks once what no file says. */
export async function settleServers(
  names: readonly string[],
  desk: ConfigDesk,
  request: Request,
): Promise<readonly UpstreamStatus[]> {
  const { options, terminal } = request
  if (options['no-connect'] || names.length === 0) return []
  const all = (await desk.look())?.config.mcpServers ?? {}
  const chosen = Object.entries(all).filter(([name, { disabled }]) => names.includes(name) && !disabled)
  if (chosen.length === 0) return []
  const servers = Object.fromEntries(chosen)
  if (!options.json) terminal.tell(paint('dim', `Connecting to ${Object.keys(servers).join(', ')} …`))
  const statuses = await connect(servers, request)
  if (!options.json) await askAboutServers(statuses, { servers, desk, request })
  return statuses
}

interface Asking {
  readonly servers: Servers
  readonly desk: ConfigDesk
  readonly request: Pick<Request, 'terminal' | 'options'>
}

/**
 * Asks the person at the terminal about each server, and keeps the answers; tells in a line what to do where nobody is
 * there. Gives whether the config has changed.
 */
export async function askAboutServers(statuses: readonly UpstreamStatus[], asking: Asking): Promise<boolean> {
  const { servers, desk, request } = asking
  const { terminal, options } = request
  const { openTty } = await import('../prompt/open-tty.ts')
  const tty = options.yes ? undefined : openTty()
  let isChanged = false
  try {
    for (const status of statuses) {
      const entry = servers[status.name]
      if (status.state !== 'ready' || !entry) continue
      if (tty) {
        const answers = await askAboutServer(status, { tty, entry, signal: terminal.signal })
        if (await record(status.name, answers, desk)) isChanged = true
      } else if (entry.withoutOutputSchema === undefined) tellUndeclared(status, request)
    }
  } finally {
    tty?.close()
  }
  return isChanged
}

/** Writes the answers into the config, if there are any. */
export async function record(
  name: string,
  answers: ServerAnswers,
  desk: ConfigDesk,
): Promise<ChangedConfig | undefined> {
  const entries = Object.entries(answers)
  if (entries.length === 0) return undefined
  const edit = (text: string) =>
    entries.reduce((next, [key, value]) => setMember(next, ['mcpServers', name, key], value), text)
  return desk.change(edit, readUserName())
}

const lookMs = 200

/** Only these servers, and no other tools. Each is told of as soon as it is there. */
async function connect(servers: Servers, request: Request): Promise<readonly UpstreamStatus[]> {
  const { options, terminal } = request
  const { openToolpact } = await import('../../app.ts')
  const { workspace } = options
  const toolpact = await openToolpact({
    storage: 'memory',
    config: { mcpServers: servers },
    ...(workspace !== undefined && { workspace }),
  })
  const told = new Set<string>()
  const tell = (statuses: readonly UpstreamStatus[]) => {
    for (const status of statuses) {
      if (options.json || told.has(status.name) || (status.state !== 'ready' && status.state !== 'failed')) continue
      told.add(status.name)
      tellStatus(status, request)
    }
  }
  const timer = setInterval(() => tell(toolpact.upstreams.look()), lookMs)
  try {
    const statuses = await untilAborted(toolpact.upstreams.statuses(), terminal.signal)
    tell(statuses)
    return statuses
  } finally {
    clearInterval(timer)
    await toolpact.close()
  }
}

export function tellStatus(status: UpstreamStatus, { terminal }: Request): void {
  const { name, state, fault = '', admitted, withheld, revision = '' } = status
  if (state === 'failed')
    terminal.tell([paint('red', '✗ '), `${name} is not there: ${printable(fault)} It stays in the config.`]) // biome-ignore format: one line
  else
    terminal.tell([
      paint('green', '✓ '),
      `${name} answers (${printable(revision)}): ${toCount(admitted.length + withheld.length, 'tool')}, ${admitted.length} admitted, ${withheld.length} withheld.`,
      paint('dim', ` toolpact mcp inspect ${name}`),
    ])
}

/** One line says how many are withheld, and how they are admitted. */
export function tellUndeclared(status: UpstreamStatus, { terminal }: Pick<Request, 'terminal'>): void {
  const count = countUndeclared(status)
  if (count === 0) return
  const { name, definitions } = status
  terminal.tell([
    paint('yellow', 'Note:'),
    ` ${count} of ${toCount(definitions.length, 'tool')} of ${name} ${count === 1 ? 'is' : 'are'} withheld for declaring no output schema. Admit ${count === 1 ? 'it' : 'them'} as quoted data: toolpact mcp adopt ${name}`,
  ])
}
