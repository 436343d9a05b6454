import type { Toolpact } from '../../app/app.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { readTime } from '../../contract/text/read-time.ts'
import type { CallRecord } from '../../runtime/storage/call-record.ts'
import { keepPattern, toArchiveOptions } from '../../runtime/storage/ledger-keep.ts'
import type { Ledger, LedgerQuery } from '../../runtime/storage/storage.ts'
import { type Command, type Options, type Request, UsageError } from '../options/command.ts'
import { toColumns, toLocalTime, toShortTime } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readCalls, readPages, toCallRow } from './calls.ts'
import { showCall } from './show.ts'
import { verifyFile, verifyLedger } from './verify.ts'

export const ledger: Command = {
  usage: [
    'ledger [--tool TOOL] [--since TIME] [--limit N] [--follow]',
    'ledger --verify [FILE] [--full]',
    'ledger ACTION …',
  ],
  about: `Shows the record of every call, the last 20 without --since and --limit. With --json, every call, one to a line.
--verify checks the hash chain and the checkpoints instead: no entry was changed, removed or reordered. With a file it checks
that archive.`,
  options: {
    tool: { type: 'string', value: 'TOOL', about: 'only calls of this tool' },
    since: { type: 'string', value: 'TIME', about: 'only calls since then: 10m, 2h, 3d, or an ISO date and time' },
    limit: { type: 'string', value: 'N', about: 'only the last N calls' },
    follow: { type: 'boolean', about: 'keep running and show calls as they end' },
    verify: { type: 'boolean', about: 'check that the ledger or an archive is intact; exit code 1 if not' },
    full: {
      type: 'boolean',
      about: 'with --verify: check every entry of a long ledger again, not only those after the last verification',
    },
    offline: { type: 'boolean', about: 'with --verify: do not ask other machines for the checkpoints that they keep' },
  },
  examples: [
    ['toolpact ledger --tool learning.hello --since 2h', 'calls of the last two hours'],
    ['toolpact ledger --json --limit 1', 'for a script'],
  ],
  actions: {
    show: {
      summary: 'show one call in detail',
      usage: ['ledger show [ID] [--raw]'],
      about: `Shows one call, or one run of the agent, in detail: caller, checks, decision and outcome. A unique prefix of its id is
enough; the default is the newest call.`,
      options: { raw: { type: 'boolean', about: 'print output that broke the contract, which no model ever reads' } },
      examples: [
        ['toolpact ledger show', 'the newest call'],
        ['toolpact ledger show 3f2a91c4 --raw', 'what a tool returned that broke its contract'],
      ],
    },
    prove: {
      summary: 'write a proof that others can check',
      usage: ['ledger prove [ID] [--output FILE]', 'ledger prove --from CHECKPOINT [--output FILE]'],
      about: `Writes a proof that the records of a call are in the ledger: with toolpact verify and the public key, others can check it
offline. With --from, a proof that the ledger still begins with what an earlier checkpoint covers.`,
      options: {
        from: { type: 'string', value: 'CHECKPOINT', about: 'a file whose last checkpoint is the earlier one' },
        output: { type: 'string', value: 'FILE', about: 'where to write it (default: stdout)' },
      },
      examples: [
        ['toolpact ledger prove 3f2a91c4 --output proof.json', 'prove one call'],
        ['toolpact ledger prove --from last-month', 'prove that nothing before was rewritten'],
      ],
    },
    key: {
      summary: 'print the public key of the ledger',
      usage: ['ledger key'],
      about:
        'Prints the public key that checkpoints of this ledger are verified with, for people who check its proofs.',
      options: {},
      examples: [['toolpact ledger key', 'the public key']],
    },
    archive: {
      summary: 'move old entries into files',
      usage: ['ledger archive [--keep 90d|10GB]'],
      about: `Moves the oldest entries into files under archive/ in the state directory, or in ledger.archiveFolder of the config. They are
never deleted: move or delete them yourself.`,
      options: {
        keep: {
          type: 'string',
          value: 'AMOUNT',
          about: 'what to keep, in days (90d) or by size (500MB, 10GB) (default: ledger.keep of the config)',
        },
      },
      examples: [
        ['toolpact ledger archive --keep 90d', 'archive entries older than 90 days'],
        ['toolpact ledger archive --keep 10GB --json', 'for a script'],
      ],
    },
  },
  pages: ([action], { follow, raw }) => (action === undefined || action === 'show') && !follow && !raw,
  next: ([action, ...more]) => {
    if (action === undefined) return actions
    return (action === 'show' || action === 'prove') && more.length === 0 ? 'call' : undefined
  },
  async run(request) {
    const { positionals, options, open } = request
    const [action, id, ...more] = positionals
    const isAction = action !== undefined && actions.includes(action)
    const file = options.verify && !isAction ? action : undefined
    if (action !== undefined && file === undefined && !isAction)
      throw new UsageError(`ledger has no action '${action}'.`, `Did you mean toolpact ledger show ${action}?`)
    if (more.length > 0) throw new UsageError(`ledger ${action} takes one id, but also got '${more[0]}'.`)
    if (options.toolset) throw new UsageError('ledger cannot be narrowed to a toolset.', 'Use --tool.')
    if (id !== undefined && action !== 'show' && action !== 'prove')
      throw new UsageError(`ledger takes one ${file ? 'file' : 'action'}, but also got '${id}'.`)
    refuseTogether(options)
    const since = options.since === undefined ? undefined : toSince(options.since, new Date())
    const limit = options.limit === undefined ? undefined : toLimit(options.limit)
    const toolpact = await open(writing.includes(action ?? '') ? {} : { access: 'read' })
    try {
      if (action === 'show') return await showCall(toolpact, id, request)
      if (action === 'archive') return await archiveEntries(toolpact, request)
      if (action === 'prove') return await (await import('./prove.ts')).prove(toolpact, id, request)
      if (action === 'key') return await (await import('./prove.ts')).printKey(toolpact, request)
      if (file !== undefined) return await verifyFile(toolpact.ledger, file, request)
      if (options.verify) return await verifyLedger(toolpact, request)
      const tool = options.tool === undefined ? undefined : await toToolId(toolpact, options.tool)
      const query = { ...(since && { since }), ...(tool !== undefined && { tool }) }
      await showCalls(toolpact.ledger, query, { request, limit })
      return exitCodes.success
    } finally {
      await toolpact.close()
    }
  },
}

