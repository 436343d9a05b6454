import type { Toolpact } from '../../app/app.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { reveal } from '../../runtime/approval/text/reveal.ts'
import { type Row, toRows, toTextRows } from '../../runtime/approval/text/rows.ts'
import { type Command, type Request, UsageError } from '../options/command.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'

export const trust: Command = {
  usage: ['trust [DIR | FILE]', 'trust ACTION …'],
  about: `Shows what the toolpact.json of a folder would run or loosen, and trusts it if you confirm. Until then it can only
make things stricter. Trust covers the exact content at that path; a changed file must be trusted again.
A config given with --config needs no trust.`,
  options: {},
  examples: [
    ['toolpact trust', 'review the toolpact.json of this folder'],
    ['toolpact trust ~/project --yes', 'trust another folder without asking'],
  ],
  actions: {
    list: {
      summary: 'list trusted configs',
      usage: ['trust list'],
      about: 'Lists the configs that are trusted, and whether they have changed since.',
      options: {},
      examples: [['toolpact trust list', 'every trusted config']],
    },
    revoke: {
      summary: 'revoke trust',
      usage: ['trust revoke [DIR | FILE]'],
      about: 'Revokes the trust in a config; the default is that of this folder.',
      options: {},
      examples: [['toolpact trust revoke', 'the config of this folder']],
    },
  },
  next: (before) => (before.length === 0 ? ['list', 'revoke'] : undefined),
  async run(request) {
    const { positionals, options, open } = request
    const [first, ...rest] = positionals
    const action = first === 'list' || first === 'revoke' ? first : 'review'
    const [place = options.workspace ?? '.', ...more] = action === 'review' ? positionals : rest
    if (more.length > 0 || (action === 'list' && rest.length > 0))
      throw new UsageError(`trust ${action === 'list' ? 'list takes no place' : 'takes one place'}, and got '${more[0] ?? place}'.`) // biome-ignore format: one line
    // The reviewed config must not affect its own review.
    const toolpact = await open({ storage: 'memory', discover: false })
    try {
      return await actions[action](toolpact.trust, request, place)
    } finally {
      await toolpact.close()
    }
  },
}

type Trust = Toolpact['trust']
type Reviewed = Awaited<ReturnType<Trust['look']>>

const actions = { review, list, revoke }

async function review(store: Trust, request: Request, place: string): Promise<number> {
  const { options, terminal } = request
  const reviewed = await store.look(place)
  const { path, digest, loosens } = reviewed
  const isNew = reviewed.state !== 'trusted'
  const isTrusted = !isNew || (await isWanted(reviewed, request))
  if (isNew && isTrusted) await store.add(reviewed, readUserName())
  if (options.json) terminal.print(printableJson({ path, digest, trusted: isTrusted, loosens }))
  else if (isTrusted)
    terminal.print(
      [paint('green', '✓ '), isNew ? `Trusted ${printable(path)} as it is now.` : `${printable(path)} is trusted already, as it is.`], // biome-ignore format: one line
      paint('dim', '  To undo: toolpact trust revoke'),
    )
  return isTrusted ? exitCodes.success : exitCodes.refused
}

async function isWanted(reviewed: Reviewed, { options, terminal }: Request): Promise<boolean> {
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = options.yes ? undefined : openTty()
  if (!tty) {
    if (!options.json) terminal.print(...toReviewRows(reviewed, terminal.columns ?? usualColumns))
    if (!options.yes) terminal.log('Not trusted: there is no terminal to ask at. Add --yes to trust it as it is.')
    return options.yes ?? false
  }
  try {
    const rows = toReviewRows(reviewed, tty.size().columns)
    const { page } = await import('../terminal/prompt/page.ts')
    const isSeen = await page(rows, tty, () => terminal.signal)
    const answer = isSeen ? await tty.ask(paint('bold', 'Trust it? (y/N) '), terminal.signal) : undefined
    const isYes = /^\s*y(?:es)?\s*$/i.test(answer ?? '')
    if (!isYes) terminal.log('Not trusted.')
    return isYes
  } finally {
    tty.close()
  }
}

