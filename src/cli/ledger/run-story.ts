import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { toCalls } from '../../runtime/storage/calls.ts'
import type { LedgerEntry, StepRecord } from '../../runtime/storage/storage.ts'
import { toColumns } from '../terminal/columns.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'
import { toDuration, toLocalTime } from '../terminal/time.ts'
import { toOutcome } from './row.ts'

export function isRun([first]: readonly LedgerEntry[]): boolean {
  return first?.record.kind === 'step'
}

/** Formats an agent run: the question, the result of each check, the call and the outcome. */
export function toRunStory(entries: readonly LedgerEntry[]): Line[] {
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
    ...toColumns(rows.map(([name, value]) => [`  ${name}`, value])),
    ...(run!.state === 'interrupted'
      ? ['  It began and no end is recorded: its process died, or it is still running.']
      : []),
    '',
    paint('bold', 'Stages'),
    ...steps.flatMap(toStageLines),
  ]
}

function toStageLines({ stage, passed, details }: StepRecord): Line[] {
  const mark = passed ? paint('green', '  ✓ ') : paint('red', '  ✗ ')
  const [first = '', ...more] = (tellers[stage] ?? printEverything)(details)
  return [[mark, paint('bold', stage.padEnd(10)), ` ${first}`], ...more.map((line) => `               ${line}`)]
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
    ...(callId ? [`toolpact ledger show ${String(callId).slice(0, 8)} tells the decision and the checks`] : []),
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
