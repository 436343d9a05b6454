import type { Toolpact } from '../../app/app.ts'
import { isUnread } from '../../app/lock.ts'
import { printable } from '../../contract/text/printable.ts'
import { toShellWord } from '../../contract/text/shell-word.ts'
import { driftWords } from '../../host/lock/drift.ts'
import { reveal } from '../../runtime/approval/text/reveal.ts'
import { type Row, toCount, toRows, toTextRows } from '../../runtime/approval/text/rows.ts'
import { wrap } from '../../runtime/approval/text/wrap.ts'
import { toChangeLines } from '../terminal/change-lines.ts'
import { toColumns } from '../terminal/columns.ts'
import { toCommandLines } from '../terminal/command-lines.ts'
import { toQuotedLines } from '../terminal/quoted-lines.ts'
import { type Line, paint } from '../terminal/terminal.ts'

export type LockReview = Awaited<ReturnType<Toolpact['lock']['review']>>
export type ServerReview = LockReview['servers'][number]
export type ToolReview = ServerReview['tools'][number]

/** Formats the comparison of servers with the lock, with the commands that accept differences. */
export function toLockLines({ servers }: LockReview, width: number | undefined): Line[] {
  return servers.flatMap((server) => [toHeading(server, width), ...toServerLines(server, width), ...server.tools.flatMap((tool) => toToolLines(tool, { server: server.name, width }))]) // biome-ignore format: one line
}

/** Whether the server differs from the lock. Changes of its self-description do not count. */
export function isDifferent(server: ServerReview): boolean {
  return (
    server.state === 'unreachable' ||
    server.digest !== undefined ||
    server.tools.some(({ state }) => state === 'differs')
  )
}

/** The comparison as JSON, without definitions: the lock has the accepted ones, the server the new ones. */
export function toLockJson({ path, paths, isThere, servers }: LockReview) {
  return {
    ok: !servers.some(isDifferent),
    path,
    paths,
    exists: isThere,
    servers: servers.map(({ tools, ...server }) => ({
      ...server,
      tools: tools.map(({ definition: _, accepted: __, ...tool }) => tool),
    })),
  }
}