const usualColumns = 100

async function list(store: Trust, { options, terminal }: Request): Promise<number> {
  const listed = await store.list()
  if (options.json) terminal.print(printableJson(listed))
  else if (listed.length === 0) terminal.log('No config is trusted. See `toolpact trust --help`.')
  else
    terminal.print(
      ...toColumns(
        listed.map(({ path, state, digest, trustedBy, trustedAt }) => [
          paint(state === 'trusted' ? 'green' : 'red', state),
          path,
          digest.slice(0, 19),
          `by ${trustedBy}, ${trustedAt.slice(0, 16).replace('T', ' ')}`,
        ]),
        { width: terminal.columns, drop: [2, 3] },
      ),
    )
  return exitCodes.success
}

async function revoke(store: Trust, { options, terminal }: Request, place: string): Promise<number> {
  const revoked = await store.revoke(place)
  if (!revoked)
    throw new UsageError(`No config of ${place} is trusted.`, 'Run `toolpact trust list` to see trusted configs.')
  if (options.json) terminal.print(printableJson(revoked))
  else terminal.print([paint('green', '✓ '), `${printable(revoked.path)} is no longer trusted.`])
  return exitCodes.success
}

/** Formats a config for review: all settings, with those that run or loosen something last. */
function toReviewRows(reviewed: Reviewed, columns: number): Row[] {
  const { path, digest, state, content, loosens } = reviewed
  const width = columns - 1
  const settings = toSettings(content)
  const isLoose = ({ name }: Setting) => loosens.some((loose) => isPartOf(loose, name) || isPartOf(name, loose))
  const loose = settings.filter(isLoose)
  const strict = settings.filter((setting) => !isLoose(setting))
  return [
    ...toRows(paint('bold', 'Config: '), reveal(path, 8).parts, { width, indent: 4 }),
    [paint('bold', 'Digest: '), digest],
    [paint('bold', 'State: '), stateWords[state]],
    ...(strict.length > 0 ? [[paint('bold', 'Holds without trust:')]] : []),
    ...strict.flatMap((setting) => toSettingRows(setting, width)),
    loose.length > 0
      ? [paint('bold', 'Would run or loosen, once trusted:')]
      : [paint('green', 'Nothing in it needs trust.')],
    ...loose.flatMap((setting) => toSettingRows(setting, width, setting.runs ? 'red' : 'yellow')),
  ]
}

const stateWords: { readonly [state in Reviewed['state']]: string } = {
  trusted: 'trusted',
  changed: 'changed since it was trusted',
  untrusted: 'not trusted',
}

interface Setting {
  /** Such as `policy.sandbox`. */
  readonly name: string
  readonly value: unknown
  readonly runs: boolean
}

/** Nested settings are listed one by one. */
const groups = ['ledger', 'policy', 'limits', 'callers', 'http', 'mcpServers']

function toSettings(content: Reviewed['content']): Setting[] {
  return Object.entries(content).flatMap(([key, value]) =>
    groups.includes(key)
      ? Object.entries(value as object).map(([part, value]) => ({
          name: `${key}.${part}`,
          value,
          runs: key === 'mcpServers',
        }))
      : [{ name: key, value, runs: key === 'contracts' }],
  )
}

function isPartOf(name: string, whole: string): boolean {
  return name === whole || name.startsWith(`${whole}.`)
}

const maxInline = 60

function toSettingRows({ name, value }: Setting, width: number, style?: 'red' | 'yellow'): Row[] {
  const parts = reveal(name, 8).parts.map((part) =>
    style && typeof part === 'string' ? paint([style, 'bold'], part) : part,
  )
  const inline = JSON.stringify(value)
  if (inline.length <= maxInline)
    return toRows('  ', [...parts, ': ', ...reveal(inline, 8).parts], { width, indent: 6 })
  return [...toRows('  ', [...parts, ':'], { width, indent: 6 }), ...toTextRows(JSON.stringify(value, null, 2), width)]
}
