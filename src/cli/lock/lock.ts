import type { Toolpact } from '../../app/app.ts'
import { isUnread } from '../../app/lock.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { isDifferent, type LockReview, type ServerReview, type ToolReview, toAcceptRows, toLockJson, toLockLines } from './report.ts' // biome-ignore format: one line

export const lock: Command = {
  usage: ['lock', 'lock --check', 'lock --accept SERVER[.TOOL] [--digest HEX] [--varying POINTER]'],
  about: `Pins the tools of MCP servers in toolpact.lock, beside the config. Without an option what is new is added, as it is;
if a tool changed only in wording or in a call-compatible way, the accepted definition stays in use; after any other change
the tool is withheld until you accept it.
Exit code 1 if a server differs from the lock or cannot be reached.`,
  options: {
    check: { type: 'boolean', about: 'only compare the servers with the lock' },
    accept: { type: 'string', value: 'SERVER[.TOOL]', about: 'show the changes and ask whether to accept them' },
    digest: { type: 'string', value: 'HEX', about: 'accept exactly what was shown with this digest, without asking' },
    varying: {
      type: 'string',
      multiple: true,
      value: 'POINTER',
      about: 'with --accept SERVER.TOOL: ignore changes of this default, which differs at every start',
    },
  },
  examples: [
    ['toolpact lock', 'pin every tool that is admitted'],
    ['toolpact lock --check', 'in CI'],
    ['toolpact lock --accept files.read_file', 'review a change'],
    [
      'toolpact lock --accept log.query --varying /inputSchema/properties/since/default',
      'a default with the current time',
    ],
  ],
  pages: (_, { accept }) => accept === undefined,
  async run(request) {
    const { positionals, options, open } = request
    if (positionals.length > 0) throw new UsageError(`lock takes no name, but got '${positionals[0]}'.`, 'Name what to accept with --accept.') // biome-ignore format: one line
    if (options.check && options.accept !== undefined) throw new UsageError('Give --check or --accept, not both.')
    if (options.digest !== undefined && options.accept === undefined)
      throw new UsageError('--digest goes with --accept.', 'Name what to accept: --accept SERVER[.TOOL].')
    if (options.varying && !/\../.test(options.accept ?? ''))
      throw new UsageError('--varying goes with --accept SERVER.TOOL.', 'Name the tool whose default varies.')
    const toolpact = await open({ storage: 'memory' })
    try {
      return await runLock(toolpact.lock, request)
    } finally {
      await toolpact.close()
    }
  },
}

type Reviewer = Toolpact['lock']

/** Runs the command on an open lock. */
export async function runLock(reviewer: Reviewer, request: Request): Promise<number> {
  const { accept, check } = request.options
  if (accept !== undefined) return acceptShown(reviewer, accept, request)
  const review = check ? await reviewer.review() : await reviewer.add(readUserName())
  return check ? printCheck(review, request) : printAdded(review, request)
}

function printCheck(review: LockReview, { options, terminal }: Request): number {
  const different = review.servers.filter(isDifferent)
  if (options.json) terminal.print(printableJson(toLockJson(review)))
  else
    terminal.print(
      ...toLockLines(review, terminal.columns),
      review.servers.length === 0
        ? 'The config has no MCP servers.'
        : different.length === 0
          ? [paint('green', '✓ '), `Every server is as ${printable(review.paths.join(' and '))} says.`]
          : paint(
              'red',
              `${toCount(different.length, 'server')} not as ${printable(review.paths.join(' and '))} says.`,
            ),
    )
  const hasNew = different.some(({ tools }) => tools.some((tool) => tool.state === 'new' && !isUnread(tool)))
  if (hasNew && !options.json) terminal.log('Run `toolpact lock` to add new tools.')
  return different.length === 0 ? exitCodes.success : exitCodes.failed
}

/** New tools were added to the lock; other differences were not. */
function printAdded(review: LockReview, { options, terminal }: Request): number {
  const added = review.servers.flatMap(({ tools }) =>
    tools.filter((tool) => tool.state === 'new' && !isUnread(tool)),
  ).length
  const servers = review.servers.map(withoutNew)
  const isOpen = servers.some(isDifferent)
  if (options.json) terminal.print(printableJson({ ...toLockJson(review), ok: !isOpen, added }))
  else
    terminal.print(
      ...toLockLines(review, terminal.columns),
      review.servers.length === 0
        ? 'The config has no MCP servers.'
        : [paint('green', '✓ '), `${added === 0 ? 'Nothing is new in' : `${toCount(added, 'tool')} added to`} ${printable(review.paths.join(' and '))}.`], // biome-ignore format: one line
    )
  if (isOpen && !options.json) terminal.log('Differences were not accepted. Review and accept them with `toolpact lock --accept`.') // biome-ignore format: one line
  return isOpen ? exitCodes.failed : exitCodes.success
}

function withoutNew(server: ServerReview): ServerReview {
  const tools = server.tools.filter(({ state }) => state !== 'new')
  const isPending = server.state === 'left' || server.identity.some(({ weight }) => weight !== 'note') || tools.some(({ digest }) => digest !== undefined) // biome-ignore format: one line
  const { digest, ...rest } = server
  return { ...rest, tools, ...(isPending && digest !== undefined && { digest }) }
}

