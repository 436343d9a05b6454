import type { ChatEntry } from '../agent/chat/chat-entry.ts'
import type { Toolpact } from '../app/app.ts'
import { printable, printableJson } from '../contract/text/printable.ts'
import { clipTo } from '../runtime/approval/text/wrap.ts'
import type { SessionSummary, Sessions } from '../runtime/storage/sessions.ts'
import { toGutterRows } from './chat/gutter.ts'
import { type Command, type Request, UsageError } from './options/command.ts'
import { toColumns, toLocalTime, toShortTime } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { type Line, type Part, paint } from './terminal/terminal.ts'

export const sessions: Command = {
  usage: ['sessions [list] [--limit N]', 'sessions ACTION …'],
  about: 'Lists the sessions of toolpact chat. Only the 200 most recently used ones are kept.',
  options: { limit: { type: 'string', value: 'N', about: 'max number of sessions (default: 20)' } },
  examples: [
    ['toolpact sessions', 'list recent sessions'],
    ['toolpact chat --session 3f2a91c4', 'continue one'],
  ],
  actions: {
    show: {
      summary: 'show a transcript',
      usage: ['sessions show [ID]'],
      about: 'Shows a session. A unique prefix of its id is enough; the default is the newest session.',
      options: {},
      examples: [['toolpact sessions show 3f2a91c4', 'one session']],
    },
    remove: {
      summary: 'delete sessions',
      usage: ['sessions remove ID …'],
      about: 'Deletes sessions. A unique prefix of an id is enough.',
      options: {},
      examples: [['toolpact sessions remove 3f2a91c4', 'delete one']],
    },
  },
  pages: ([action]) => action !== 'remove',
  next: ([action]) => (action === undefined ? Object.keys(actions) : action === 'list' ? undefined : 'session'),
  async run(request) {
    const [action = 'list', ...ids] = request.positionals
    if (!Object.hasOwn(actions, action))
      throw new UsageError(`sessions has no action '${action}'.`, `Use ${Object.keys(actions).join(', ')}.`)
    const toolpact = await request.open()
    try {
      return await actions[action]!(toolpact, request, ids)
    } finally {
      await toolpact.close()
    }
  },
}

type Action = (toolpact: Toolpact, request: Request, ids: readonly string[]) => Promise<number>

const actions: { readonly [name: string]: Action } = { list, show, remove }

/** Finds a session by a unique prefix of its id. */
export async function findSession(sessions: Sessions, start: string): Promise<SessionSummary> {
  const found = start === '' ? [] : await sessions.find(start)
  const [first, second] = found
  if (!first) throw new UsageError(`There is no session '${start}'.`, 'Run `toolpact sessions` to list them.')
  if (second) throw new UsageError(`Several sessions have an id that starts with '${start}'.`, 'Use a longer prefix.')
  return first
}

async function list({ sessions }: Toolpact, { options, terminal }: Request, [extra]: readonly string[]) {
  if (extra !== undefined) throw new UsageError('sessions list takes no id.', 'Use sessions show ID.')
  const limit = options.limit === undefined ? 20 : Number(options.limit)
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`--limit cannot be '${options.limit}'.`, 'Use a number of at least 1.')
  const found = await sessions.list({ limit })
  if (options.json) terminal.print(printableJson(found.map(toJson)))
  else if (found.length === 0) terminal.log('There are no sessions. Start one with `toolpact chat`.')
  else
    terminal.print(
      ...toColumns(
        found.map((session) => toRow(session, terminal.columns)),
        { width: terminal.columns, drop: [4] },
      ),
    )
  return exitCodes.success
}

async function show({ sessions }: Toolpact, { options, terminal }: Request, [start, ...more]: readonly string[]) {
  if (more.length > 0) throw new UsageError('sessions show takes one id.')
  const [newest] = start === undefined ? await sessions.list({ limit: 1 }) : [await findSession(sessions, start)]
  if (!newest) throw new UsageError('There are no sessions.', 'Start one with `toolpact chat`.')
  const entries = (await sessions.read(newest.id)) as unknown as ChatEntry[]
  if (options.json) terminal.print(printableJson({ ...toJson(newest), entries }))
  else terminal.print(...toStory(newest, entries, terminal.columns))
  return exitCodes.success
}

/** Looks up all ids before removing the first. */
async function remove({ sessions }: Toolpact, { options, terminal }: Request, starts: readonly string[]) {
  if (starts.length === 0) throw new UsageError('Give the id of a session.', 'Run `toolpact sessions` to list them.')
  const found = await Promise.all(starts.map((start) => findSession(sessions, start)))
  const ids = [...new Set(found.map(({ id }) => id))]
  for (const id of ids) await sessions.remove(id)
  if (options.json) terminal.print(printableJson(ids))
  else terminal.print(...ids.map((id): Line => [paint('green', '✓ '), `Removed ${id}`]))
  return exitCodes.success
}

function toJson({ startedAt, usedAt, ...session }: SessionSummary) {
  return { ...session, started_at: toIso(startedAt), used_at: toIso(usedAt) }
}

function toRow({ id, usedAt, status, title, workspace }: SessionSummary, width: number | undefined): Part[] {
  const style = status === 'failed' ? 'red' : status === 'active' ? 'magenta' : 'green'
  return [
    paint('dim', (width === undefined ? toLocalTime : toShortTime)(toIso(usedAt))),
    id.slice(0, 8),
    paint(style, status),
    title,
    paint('dim', workspace),
  ]
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}

function toStory(
  { id, workspace, status, startedAt }: SessionSummary,
  entries: readonly ChatEntry[],
  columns: number | undefined,
): Line[] {
  return [
    paint('bold', `Session ${id}`),
    ...toColumns([
      ['  Began', toLocalTime(toIso(startedAt))],
      ['  Folder', workspace],
      ['  Status', status],
    ]),
    ...entries.flatMap((entry) => toLines(entry, columns)),
  ]
}

function toLines(entry: ChatEntry, columns: number | undefined): Line[] {
  const width = Math.min((columns ?? Infinity) - 1, maxCharacters)
  switch (entry.kind) {
    case 'user':
      return ['', [paint('bold', '> '), entry.text.replaceAll('\n', '\n  ')]]
    case 'answer':
      return [
        ...(entry.text === '' ? [] : toGutterRows(entry.text.trimEnd(), columns)),
        ...entry.calls.map(({ name, arguments: input }): Line => [paint('cyan', '→ '), clipTo(printable(`${name} ${input}`), width - 2)]), // biome-ignore format: one line
      ]
    case 'result': {
      const mark = entry.success ? paint('green', '  ✓ ') : paint('red', '  ✗ ')
      const call = entry.callId === null ? '' : `  (toolpact ledger show ${entry.callId.slice(0, 8)})`
      return [[mark, clipTo(printable(entry.data), width - call.length - 4), paint('dim', call)]]
    }
    case 'undo':
      return [paint('yellow', `Undid step ${entry.step}: ${printable(entry.files.map(({ path, outcome }) => `${path} ${outcome}`).join(', '))}`)] // biome-ignore format: one line
    case 'end':
      return entry.outcome === 'answered' ? [] : [paint('dim', `(${entry.outcome}${entry.code ? `: ${entry.code}` : ''})`)] // biome-ignore format: one line
  }
}

const maxCharacters = 120
