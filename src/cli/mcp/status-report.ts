import { describeGrants } from '../../contract/app-ui.ts'
import { instructionsName } from '../../contract/offer.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Attempt } from '../../host/connect/confinement.ts'
import { driftWords } from '../../host/lock/drift.ts'
import type { AdmittedTool, UpstreamStatus } from '../../host/upstream.ts'
import { toCount } from '../../runtime/approval/text/rows.ts'
import type { Ledger } from '../../runtime/storage/storage.ts'
import { describeIsolation } from '../../surfaces/console/isolation-words.ts'
import { countOffered, countWithheld } from '../../surfaces/offered-counts.ts'
import { toColumns } from '../terminal/columns.ts'
import { toQuotedLines } from '../terminal/quoted-lines.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'
import { toIsolationLines } from './isolation-lines.ts'

const colours = {
  idle: 'dim',
  installing: 'yellow',
  starting: 'yellow',
  ready: 'green',
  failed: 'red',
  stopped: 'dim',
} as const

/** State and latency of a server. */
export interface MeasuredStatus extends UpstreamStatus {
  readonly answersInMs?: number | undefined
  /** Questions among recent calls; undefined before the first call. */
  readonly questions?: Questions | undefined
  /** What it tried beyond its grants. */
  readonly attempts?: readonly Attempt[] | undefined
}

/** Drops flags of accepted definitions, because they were reviewed. */
export function withoutAcceptedFlags(status: MeasuredStatus): MeasuredStatus {
  // Overriding the lazy getter avoids computing the flags.
  const admitted = status.admitted.map((tool): AdmittedTool => tool.locked ? Object.create(tool, { flags: { value: [] } }) : tool) // biome-ignore format: one line
  return { ...status, admitted }
}

/** One line per server, then withheld tools by reason. */
export function toStatusTable(statuses: readonly MeasuredStatus[], width: number | undefined): Line[] {
  return [...toRows(statuses, width), ...statuses.flatMap((status) => toProblemLines(status, width))]
}

function toRows(statuses: readonly MeasuredStatus[], width: number | undefined): Line[] {
  const heading = [
    'server',
    'state',
    'revision',
    'admitted',
    'withheld',
    'flagged',
    'asks/100',
    'latency',
    'started in',
  ]
  const rows = statuses.map((status): Part[] => [
    paint('bold', status.name),
    paint(colours[status.state], status.state),
    status.revision ?? '',
    String(countOffered(status.admitted.map(({ tool }) => tool)).tools),
    String(countWithheld(status).tools),
    String(status.admitted.filter(({ flags }) => flags.length > 0).length),
    toQuestionRate(
      status.questions,
      status.admitted.map(({ tool }) => tool.contract),
    ),
    toTime(status.answersInMs),
    toTime(status.startedInMs),
  ])
  const [first, ...others] = toColumns([heading.map((word) => paint('dim', word)), ...rows], {
    width,
    drop: [2, 8, 5, 7, 6],
  })
  return [first!, ...others]
}

/** Details of one server and its tools. */
export function toStatusLines(status: MeasuredStatus, width: number | undefined): Line[] {
  const { admitted, withheld, instructionFlags, noise, serverInfo, restarts, resources } = status
  const { prompts } = countOffered(admitted.map(({ tool }) => tool))
  const info = [serverInfo?.name, serverInfo?.version].filter((text) => typeof text === 'string').join(' ')
  const rows = toColumns(
    admitted.map(({ tool: { contract }, outputForm, locked }) => [
      paint('green', '  ✓'),
      contract.name,
      contract.risk,
      contract.approval === 'ask' ? 'asks' : 'never asks',
      outputWords[outputForm],
      locked ? 'locked' : 'unlocked',
    ]),
    { width, drop: [4, 5] },
  )
  return [
    ...toRows([status], width),
    ...(info === '' ? [] : [paint('dim', `  It calls itself ${printable(shorten(info, 200))}.`)]),
    ...(restarts === 0 ? [] : [`  Started again ${toCount(restarts, 'time')}.`]),
    ...(status.fault === undefined ? [] : [paint('red', `  ${printable(status.fault)}`)]),
    ...toIsolationLines(status, status.attempts),
    ...(prompts > 0 ? [paint('dim', `  It offers ${toCount(prompts, 'prompt')}.`)] : []),
    ...(resources ? [paint('dim', `  It lists ${toCount(resources.listed, 'resource')} and ${toCount(resources.templates, 'template')}.`)] : []), // biome-ignore format: one line
    ...toInstructionLines(status),
    ...instructionFlags.map((flag) => toFlagLine(flag, 'Its instructions')),
    ...admitted.flatMap(({ tool, completed, flags, review, app }, index) => [
      rows[index]!,
      ...(review ? toReviewLines(review, `${status.name}.${tool.contract.name}`) : []),
      ...completed.map(({ message }) => paint('dim', `      ${printable(message)}`)),
      ...(app
        ? describeGrants(app.grants).map((grant): Line => [paint('yellow', '      app:'), ` ${printable(grant)}`])
        : []),
      ...flags.map((flag) => toFlagLine(flag, flag.pointer)),
    ]),
    ...withheld.flatMap(({ name, reasons }) => [
      [paint('red', '  ✗'), `  ${printable(name)}`],
      ...reasons.flatMap(({ message, fix }) => [
        `      ${printable(message)}`,
        paint('dim', `      ${printable(fix)}`),
      ]),
    ]),
    ...toUnreadLines(status, width),
    ...(noise.length === 0 ? [] : [paint('dim', '  It said beside the protocol, last:')]),
    ...noise.slice(-maxNoise).map((text) => paint('dim', `    ${printable(text)}`)),
  ]
}

