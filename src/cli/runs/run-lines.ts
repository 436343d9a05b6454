import type { JsonValue } from '../../contract/json.ts'
import { printable } from '../../contract/text/printable.ts'
import { clipTo } from '../../runtime/approval/text/wrap.ts'
import { hasRunEnded, type RunState } from '../../runtime/storage/runs.ts'
import type { Run, RunDetails, RunStep, RunWait } from '../../workflow/run/workflow-runs.ts'
import { toColumns, toDuration, toLocalTime, toShortTime } from '../terminal/columns.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'
import { toValueRows } from '../terminal/value-rows.ts'

/** One row per run, newest first. */
export function toRunRows(runs: readonly Run[], width: number | undefined): Line[] {
  const toTime = width === undefined ? toLocalTime : toShortTime
  const rows = runs.map(({ id, workflow, caller, state, createdAt, progress: { done, total } }): Part[] => [
    paint('dim', toTime(toIso(createdAt))),
    id.slice(0, 8),
    workflow,
    caller,
    toStatePart(state),
    `${done} of ${total}`,
  ])
  return toColumns(rows, { width, drop: [3, 5] })
}

/** A run in detail: its steps, what it waits for with the command that answers, and what it returned. */
export function toRunLines(run: RunDetails, width: number | undefined): Line[] {
  const { id, workflow, contractDigest, caller, createdAt, updatedAt, state, input, steps, output, error } = run
  const facts: (readonly [string, Part])[] = [
    ['Workflow', workflow],
    ['Contract', contractDigest],
    ['Who', caller],
    ['Began', toLocalTime(toIso(createdAt))],
    ...(hasRunEnded(state) ? [['Ended', toLocalTime(toIso(updatedAt))] as const] : []),
    ['State', toStatePart(state)],
    ['Input', toOneLine(input)],
  ]
  return [
    paint('bold', `Run ${printable(id)}`),
    ...toColumns(facts.map(([name, value]) => [`  ${name}`, value]), { width }), // biome-ignore format: one line
    '',
    paint('bold', 'Steps'),
    ...toStepLines(run, width),
    ...(output === undefined ? [] : ['', paint('bold', 'Output'), ...toValueLines(output, width)]),
    ...(error === undefined
      ? []
      : [
          '',
          [paint('red', 'Error:'), ` ${printable(`${error.code}: ${error.message}`)}`],
          printable(error.suggestion),
        ]),
    ...toNextLines(run, steps),
  ]
}

/** Every step and item in one list of columns. */
export function toStepLines({ steps, waitsFor }: Pick<RunDetails, 'steps' | 'waitsFor'>, width?: number): Line[] {
  const waits = new Map(waitsFor.map((wait) => [wait.step, wait]))
  return toColumns(
    flatten(steps).map((step) => toStepRow(step, waits.get(step.key))),
    { width, drop: [3] },
  )
}

/** A step as a row: mark, key, tool, duration, and what became of it. */
export function toStepRow(step: RunStep, wait: RunWait | undefined): Part[] {
  const { key, tool, state, startedAt, endedAt } = step
  const [mark, style] = marks[state]
  const took = startedAt === undefined || endedAt === undefined ? '' : toDuration(endedAt - startedAt)
  return [paint(style, `  ${mark}`), key, tool ?? 'wait', paint('dim', took), toStoryPart(step, wait)]
}

/** Steps with `forEach` come before their items. */
export function flatten(steps: readonly RunStep[]): RunStep[] {
  return steps.flatMap((step) => [step, ...(step.items ?? [])])
}

/** What a step waits for, in words, with the command that answers. */
export function toWaitText({ questionId, until }: Pick<RunWait, 'questionId' | 'until'>): string {
  if (questionId !== undefined) return `waits for approval: toolpact approvals approve ${questionId.slice(0, 8)}`
  return until === undefined ? 'waits' : `waits until ${toLocalTime(toIso(until))}`
}

export function toStatePart(state: RunState): Part {
  return paint(stateStyles[state], state === 'needs_person' ? 'needs a person' : state)
}

function toStoryPart({ state, error, known, questionId, wakesAt }: RunStep, wait: RunWait | undefined): Part {
  switch (state) {
    case 'failed':
      return paint('red', error ? `failed: ${error.code}` : 'failed')
    case 'interrupted':
      return paint('magenta', known ? `interrupted. ${known.message}` : 'interrupted')
    case 'waiting':
      return paint('yellow', toWaitText(wait ?? toWait(questionId, wakesAt)))
    case 'done':
      return ''
    default:
      return paint('dim', state)
  }
}

function toWait(questionId: string | undefined, until: number | undefined): Pick<RunWait, 'questionId' | 'until'> {
  return { ...(questionId !== undefined && { questionId }), ...(until !== undefined && { until }) }
}

/** What a person can do about a run that does not go on by itself. */
function toNextLines({ id, state }: RunDetails, steps: readonly RunStep[]): Line[] {
  const short = id.slice(0, 8)
  if (state === 'needs_person' && flatten(steps).some((step) => step.state === 'interrupted'))
    return ['', `To say what became of the interrupted step: toolpact runs resume ${short}`]
  if (state === 'failed') return ['', `To run it again from the failed step: toolpact runs retry ${short}`]
  return []
}

function toValueLines(value: JsonValue, width: number | undefined): Line[] {
  if (width === undefined) return [`  ${JSON.stringify(value)}`]
  return toValueRows(value, Math.max(20, width - 3)).map((row) => ['  ', ...row])
}

const maxInput = 400

function toOneLine(value: JsonValue): string {
  return clipTo(printable(JSON.stringify(value)), maxInput)
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}

const marks = {
  pending: ['·', 'dim'],
  running: ['›', 'cyan'],
  waiting: ['…', 'yellow'],
  interrupted: ['!', 'magenta'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  skipped: ['-', 'dim'],
} as const satisfies Record<RunStep['state'], readonly [string, string]>

const stateStyles = {
  running: 'cyan',
  waiting: 'yellow',
  needs_person: 'magenta',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
} as const satisfies Record<RunState, string>
