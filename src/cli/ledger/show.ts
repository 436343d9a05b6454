import { existsSync } from 'node:fs'
import type { Toolpact } from '../../app/app.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printable, printableJson, printableLines } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { CheckName } from '../../runtime/pipeline/checks.ts'
import type { CallRecord } from '../../runtime/storage/call-record.ts'
import { toCalls } from '../../runtime/storage/calls.ts'
import { readArchive } from '../../runtime/storage/ledger-archive.ts'
import type { Ledger, LedgerEntry, StepRecord } from '../../runtime/storage/storage.ts'
import { type Request, UsageError } from '../options/command.ts'
import { toColumns, toDuration, toLocalTime } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'
import { findCallId, findCallIds, toAnswer, toOutcome } from './calls.ts'

/** Prints one call or agent run in detail: caller, checks, decision and outcome. */
export async function showCall(
  { ledger, evidence }: Pick<Toolpact, 'ledger' | 'evidence'>,
  prefix: string | undefined,
  request: Request,
): Promise<number> {
  const { options, terminal } = request
  const { callId, entries } = (await findArchivedCall(ledger, prefix)) ?? (await findRecordedCall(ledger, prefix))
  const raw = await evidence.get(callId)
  if (options.raw) return showRaw(callId, raw, request)
  const [call] = toCalls(entries)
  if (isRun(entries)) {
    if (options.json) terminal.print(printableJson({ ...call, steps: entries.map(({ record }) => record) }))
    else terminal.print(...toRunStory(entries, terminal.columns))
    return exitCodes.success
  }
  const digest = entries.map(({ record }) => ('contractDigest' in record ? record.contractDigest : null)).find(Boolean)
  if (options.json)
    terminal.print(printableJson({ ...call, contractDigest: digest ?? null, hasRaw: raw !== undefined }))
  else
    terminal.print(
      ...toStory(call!, { contractDigest: digest ?? null, hasRaw: raw !== undefined, width: terminal.columns }),
    )
  return exitCodes.success
}

/** Finds a call by a prefix of its id; without one, the newest. */
export async function findRecordedCall(ledger: Ledger, prefix: string | undefined) {
  const callId = await findCallId(ledger, prefix)
  return { callId, entries: await ledger.read({ callId }) }
}

/** Finds a call in the archives. Archives that were moved away are skipped. */
export async function findArchivedCall(ledger: Ledger, prefix: string | undefined) {
  const start = prefix?.toLowerCase()
  if (start === undefined || (await findCallIds(ledger, start, 1)).length > 0) return undefined
  const entries: LedgerEntry[] = []
  for (const { file } of await ledger.archives()) {
    if (!existsSync(file)) continue
    for await (const entry of readArchive(file)) if (entry.record.callId.startsWith(start)) entries.push(entry)
  }
  const [callId, another] = new Set(entries.map(({ record }) => record.callId))
  if (another !== undefined)
    throw new UsageError(`Several archived calls have an id that starts with '${start}'.`, `Use a longer prefix: ${callId}, ${another}, …`) // biome-ignore format: one line
  return callId === undefined ? undefined : { callId, entries }
}

/** Raw output is untrusted, so control characters are escaped. */
function showRaw(callId: string, raw: string | undefined, { options, terminal }: Request): number {
  if (raw === undefined) {
    const when = 'It is where a tool breaks its contract, until many more calls have done so.'
    throw new UsageError(`Nothing raw is kept of the call ${callId}.`, when)
  }
  if (options.json) terminal.print(printableJson({ callId, raw }))
  else terminal.printExactly(printableLines(raw))
  return exitCodes.success
}

interface Told {
  readonly contractDigest: string | null
  readonly hasRaw: boolean
  readonly width: number | undefined
}