/** What the server tells models about its tools, and whether clients get it. */
function toInstructionLines({ name, instructions, admitted, withheld }: UpstreamStatus): Line[] {
  if (instructions === undefined || instructions.trim() === '') return []
  const isOwn = (found: string) => found === instructionsName
  const isPassed = admitted.some(({ tool }) => isOwn(tool.contract.name))
  const isUnread = !isPassed && !withheld.some((found) => isOwn(found.name))
  return [
    paint('dim', `  Its instructions, ${isPassed ? 'which clients get' : 'which are not passed on to clients'}:`),
    ...toQuotedLines(instructions, '    '),
    ...(isUnread ? [paint('dim', `  Pass them on: toolpact lock --accept ${name}.${instructionsName}`)] : []),
  ]
}

/** What a server offers: `13 tools, 10 admitted, 3 withheld`, and how many prompts. */
export function toOfferedWords(status: UpstreamStatus): string {
  const { tools, prompts, resources } = countOffered(status.admitted.map(({ tool }) => tool))
  const left = countWithheld(status)
  return [
    `${toCount(tools + left.tools, 'tool')}, ${tools} admitted, ${left.tools} withheld`,
    ...(prompts > 0 ? [toCount(prompts, 'prompt')] : []),
    ...(left.prompts > 0 ? [`${toCount(left.prompts, 'prompt')} withheld`] : []),
    ...(resources > 0 ? [toCount(resources, 'resource')] : []),
  ].join('; ')
}

/** The status as JSON, without definitions, which are in the contracts. */
export function toStatusJson(status: MeasuredStatus) {
  const { definitions, admitted, answersInMs, startedInMs, ...rest } = status
  return {
    ...rest,
    ...(answersInMs !== undefined && { answersInMs: Math.round(answersInMs * 10) / 10 }),
    ...(startedInMs !== undefined && { startedInMs: Math.round(startedInMs) }),
    listed: definitions.filter(({ name }) => name !== instructionsName).length,
    admitted: admitted.map(({ tool: { contract }, outputForm, locked, completed, flags, review, app }) => ({
      name: contract.name,
      risk: contract.risk,
      approval: contract.approval,
      output: outputForm,
      locked,
      completed: completed.map(({ code }) => code),
      flags,
      ...(app && { app }),
      ...(review && { review }),
    })),
  }
}

const maxNoise = 10
const maxChanges = 5
const maxNames = 8

const outputWords: { readonly [form in UpstreamStatus['admitted'][number]['outputForm']]: string } = {
  structured: 'own schema',
  wrapped: 'own schema',
  overlay: 'attached schema',
  opaque: 'quoted data',
}