async function acceptShown(reviewer: Reviewer, target: string, request: Request): Promise<number> {
  const { options, terminal } = request
  const [, server = target, tool] = /^([^.]*)\.(.+)$/s.exec(target) ?? []
  const found = findTarget(await reviewer.review(), server, tool)
  const { digest } = found
  const shown = { server, ...(tool !== undefined && { tool }) }
  if (digest === undefined && options.varying)
    return acceptVarying(reviewer, { ...shown, varying: options.varying }, request)
  if (digest === undefined) {
    if (options.json) terminal.print(printableJson({ ...shown, accepted: false, nothing: true }))
    else terminal.print(`${printable(target)} is as it was accepted.`)
    return exitCodes.success
  }
  const wanted = options.digest === undefined ? undefined : toDigest(options.digest)
  const answer = wanted === undefined ? await ask({ ...found, digest }, request) : { varying: [] }
  const varying = [...(options.varying ?? []), ...(answer?.varying ?? [])]
  const accepted = { ...shown, digest: wanted ?? digest, ...(varying.length > 0 && { varying }) }
  const outcome = answer ? await reviewer.accept(accepted, readUserName()) : 'refused'
  if (options.json) terminal.print(printableJson({ ...shown, digest, accepted: outcome === 'accepted' }))
  else if (outcome === 'accepted') terminal.print([paint('green', '✓ '), `Accepted ${printable(target)} into ${printable(await reviewer.pathOf(server))}.`]) // biome-ignore format: one line
  if (outcome === 'changed')
    terminal.log('Not accepted: it is not what was shown with this digest, or has changed again since. Review it again with `toolpact lock --check`.') // biome-ignore format: one line
  return outcome === 'accepted' ? exitCodes.success : exitCodes.refused
}

/** The definition itself is unchanged; only its varying defaults are new. */
async function acceptVarying(
  reviewer: Reviewer,
  shown: Parameters<Reviewer['accept']>[0],
  { options, terminal }: Request,
) {
  const outcome = await reviewer.accept(shown, readUserName())
  if (options.json) terminal.print(printableJson({ ...shown, accepted: outcome === 'accepted' }))
  else if (outcome === 'accepted')
    terminal.print([paint('green', '✓ '), `${printable((shown.varying ?? []).join(', '))} of ${printable(`${shown.server}.${shown.tool}`)} may vary from now on.`]) // biome-ignore format: one line
  else terminal.log('Not accepted: it has changed since. Review it again with `toolpact lock --check`.')
  return outcome === 'accepted' ? exitCodes.success : exitCodes.refused
}

interface Target {
  readonly server: ServerReview
  readonly tools: readonly ToolReview[]
  readonly digest?: string | undefined
}

function findTarget({ servers }: LockReview, name: string, tool: string | undefined): Target {
  const server = servers.find((server) => server.name === name)
  if (!server) throw new UsageError(`There is no server '${name}'.`, `Use one of ${servers.map(({ name }) => name).join(', ')}.`) // biome-ignore format: one line
  if (server.state === 'unreachable') throw new Error(`The server ${name} cannot be compared: ${server.fault}`)
  if (server.state === 'unused')
    throw new UsageError(`The server ${name} is not used: it is disabled, or was not chosen.`)
  if (tool === undefined) return { server, tools: server.tools.filter(({ digest }) => digest !== undefined), digest: server.digest } // biome-ignore format: one line
  const found = server.tools.find(({ name }) => name === tool)
  if (!found)
    throw new UsageError(`The server ${name} has no tool '${tool}'.`, 'Run `toolpact lock --check` to see them.')
  if (found.digest === undefined && found.refusals.length > 0) throw new UsageError(`${name}.${tool} cannot be accepted: ${found.refusals.join(' ')}`) // biome-ignore format: one line
  if (found.digest === undefined && found.state === 'differs') throw new UsageError(`It is the server that is not as it was accepted, not only ${name}.${tool}.`, `Review it as a whole: toolpact lock --accept ${name}.`) // biome-ignore format: one line
  return { server: { ...server, identity: [] }, tools: [found], digest: found.digest }
}

function toDigest(text: string): string {
  const hex = text.replace(/^sha256:/, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hex)) throw new UsageError('--digest takes the 64 hex digits that were shown.', 'Run `toolpact lock --check` to see them.') // biome-ignore format: one line
  return `sha256:${hex}`
}

async function ask(
  { server, tools, digest }: Target & { digest: string },
  { options, terminal }: Request,
): Promise<{ readonly varying: readonly string[] } | undefined> {
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.json ? undefined : openTty()
  if (!tty) {
    if (!options.json) terminal.print(...toAcceptRows(server, tools, digest, terminal.columns ?? usualColumns))
    terminal.log(
      `Not accepted: there is no terminal to ask at. Add --digest ${digest.replace('sha256:', '')} to accept exactly this.`,
    )
    return undefined
  }
  try {
    const { page } = await import('../terminal/prompt/page.ts')
    const isSeen = await page(toAcceptRows(server, tools, digest, tty.size().columns), tty, () => terminal.signal)
    const [{ varying } = {}] = options.varying ? [] : tools
    if (isSeen && varying) tty.print([`Only defaults differ: ${printable(varying.join(', '))}. v accepts them as varying: other values are then no change.`]) // biome-ignore format: one line
    const question = varying ? 'Accept it? (y/v/N) ' : 'Accept it? (y/N) '
    const answer = isSeen ? await tty.ask(paint('bold', question), terminal.signal) : undefined
    if (/^\s*y(?:es)?\s*$/i.test(answer ?? '')) return { varying: [] }
    if (varying && /^\s*v(?:arying)?\s*$/i.test(answer ?? '')) return { varying }
    terminal.log('Not accepted.')
    return undefined
  } finally {
    tty.close()
  }
}

const usualColumns = 100