const actions = ['show', 'prove', 'key', 'archive']
/** A proof seals what is new, and the key may have to be created. */
const writing = ['prove', 'key', 'archive']

const usualLimit = 20

async function showCalls(
  ledger: Ledger,
  query: LedgerQuery,
  { request, limit: asked }: { request: Request; limit: number | undefined },
) {
  const { options, terminal } = request
  const print = createPrinter(request)
  const limit = asked ?? (options.follow || !(options.json || options.since) ? usualLimit : undefined)
  let afterSeq = 0
  if (limit === undefined) {
    for await (const page of readPages(ledger, query)) {
      if (terminal.signal.aborted) return
      print(page)
      await terminal.ready()
    }
  } else {
    const read = await readCalls(ledger, query, limit)
    print(read.calls)
    afterSeq = read.lastSeq
    if (terminal.columns && asked === undefined && read.calls.length === limit)
      terminal.log(paint('dim', `The last ${limit} calls. --limit N shows more.`))
  }
  if (options.follow)
    for await (const page of readPages(ledger, query, { afterSeq, follow: terminal.signal })) {
      print(page)
      await terminal.ready()
    }
  else if (!print.any && !options.json) terminal.log('No matching calls are recorded.')
}

interface Printer {
  (calls: readonly CallRecord[]): void
  any: boolean
}

/** Prints calls as they arrive, in stable columns. */
function createPrinter({ options, terminal }: Request): Printer {
  const widths: number[] = []
  const print: Printer = (calls) => {
    print.any ||= calls.length > 0
    if (options.json) terminal.print(...calls.map((call) => printableJson(call)))
    else {
      const { columns: width } = terminal
      const rows = calls.map((call) => toCallRow(call, width === undefined ? toLocalTime : toShortTime))
      // On a terminal the outcome is never left out; who answered and how long it took are.
      terminal.print(...toColumns(rows, { widths, width, drop: [6, 5, 3] }))
    }
  }
  print.any = false
  return print
}

/** Resolves a bare name to an id. An unknown name is kept, because the ledger may contain removed tools. */
async function toToolId({ catalog }: Toolpact, name: string): Promise<string> {
  const found = await catalog.find(name)
  if (found.kind === 'ambiguous')
    throw new UsageError(`Several tools match the name '${name}'.`, `Use one of ${found.ids.join(', ')}.`)
  return 'id' in found ? found.id : name
}

function toLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`--limit needs a whole number above 0, but got '${text}'.`)
}

function refuseTogether({ verify, ...options }: Options) {
  const [filter] = (['tool', 'since', 'limit', 'follow'] as const).filter((name) => options[name] !== undefined)
  if (filter && verify) throw new UsageError(`--verify does not take --${filter}.`)
  const [only] = (['full', 'offline'] as const).filter((name) => options[name])
  if (only && !verify) throw new UsageError(`--${only} needs --verify.`)
}

/** Parses a past time: `10m`, `2h` or `3d` ago, or an ISO date. */
export function toSince(text: string, now: Date): Date {
  const date = readTime(text, 'before', now)
  if (date === undefined)
    throw new UsageError(`--since cannot be '${text}'.`, 'Use 10m, 2h, 3d, or a date such as 2026-01-31T09:00.')
  return date
}

/** Moves the oldest entries into archive files and prints their paths. */
async function archiveEntries({ ledger, config }: Toolpact, { options, terminal }: Request): Promise<number> {
  const keep = options.keep ?? config.ledger?.keep
  if (keep === undefined)
    throw new UsageError(
      'ledger archive needs to know how much to keep.',
      'Use --keep 90d or --keep 10GB, or set ledger.keep in the config.',
    )
  if (!new RegExp(keepPattern).test(keep))
    throw new UsageError(`--keep needs days or a size, but got '${printable(keep)}'.`, 'Use --keep 90d or --keep 10GB.')
  const segments = await ledger.archive({ ...toArchiveOptions(keep, Date.now()), reclaim: 'all' })
  if (options.json) terminal.print(printableJson({ keep, segments }))
  else if (segments.length === 0) terminal.print('There is nothing to archive.')
  else
    terminal.print(
      ...segments.map(({ first, last, file }) => `Archived entries ${first} to ${last} in ${printable(file)}`),
      'To check an archive: toolpact ledger --verify FILE',
    )
  return exitCodes.success
}