function toStory(call: CallRecord, { contractDigest, hasRaw, width }: Told): Line[] {
  const { callId, at, caller, tool, input, decision, approval, durationMs, violation } = call
  const asked = caller
    ? `${caller.name}${caller.session === undefined ? '' : `, session ${caller.session}`}`
    : 'unknown'
  const rows: (readonly [string, Part])[] = [
    ['When', toLocalTime(at)],
    ['Who', asked],
    ...toPrincipalRows(caller),
    ['Tool', tool],
    ...(call.run ? [['Run', toRunPart(call.run)] as const] : []),
    ['Contract', contractDigest ?? 'none: no such tool was found'],
    ['Input', JSON.stringify(input)],
    ['Decision', decision ? `${decision.action}, by ${decision.rule}: ${decision.reason}` : 'none was reached'],
    ['Approval', approval ? toAnswer(approval) : call.checks.approve ? 'not needed' : 'not reached'],
    ['Outcome', toOutcome(call)],
    ...(durationMs === null ? [] : [['Took', toDuration(durationMs)] as const]),
    ...(violation === null ? [] : [['Violation', `the tool broke its contract: ${violation}`] as const]),
    ...(call.journaled ? [['Recorded', 'in a journal of its server while the database was unavailable, and merged later'] as const] : []), // biome-ignore format: one line
    ...(hasRaw ? [['Raw', `kept for people: toolpact ledger show ${callId.slice(0, 8)} --raw`] as const] : []),
  ]
  return [
    paint('bold', `Call ${callId}`),
    ...toColumns(rows.map(([name, value]) => [`  ${name}`, value]), { width }), // biome-ignore format: one line
    ...(call.state === 'interrupted'
      ? ['  It began and no end is recorded: its process died, or it is still running.']
      : []),
    '',
    paint('bold', 'Checks'),
    ...toColumns(toCheckRows(call), { width }),
  ]
}

const ways: { readonly [via: string]: string } = {
  token: 'a token of Toolpact',
  jwt: 'a token',
  cookie: 'a session of the console',
  stdio: 'stdio of this user',
  cli: 'the command line',
}

/** How the caller authenticated, and who vouches for it. Absent in older records. */
function toPrincipalRows(caller: CallRecord['caller']): (readonly [string, Part])[] {
  const { via, issuer, subject, groups } = caller ?? {}
  const by = [
    ...(via === undefined ? [] : [ways[via] ?? via]),
    ...(issuer === undefined ? [] : [`of ${issuer}`]),
    ...(subject === undefined ? [] : [`for ${subject}`]),
  ]
  return [
    ...(by.length > 0 ? [['Known by', by.join(' ')] as const] : []),
    ...(groups ? [['Groups', groups.join(', ')] as const] : []),
  ]
}

/** The workflow's run that made the call. */
function toRunPart({ id, step }: NonNullable<CallRecord['run']>): string {
  return `step ${step} of ${id.slice(0, 8)}: toolpact runs show ${id.slice(0, 8)}`
}

const checkWords: { readonly [check in CheckName]: string } = {
  resolve: 'the tool is known',
  bound: 'the input is small and flat enough',
  input: 'the input matches the contract',
  single_step: 'the query has not used its call',
  rate: 'the caller has calls left',
  decide: 'the policy does not deny it',
  check: "the call passes the tool's own checks",
  approve: 'a person approved it',
  intent: 'the ledger took the intent',
  run: 'the tool ran to its end',
  output: 'the output matches the contract',
}

function toCheckRows({ checks, state }: CallRecord): Part[][] {
  return Object.entries(checkWords).map(([check, words]) => {
    // An interrupted call has a stored intent, although the check was not marked as passed.
    const result = state === 'interrupted' && check === 'intent' ? 'passed' : checks[check]
    switch (result) {
      case 'passed':
        return [paint('green', '  ✓'), check, words]
      case 'failed':
        return [paint('red', '  ✗'), check, `not so: ${words}`]
      case 'not_needed':
        return [paint('dim', '  -'), check, 'not needed']
      default:
        return [paint('dim', '  ·'), check, state === 'interrupted' ? 'unknown' : 'not reached']
    }
  })
}

