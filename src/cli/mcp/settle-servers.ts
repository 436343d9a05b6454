import type { Config, ConfigSource } from '../../app/config/config.ts'
import type { ConfigEditor, Member } from '../../app/config/config-editor.ts'
import { printable } from '../../contract/text/printable.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { type Options, type Request, UsageError } from '../options/command.ts'
import { printLargeList } from '../terminal/large-list.ts'
import { paint } from '../terminal/terminal.ts'
import { untilAborted } from '../terminal/until-aborted.ts'
import { readUserName } from '../terminal/user-name.ts'
import { type Answered, askAboutServers, findUndecided, type UndecidedServer } from './ask-about-server.ts'
import { toOfferedWords } from './status-report.ts'

/** Connects to servers that were just added, reports their tools and asks about undecided settings. */
export async function settleServers(
  names: readonly string[],
  editor: ConfigEditor,
  request: Request,
): Promise<readonly UpstreamStatus[]> {
  const { options, terminal } = request
  if (options['no-connect'] || names.length === 0) return []
  const { config = {} } = (await editor.look()) ?? {}
  const chosen = Object.entries(config.mcpServers ?? {}).filter(
    ([name, { disabled }]) => names.includes(name) && !disabled,
  )
  if (chosen.length === 0) return []
  const servers = Object.fromEntries(chosen)
  if (!options.json) terminal.log(paint('dim', `Connecting to ${Object.keys(servers).join(', ')} …`))
  const statuses = await connect({ ...config, mcpServers: servers }, request)
  if (options.json) return statuses
  await decideAboutServers(statuses, { config, editor, request })
  if (config.catalogue === undefined)
    printLargeList(
      statuses.flatMap(({ definitions }) => definitions),
      terminal,
    )
  return statuses
}

interface Deciding {
  readonly config: Config
  readonly editor: ConfigEditor
  readonly request: Pick<Request, 'terminal' | 'options'>
}

/**
 * Asks about undecided settings and saves the answers; without a terminal, prints the commands to run. Resolves to true if
 * the config has changed.
 */
export async function decideAboutServers(statuses: readonly UpstreamStatus[], deciding: Deciding): Promise<boolean> {
  const { config, editor, request } = deciding
  const { terminal, options } = request
  const undecided = statuses.flatMap((status) => findUndecided(status, config) ?? [])
  if (undecided.length === 0) return false
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.yes ? undefined : openTty()
  if (!tty) {
    printUndecided(statuses, config, request)
    return false
  }
  const answered = await askAboutServers(undecided, { tty, signal: terminal.signal }).finally(tty.close)
  if (answered.length === 0) return false
  const seen = await editor.look()
  const isShared = (server: string) => seen?.scopeOf(server) === 'everywhere'
  await editor.set(answered.flatMap((each) => toMembers(each, isShared)), readUserName()) // biome-ignore format: one line
  return true
}

/**
 * A joint answer about output schemas becomes one setting of the folder; approval is stored per server. Answers about servers
 * of every folder are stored in their entries, because they apply everywhere.
 */
function toMembers({ servers, answers }: Answered, isShared: (server: string) => boolean): Member[] {
  const { withoutOutputSchema, approval } = answers
  const isForAll = servers.filter(({ status }) => !isShared(status.name)).length > 1
  return [
    ...(isForAll && withoutOutputSchema ? [{ path: ['withoutOutputSchema'], value: withoutOutputSchema }] : []),
    ...servers.flatMap(({ status, asksApproval }) =>
      toEntryMembers(status.name, {
        ...((!isForAll || isShared(status.name)) && withoutOutputSchema && { withoutOutputSchema }),
        ...(asksApproval && approval && { approval }),
      }),
    ),
  ]
}

export function toEntryMembers(server: string, answers: ServerAnswers): Member[] {
  return Object.entries(answers).map(([key, value]) => ({ path: ['mcpServers', server, key], value }))
}

