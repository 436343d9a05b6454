import type { Toolpact } from '../app/app.ts'
import { printable, printableJson } from '../contract/text/printable.ts'
import type { StoredSignIn } from '../runtime/storage/sign-ins.ts'
import { toSessionName } from '../surfaces/console/sign-in.ts'
import { type Command, type Request, UsageError } from './options/command.ts'
import { toColumns, toLocalTime, toShortTime } from './terminal/columns.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { type Line, type Part, paint } from './terminal/terminal.ts'

export const signIns: Command = {
  usage: ['sign-ins [list]', 'sign-ins revoke ID …', 'sign-ins revoke --all'],
  about: 'Lists the browsers that people are signed in to the console with, and signs them out.',
  options: {},
  examples: [
    ['toolpact sign-ins', 'who is signed in, since when, with which browser'],
    ['toolpact sign-ins revoke 3f2a91c4', 'end one of these sessions'],
  ],
  actions: {
    list: {
      summary: 'list the sessions of people',
      usage: ['sign-ins list'],
      about:
        'Lists who is signed in to the console: how, since when, when they were last seen, and with which browser.',
      options: {},
      examples: [['toolpact sign-ins list --json', 'for a script']],
    },
    revoke: {
      summary: 'end sessions',
      usage: ['sign-ins revoke ID …', 'sign-ins revoke --all'],
      about: 'Ends sessions at every server that shares the state. A unique prefix of an id is enough.',
      options: { all: { type: 'boolean', about: 'end every session' } },
      examples: [
        ['toolpact sign-ins revoke 3f2a91c4', 'end one'],
        ['toolpact sign-ins revoke --all', 'sign everyone out'],
      ],
    },
  },
  next: ([action]) => (action === undefined ? ['list', 'revoke'] : undefined),
  async run(request) {
    const [action = 'list', ...ids] = request.positionals
    if (action !== 'list' && action !== 'revoke')
      throw new UsageError(`sign-ins has no action '${action}'.`, 'Use list or revoke.')
    const toolpact = await request.open({ start: 'never' })
    try {
      const store = toolpact.signIns
      if (!store) throw new UsageError('This storage keeps no sessions: they end with the process that serves.')
      const sessions = (await store.list('session', Date.now())).toReversed()
      return action === 'list' ? list(sessions, request, ids) : await revoke(store, sessions, { request, ids })
    } finally {
      await toolpact.close()
    }
  },
}

function list(sessions: readonly StoredSignIn[], { options, terminal }: Request, [extra]: readonly string[]): number {
  if (extra !== undefined) throw new UsageError('sign-ins list takes no id.', 'Use sign-ins revoke ID.')
  if (options.json) terminal.print(printableJson(sessions.map(toJson)))
  else if (sessions.length === 0) terminal.log('Nobody is signed in. To sign in to the console, run `toolpact open`.')
  else
    terminal.print(
      ...toColumns(
        sessions.map((session) => toRow(session, terminal.columns)),
        { width: terminal.columns, drop: [4] },
      ),
    )
  return exitCodes.success
}

interface Revoked {
  readonly request: Request
  readonly ids: readonly string[]
}

/** Looks up all ids before ending the first. */
async function revoke(
  store: NonNullable<Toolpact['signIns']>,
  sessions: readonly StoredSignIn[],
  { request: { options, terminal }, ids }: Revoked,
): Promise<number> {
  if (options.all ? ids.length > 0 : ids.length === 0)
    throw new UsageError('Give the ids of sessions, or --all.', 'Run `toolpact sign-ins` to list them.')
  const found = options.all ? sessions : ids.map((start) => findSession(sessions, start))
  const ended: string[] = []
  for (const session of new Set(found))
    if (await store.take(session, Date.now())) ended.push(toSessionName(session.hash))
  if (options.json) terminal.print(printableJson(ended))
  else if (ended.length === 0) terminal.log('Nobody was signed in.')
  else terminal.print(...ended.map((id): Line => [paint('green', '✓ '), `Ended ${id}`]))
  return exitCodes.success
}

function findSession(sessions: readonly StoredSignIn[], start: string): StoredSignIn {
  const [first, second] = start === '' ? [] : sessions.filter(({ hash }) => toSessionName(hash).startsWith(start))
  if (!first) throw new UsageError(`There is no session '${start}'.`, 'Run `toolpact sign-ins` to list them.')
  if (second) throw new UsageError(`Several sessions have an id that starts with '${start}'.`, 'Use a longer prefix.')
  return first
}

function toJson({ hash, person, issuer, subject, groups, session, expiresAt }: StoredSignIn) {
  return {
    id: toSessionName(hash),
    person,
    how: issuer === undefined ? 'link' : 'openid',
    ...(issuer !== undefined && { issuer, subject, groups }),
    browser: session?.browser ?? null,
    started_at: session ? toIso(session.startedAt) : null,
    seen_at: session ? toIso(session.seenAt) : null,
    expires_at: toIso(expiresAt),
  }
}

function toRow({ hash, person, issuer, session }: StoredSignIn, width: number | undefined): Part[] {
  const how = issuer === undefined ? 'by a link' : `at ${URL.parse(issuer)?.host ?? issuer}`
  const seen = session ? (width === undefined ? toLocalTime : toShortTime)(toIso(session.seenAt)) : ''
  return [
    paint('dim', seen),
    toSessionName(hash),
    printable(person),
    printable(how),
    paint('dim', session?.browser ?? ''),
  ]
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}