function toHeading(server: ServerReview, width: number | undefined): Line {
  const { name, state, fault = '', tools } = server
  const title = paint('bold', name)
  if (state === 'unreachable') return toColumns([[title, paint('red', `cannot be compared: ${fault}`)]], { width })[0]!
  if (state === 'unused') return [title, paint('dim', '  not used, not compared')]
  if (state === 'left') return [title, '  ', paint('yellow', 'is in the lock but not in the config')]
  const counted = tools.filter((tool) => !isUnread(tool))
  const counts = (['same', 'new', 'kept', 'differs', 'gone', 'refused'] as const)
    .map((state) => [words[state], counted.filter((tool) => tool.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
  return [title, `  ${toCount(counted.length, 'tool')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`]
}

const words = { same: 'as accepted', new: 'new', kept: 'to review', differs: 'changed', gone: 'gone', refused: 'withheld' } as const // biome-ignore format: one line

function toServerLines({ name, state, identity, digest, advice }: ServerReview, width: number | undefined): Line[] {
  const isPending = state === 'left' || identity.some(({ weight }) => weight !== 'note')
  return [
    ...identity.flatMap((change) => toChangeLines(change)),
    ...(isPending && digest !== undefined ? toAcceptLines({ target: name, digest }, width) : []),
    ...(advice === undefined ? [] : [paint('dim', `  ${printable(advice)}`)]),
  ]
}

interface Place {
  readonly server: string
  /** Of the terminal. */
  readonly width: number | undefined
}

function toToolLines(tool: ToolReview, { server, width }: Place): Line[] {
  const { name, state, changes, digest, policy, flags, refusals } = tool
  if (isUnread(tool)) return toInstructionLines(tool, { server, width })
  if (state === 'refused' || (state === 'same' && changes.length === 0)) return []
  return [
    [
      paint(colours[state], `  ${(state === 'kept' ? 'review' : words[state]).padEnd(8)}`),
      ` ${printable(name)}`,
      policy ? paint('dim', `  ${toPolicy(policy)}`) : '',
    ],
    ...toDriftLines(tool),
    ...changes.flatMap((change) => toChangeLines(change, { indent: '    ', isFlagged: flags.length > 0 })),
    ...flags.map((flag): Line => [paint('yellow', '    flagged '), printable(flag)]),
    ...refusals.map((refusal): Line => [paint('red', '    cannot be accepted: '), printable(refusal)]),
    ...(digest === undefined || state === 'new' ? [] : toAcceptLines({ target: `${server}.${name}`, digest }, width)),
    ...toVaryingLines(tool, { server, width }),
  ]
}

/** Instructions that no one has accepted: what they say, and how to pass them on. */
function toInstructionLines({ name, definition, digest, flags }: ToolReview, { server, width }: Place): Line[] {
  return [
    [paint('dim', '  unread  '), ` ${name}`, paint('dim', '  not passed on to clients until you accept it')],
    ...toQuotedLines(String(definition?.description ?? ''), '    '),
    ...flags.map((flag): Line => [paint('yellow', '    flagged '), printable(flag)]),
    ...(digest === undefined ? [] : toAcceptLines({ target: `${server}.${name}`, digest }, width)),
  ]
}

const colours = { same: 'dim', new: 'green', kept: 'yellow', differs: 'red', gone: 'yellow' } as const

function toPolicy({ risk, approval }: NonNullable<ToolReview['policy']>): string {
  return `${risk}, ${approval === 'ask' ? 'asks' : 'does not ask'}`
}

/** The effect of the change, and which definition is in use. */
function toDriftLines({ state, drift }: Pick<ToolReview, 'state' | 'drift'>): Line[] {
  if (state !== 'kept' && state !== 'differs') return []
  const use = state === 'kept' ? 'The accepted definition stays in use.' : 'Withheld.'
  return drift === undefined ? [] : [paint(colours[state], `    ${use} The new one ${driftWords[drift]}.`)]
}

function toVaryingLines({ name, varying, digest }: ToolReview, { server, width }: Place): Line[] {
  if (!varying || digest === undefined) return []
  return [
    paint('dim', '    Only defaults differ. If they differ at every start, accept them as varying:'),
    ...toAcceptLines({ target: `${server}.${name}`, digest, varying }, width),
  ]
}

interface Accepted {
  readonly target: string
  readonly digest: string
  readonly varying?: readonly string[]
}

function toAcceptLines({ target, digest, varying = [] }: Accepted, width: number | undefined): Line[] {
  const places = varying.map((pointer) => ` --varying ${toShellWord(pointer)}`).join('')
  const command = `toolpact lock --accept ${toShellWord(target)} --digest ${digest.replace('sha256:', '')}${places}`
  return toCommandLines(printable(command), { width, before: '    ' }).map((line) => paint('dim', line))
}

/** Everything that would be accepted: all changes and full definitions. */
export function toAcceptRows(
  server: ServerReview,
  tools: readonly ToolReview[],
  digest: string,
  columns: number,
): Row[] {
  const width = columns - 1
  const lines = (lines: readonly Line[]) => lines.flatMap((line) => wrap(toParts(line), width))
  return [
    [paint('bold', 'Server: '), server.name],
    ...(server.state === 'left' ? [['It is no longer in the config and would be removed from the lock.']] : []),
    ...server.identity.flatMap((change) => lines(toChangeLines(change))),
    ...tools.flatMap((tool) => [
      ...toRows(paint('bold', `${headings[tool.state]}: `), reveal(tool.name, 8).parts, { width, indent: 4 }),
      ...(tool.policy ? [[`  ${toPolicy(tool.policy)}`]] : []),
      ...lines(toDriftLines(tool)),
      ...tool.changes.flatMap((change) => lines(toChangeLines(change, { isFlagged: tool.flags.length > 0 }))),
      ...tool.flags.flatMap((flag) =>
        toRows(paint('yellow', '  flagged '), reveal(flag, 8).parts, { width, indent: 4 }),
      ),
      ...(tool.definition
        ? [['  The definition:'], ...toTextRows(JSON.stringify(tool.definition, null, 2), width)]
        : []),
    ]),
    [paint('bold', 'Digest: '), digest],
  ]
}

const headings: { readonly [state in ToolReview['state']]: string } = {
  same: 'Tool',
  kept: 'Changed tool',
  differs: 'Changed tool',
  new: 'New tool',
  gone: 'Removed tool, which would be removed from the lock',
  refused: 'Tool',
}

function toParts(line: Line) {
  return typeof line === 'string' || 'style' in line ? [line] : line
}