/** Opens only these servers and reports each as soon as it is ready or has failed. */
async function connect(
  { mcpServers, withoutOutputSchema }: Config,
  request: Request,
): Promise<readonly UpstreamStatus[]> {
  const { options, terminal } = request
  const { openToolpact } = await import('../../app/app.ts')
  const { workspace } = options
  const isLoggedIn = Object.values(mcpServers ?? {}).some(({ authorization }) => authorization)
  const toolpact = await openToolpact({
    // Connections are in the state.
    ...(!isLoggedIn && { storage: 'memory' }),
    config: { mcpServers, ...(withoutOutputSchema && { withoutOutputSchema }) } as ConfigSource,
    ...(workspace !== undefined && { workspace }),
  })
  const printed = new Set<string>()
  const print = (status: UpstreamStatus) => {
    const isSettled = status.state === 'failed' || (status.state === 'ready' && !options.json)
    if (!isSettled || printed.has(status.name)) return
    printed.add(status.name)
    printStatus(status, request)
  }
  const stopWatching = toolpact.upstreams.watch(print)
  try {
    const statuses = await untilAborted(toolpact.upstreams.statuses(), terminal.signal)
    for (const status of statuses) print(status)
    return statuses
  } finally {
    stopWatching()
    await toolpact.close()
  }
}

export function printStatus(status: UpstreamStatus, { terminal }: Request): void {
  const { name, state, fault = '', revision = '' } = status
  if (state === 'failed') {
    // The fault may end with text from the server.
    const why = printable(fault).replace(/[^.!?…]$/, '$&.')
    terminal.log([paint('red', '✗ '), `${name} is not available: ${why} It stays in the config.`])
  } else
    terminal.log([
      paint('green', '✓ '),
      `${name} answers (${printable(revision)}): ${toOfferedWords(status)}.`,
      paint('dim', ` toolpact mcp inspect ${name}`),
    ])
}

/** Prints undecided settings and the commands that decide them. */
export function printUndecided(
  statuses: readonly UpstreamStatus[],
  config: Config,
  { terminal }: Pick<Request, 'terminal'>,
): void {
  const found = statuses.flatMap((status) => findUndecided(status, config) ?? [])
  const [withheld, others] = [found.filter(({ undeclared }) => undeclared > 0), found.filter(({ undeclared }) => undeclared === 0)] // biome-ignore format: one line
  const note = (text: string) => terminal.log([paint('yellow', 'Note:'), text])
  if (withheld.length > 0) {
    const count = withheld.reduce((sum, { undeclared }) => sum + undeclared, 0)
    const asks = withheld.some(({ asksApproval }) => asksApproval)
    note(
      ` ${toCount(count, 'tool')} of ${toWhose(withheld)} ${count === 1 ? 'is' : 'are'} withheld for declaring no output schema. Admit ${count === 1 ? 'it' : 'them'} as quoted data: ${toCommand(withheld)}${asks ? ' (with --approval reads, calls that look like reads do not ask)' : ''}`,
    )
  }
  if (others.length > 0) {
    const isOpaque = others.some(({ status }) => (config.mcpServers?.[status.name]?.withoutOutputSchema ?? config.withoutOutputSchema) === 'opaque') // biome-ignore format: one line
    note(
      ` Every call of ${toWhose(others)} asks until you decide. Let calls that look like reads run: ${toCommand(others)} --approval reads --without-schema ${isOpaque ? 'opaque' : 'refuse'}`,
    )
  }
}

function toWhose(servers: readonly UndecidedServer[]): string {
  return servers.length === 1 ? servers[0]!.status.name : toCount(servers.length, 'server')
}

function toCommand(servers: readonly UndecidedServer[]): string {
  return `toolpact mcp adopt ${servers.length === 1 ? servers[0]!.status.name : '--all'}`
}

/** Decisions about the tools of a server, for its config entry. */
export interface ServerAnswers {
  readonly withoutOutputSchema?: 'opaque' | 'refuse'
  readonly approval?: 'reads' | 'ask' | 'never'
}

export const approvalWords = {
  reads: 'Calls that look like reads run, all others ask.',
  ask: 'Every call asks.',
  never: 'No call asks.',
} as const

const schemaWords = { opaque: true, refuse: true } as const

/** Decisions from the options of `add`, `import` and `adopt`, if any. */
export function toAnswers({ approval, 'without-schema': withoutOutputSchema }: Options): ServerAnswers {
  return {
    ...(withoutOutputSchema !== undefined && {
      withoutOutputSchema: choose('--without-schema', withoutOutputSchema, schemaWords),
    }),
    ...(approval !== undefined && { approval: choose('--approval', approval, approvalWords) }),
  }
}

function choose<Word extends string>(option: string, word: string, words: { readonly [word in Word]: unknown }): Word {
  if (Object.hasOwn(words, word)) return word as Word
  throw new UsageError(`${option} cannot be '${word}'.`, `Use ${Object.keys(words).join(', ')}.`)
}
