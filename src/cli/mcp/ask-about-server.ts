import type { Config } from '../../app/config/config.ts'
import { isOffer } from '../../contract/offer.ts'
import { printable } from '../../contract/text/printable.ts'
import type { UpstreamStatus } from '../../host/upstream.ts'
import { looksLikeRead } from '../../policy/looks-like-read.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import type { Tty } from '../terminal/prompt/open-tty.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import type { ServerAnswers } from './settle-servers.ts'

/** An answer and the servers it applies to. */
export interface Answered {
  readonly servers: readonly UndecidedServer[]
  readonly answers: ServerAnswers
}

/** A server with undecided settings. */
export interface UndecidedServer {
  readonly status: UpstreamStatus
  /** Tools withheld for lack of an output schema; 0 if that is decided. */
  readonly undeclared: number
  readonly asksApproval: boolean
}

/** Undefined if everything is decided or the server's tools are not known. */
export function findUndecided(
  status: UpstreamStatus,
  { mcpServers = {}, withoutOutputSchema: forAll }: Pick<Config, 'mcpServers' | 'withoutOutputSchema'>,
): UndecidedServer | undefined {
  const entry = mcpServers[status.name]
  if (!entry || status.definitions.length === 0) return undefined
  const { withoutOutputSchema = forAll, approval, risk } = entry
  const undeclared = withoutOutputSchema === undefined ? countUndeclared(status) : 0
  const asksApproval = approval === undefined && risk === undefined
  return undeclared > 0 || asksApproval ? { status, undeclared, asksApproval } : undefined
}

/** Number of tools withheld only for lack of an output schema. */
function countUndeclared({ withheld }: UpstreamStatus): number {
  return withheld.filter(({ reasons }) => reasons.every(({ code }) => code === 'no_output_schema')).length
}

interface AskOptions {
  readonly tty: Tty
  readonly signal: AbortSignal
}

/** Asks once about all servers, or about each if the user prefers. Unanswered questions stay open. */
export async function askAboutServers(servers: readonly UndecidedServer[], options: AskOptions): Promise<Answered[]> {
  if (servers.length === 0) return []
  const answers = await ask(servers, options)
  if (answers !== 'each') return answers ? [{ servers, answers }] : []
  const answered: Answered[] = []
  for (const server of servers) {
    const own = await ask([server], options)
    if (own === undefined || own === 'each') break
    answered.push({ servers: [server], answers: own })
  }
  return answered
}

const maxTries = 5

/** Undefined if the user decides later or input ended. */
async function ask(
  servers: readonly UndecidedServer[],
  { tty, signal }: AskOptions,
): Promise<ServerAnswers | 'each' | undefined> {
  const choices = toChoices(servers)
  const letters = choices.map(({ letter }) => letter).join('/')
  tty.print(['', ...toFacts(servers), ...choices.map(({ letter, about }) => `  ${letter}  ${about}`)])
  for (let tries = 0; tries < maxTries; tries++) {
    const typed = (await tty.ask(paint('bold', `How may they be used? (${letters}, Enter: decide later) `), signal))
      ?.trim()
      .toLowerCase()
    if (!typed) return undefined
    const chosen = choices.find(({ letter }) => letter === typed)?.answer
    if (chosen === 'view') tty.print(servers.flatMap(toToolLines))
    else if (chosen) return chosen
    else tty.print([`Type one of the letters ${letters}, then Enter.`])
  }
  return undefined
}

interface Choice {
  readonly letter: string
  readonly about: string
  readonly answer: ServerAnswers | 'each' | 'view'
}

function toChoices(servers: readonly UndecidedServer[]): Choice[] {
  const isUndeclared = servers.some(({ undeclared }) => undeclared > 0)
  const asksApproval = servers.some((server) => server.asksApproval)
  const admit = isUndeclared ? ({ withoutOutputSchema: 'opaque' } as const) : {}
  const leave = { withoutOutputSchema: 'refuse' } as const
  return [
    ...(asksApproval
      ? ([
          {
            letter: 'r',
            about: 'believe these claims: let reads run, ask before every other call',
            answer: { ...admit, approval: 'reads' },
          },
          { letter: 'a', about: 'ask before every call', answer: { ...admit, approval: 'ask' } },
          { letter: 'n', about: 'never ask', answer: { ...admit, approval: 'never' } },
        ] as const)
      : [{ letter: 'q', about: 'as quoted data', answer: admit }]),
    ...(isUndeclared
      ? [
          {
            letter: 'l',
            about: `leave out the tools without an output schema${asksApproval ? '; of the others let reads run' : ''}`,
            answer: { ...leave, ...(asksApproval && { approval: 'reads' as const }) },
          },
        ]
      : []),
    ...(servers.length > 1 ? [{ letter: 'e', about: 'decide for each server', answer: 'each' as const }] : []),
    { letter: 'v', about: 'view which tools look like reads', answer: 'view' as const },
  ]
}

/** A short summary for the decision. */
function toFacts(servers: readonly UndecidedServer[]): Line[] {
  const tools = servers.flatMap(({ status }) => toTools(status))
  const reads = tools.filter(isRead)
  const undeclared = servers.reduce((sum, server) => sum + server.undeclared, 0)
  const [first] = servers
  const whose = servers.length === 1 ? first!.status.name : toCount(servers.length, 'server')
  const shown = reads.slice(0, maxNames).map(({ name }) => printable(String(name)))
  const more = reads.length > shown.length ? ', …' : ''
  return [
    paint(
      'bold',
      `${toCount(tools.length, 'tool')} of ${whose}: ${reads.length} ${reads.length === 1 ? 'looks like a read' : 'look like reads'}, by name and annotation.`,
    ),
    ...(reads.length > 0 ? [paint('dim', `  ${shown.join(', ')}${more}`)] : []),
    ...(servers.some(({ asksApproval }) => asksApproval)
      ? ['Names and annotations are claims of the server. Until you decide, every call asks.']
      : []),
    ...(undeclared > 0
      ? [
          `${undeclared} of them ${undeclared === 1 ? 'declares' : 'declare'} no output schema. They are used as quoted data: what they return reaches the model marked as data, bounded and without hidden characters, but nothing checks its form.`,
        ]
      : []),
  ]
}

const maxNames = 6

function toToolLines({ status }: UndecidedServer): Line[] {
  const groups = Object.groupBy(toTools(status), (tool) => (isRead(tool) ? 'reads' : 'others'))
  const toNames = (tools: UpstreamStatus['definitions'] = []) =>
    tools.map(({ name }) => printable(String(name))).join(', ') || '-'
  return [
    paint('bold', status.name),
    `  look like reads: ${toNames(groups.reads)}`,
    `  all others: ${toNames(groups.others)}`,
  ]
}

/** Prompts and resources are read whatever the answer. */
function toTools({ definitions }: UpstreamStatus): UpstreamStatus['definitions'] {
  return definitions.filter(({ name }) => !isOffer(String(name)))
}

function isRead({ name, annotations }: UpstreamStatus['definitions'][number]): boolean {
  return looksLikeRead(String(name), annotations)
}