function toProblemLines(status: UpstreamStatus, width: number | undefined): Line[] {
  const { name, fault, withheld, instructionFlags, admitted } = status
  const groups = Map.groupBy(
    withheld.flatMap((tool) => tool.reasons.map((reason) => ({ ...reason, tool: tool.name }))),
    ({ code, message }) => `${code} ${message}`,
  )
  const flagged = admitted.filter(({ flags }) => flags.length > 0).map(({ tool }) => tool.contract.name)
  return [
    ...(fault === undefined ? [] : [toLine(paint(['red', 'bold'], name), fault, width)]),
    ...[...groups.values()].flatMap((found) => [
      toLine(paint(['yellow', 'bold'], name), `${toNames(found.map(({ tool }) => tool))}: ${found[0]!.message}`, width),
      paint('dim', `  ${printable(found[0]!.fix)}`),
    ]),
    ...(status.isolation?.state === 'unavailable'
      ? [toLine(paint(['yellow', 'bold'], name), describeIsolation(status.isolation), width)]
      : []),
    ...toUnreadLines(status, width),
    ...toReviewSummary(status, width),
    ...(instructionFlags.length > 0
      ? [
          toLine(
            paint(['yellow', 'bold'], name),
            `Its instructions are flagged. Read them: toolpact mcp inspect ${name}.`,
            width,
          ),
        ]
      : []),
    ...(flagged.length > 0
      ? [
          toLine(
            paint(['yellow', 'bold'], name),
            `${toNames(flagged)}: flagged. Read what they say: toolpact mcp inspect ${name}.`,
            width,
          ),
        ]
      : []),
  ]
}

/** Compatible changes: what changed and how to accept it. */
function toReviewLines({ drift, changes }: NonNullable<AdmittedTool['review']>, id: string): Line[] {
  return [
    paint('yellow', `      changed: the new definition ${driftWords[drift]}. The accepted one stays in use.`),
    ...changes.slice(0, maxChanges).map((change) => `      ${printable(change)}`),
    paint('dim', `      Review it: toolpact lock --accept ${printable(id)}`),
  ]
}

function toReviewSummary({ name, admitted }: UpstreamStatus, width: number | undefined): Line[] {
  const open = admitted.filter(({ review }) => review).map(({ tool }) => tool.contract.name)
  if (open.length === 0) return []
  return [
    toLine(
      paint(['yellow', 'bold'], name),
      `${toNames(open)}: changed harmlessly, the accepted definition stays in use.`,
      width,
    ),
    paint('dim', `  Review it: toolpact lock --accept ${open.length === 1 ? `${name}.${printable(open[0]!)}` : name}`),
  ]
}

function toUnreadLines({ name, unread }: UpstreamStatus, width: number | undefined): Line[] {
  if (!unread) return []
  return [toLine(paint(['yellow', 'bold'], name), `${toCount(unread.count, 'further tool')} not read. ${unread.reason.message}`, width), paint('dim', `  ${unread.reason.fix}`)] // biome-ignore format: one line
}

function toLine(server: Part, text: string, width: number | undefined): Line {
  return toColumns([[server, text]], { width })[0]!
}

function toNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ')
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown
}

function toFlagLine({ signal, message, excerpt }: UpstreamStatus['instructionFlags'][number], place: string): Line {
  return [paint('yellow', `      flagged: ${signal}`), ` ${printable(`${place}: ${message} "${excerpt}"`)}`]
}

function toTime(ms: number | undefined): string {
  if (ms === undefined) return ''
  if (ms < 1) return '<1 ms'
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** How often calls of a server asked for approval. */
interface Questions {
  readonly calls: number
  readonly asked: number
}

/** Recent entries to scan: enough for a rate, within milliseconds. */
const maxEntries = 5000

/** Counts the questions of recent calls, by server. */
export async function countQuestions(ledger: Pick<Ledger, 'read'>): Promise<ReadonlyMap<string, Questions>> {
  const counts = new Map<string, { calls: number; asked: number }>()
  for (const { record } of await ledger.read({ last: maxEntries })) {
    if ((record.kind !== 'intent' && record.kind !== 'refusal') || !record.decision) continue
    // What a server did by itself.
    if (record.decision.rule === 'isolation') continue
    const server = record.tool.slice(0, record.tool.indexOf('.'))
    const count = counts.get(server) ?? { calls: 0, asked: 0 }
    counts.set(server, count)
    count.calls++
    if (record.decision.action === 'ask') count.asked++
  }
  return counts
}

/** Questions per 100 calls; before the first call, an estimate that weighs all tools equally. */
export function toQuestionRate(
  questions: Questions | undefined,
  tools: readonly { readonly approval: 'ask' | 'never' }[],
): string {
  if (questions) return String(Math.round((100 * questions.asked) / questions.calls))
  if (tools.length === 0) return ''
  return `~${Math.round((100 * tools.filter(({ approval }) => approval === 'ask').length) / tools.length)}`
}