function isRun([first]: readonly LedgerEntry[]): boolean {
  return first?.record.kind === 'step'
}

/** Formats an agent run: the question, the result of each check, the call and the outcome. */
function toRunStory(entries: readonly LedgerEntry[], width: number | undefined): Line[] {
  const steps = entries.map(({ record }) => record).filter((record) => record.kind === 'step')
  const [run] = toCalls(entries)
  const { callId, at, caller, tool, durationMs } = run!
  const rows: (readonly [string, Part])[] = [
    ['When', toLocalTime(at)],
    ['Who', `${caller?.name ?? 'unknown'}${caller?.session === undefined ? '' : `, session ${caller.session}`}`],
    ['How', `toolpact ${tool.replace('agent.', '')}`],
    ['Outcome', toOutcome(run!)],
    ...(durationMs === null ? [] : [['Took', toDuration(durationMs)] as const]),
  ]
  return [
    paint('bold', `Run ${callId}`),
    ...toColumns(rows.map(([name, value]) => [`  ${name}`, value]), { width }), // biome-ignore format: one line
    ...(run!.state === 'interrupted'
      ? ['  It began and no end is recorded: its process died, or it is still running.']
      : []),
    '',
    paint('bold', 'Stages'),
    ...toColumns(steps.flatMap(toStageRows), { width }),
  ]
}

function toStageRows({ stage, passed, details }: StepRecord): Part[][] {
  const mark = passed ? paint('green', '  ✓') : paint('red', '  ✗')
  const [first = '', ...more] = (tellers[stage] ?? printEverything)(details)
  return [[mark, paint('bold', stage), first], ...more.map((line) => ['', '', line])]
}

const tellers: { readonly [stage in StepRecord['stage']]?: (details: JsonObject) => readonly string[] } = {
  gate: ({ question, reason, code, pattern, replays }) => [
    `asked: ${show(question)}`,
    ...(reason === undefined ? [] : [`refused: ${reason} (${[code, pattern].filter(Boolean).join(', ')})`]),
    ...(replays === undefined ? [] : [`the plan of the run ${replays}, again`]),
  ],
  catalogue: ({ tools, of, model, protocol, digest }) => [
    `${lengthOf(tools)} of ${of} tools offered to ${model} (${protocol})`,
    show((Array.isArray(tools) ? tools : []).join(', ')),
    `digest ${digest}`,
  ],
  plan: ({ plan, code, reason, said }) =>
    plan === undefined ? [`refused: ${reason} (${code})`, `it said ${show(said)}`] : [show(plan)],
  call: ({ callId, tool, code }) => [
    `${tool}${code === undefined ? '' : `: ${code}`}`,
    ...(callId ? [`toolpact ledger show ${String(callId).slice(0, 8)} shows the decision and the checks`] : []),
  ],
  output: ({ form }) => [outputWords[String(form)] ?? show(form)],
  grounding: ({ bullets, dropped, droppedCount, reason }) => [
    `${lengthOf(bullets)} bullets kept, ${droppedCount ?? 0} dropped${reason === undefined ? '' : `: ${reason}`}`,
    ...listOf(bullets).map(({ claim, pointer, start, end }) => `kept: ${show(claim)} (${pointer}, ${start} to ${end})`),
    ...listOf(dropped).map(({ claim, reason }) => `dropped: ${show(claim)}: ${reason}`),
  ],
  end: ({ outcome, code }) => [`${outcome ?? ''}${code === undefined ? '' : `: ${code}`}`],
}

const outputWords: { readonly [form: string]: string } = {
  typed: 'the output keeps its contract',
  opaque: 'the output has no contract of its own: no model reads it',
  invalid: 'the output breaks its contract: raw for people, never for a model',
}

function printEverything(details: JsonObject): readonly string[] {
  return [show(details)]
}

const maxCharacters = 400

/** On one line, so that quoted text cannot pass for a line of the report. */
function show(value: JsonValue | undefined): string {
  return shorten(printable(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')), maxCharacters)
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}
