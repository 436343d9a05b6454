import type { Toolpact } from '../../app/app.ts'
import { canonicalJson } from '../../contract/canonical-json.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { toChangeRows } from '../../runtime/approval/text/to-summary.ts'
import type { Plan, PlannedStep } from '../../workflow/run/workflow-runs.ts'
import { commandCaller, type Request } from '../options/command.ts'
import { requireRuns } from '../runs/find-run.ts'
import { toColumns } from '../terminal/columns.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { toProblemText } from '../terminal/print-result.ts'
import { type Line, type Part, paint } from '../terminal/terminal.ts'
import { toValueRows } from '../terminal/value-rows.ts'
import type { GivenWorkflow } from './run.ts'

/** Plans a run: nothing runs, asks or is recorded. */
export function planRun(toolpact: Toolpact, { id, input }: Pick<GivenWorkflow, 'id' | 'input'>): Promise<Plan> {
  return requireRuns(toolpact).plan(id, input, commandCaller)
}

/** Prints what each step would call and ask. Returns the exit code. */
export function printPlan(plan: Plan, { options, terminal }: Request): number {
  if (options.json) terminal.print(printableJson(plan as unknown as JsonObject))
  else terminal.print(...toPlanLines(plan, terminal.columns))
  if (plan.problems.length > 0) return exitCodes.usage
  return plan.steps.some(isStopped) ? exitCodes.refused : exitCodes.success
}

/** Whether what was shown is still what would happen. */
export function isSamePlan(one: Plan, other: Plan): boolean {
  return canonicalJson(one as unknown as JsonObject) === canonicalJson(other as unknown as JsonObject)
}

/** A run would end there: its policy denies the call, or it is known to fail. */
function isStopped({ runs, action, problem }: PlannedStep): boolean {
  return runs === 'yes' && (action === 'deny' || problem !== undefined)
}

function toPlanLines({ workflow, problems, steps }: Plan, width: number | undefined): Line[] {
  if (problems.length > 0)
    return [
      [paint('red', 'Error:'), ` The input does not match the contract of ${printable(workflow)}.`],
      ...problems.map((problem) => `  ${toProblemText(problem)}`),
      `The contract: toolpact show ${printable(workflow)}`,
    ]
  return [paint('bold', `Plan of ${printable(workflow)}`), ...steps.flatMap((step) => toStepLines(step, width)), '', toSum(steps)] // biome-ignore format: one line
}

function toStepLines(step: PlannedStep, width: number | undefined): Line[] {
  const { id, tool, risk, runs, items, foreseen, input, isInputKnown, problem } = step
  const many = items === undefined ? '' : ` × ${items}`
  const head: Part[] = [paint('bold', id), ` ${tool ?? 'waits'}${many}`, paint('dim', risk === undefined ? '' : ` (${risk})`)] // biome-ignore format: one line
  const facts: Part[][] = [
    ...(runs === 'yes' ? [] : [['    runs', paint('yellow', runs === 'skipped' ? 'no: its condition is false' : 'depends on an earlier step')]]), // biome-ignore format: one line
    ...(tool === undefined || runs === 'skipped' ? [] : [['    call', toActionPart(step)]]),
    ...(problem === undefined ? [] : [['    fails', paint('red', problem)]]),
  ]
  const rows = Math.max(20, (width ?? Infinity) - 5)
  return [
    '',
    ['  ', ...head],
    ...toColumns(facts, { width }),
    ...(input === undefined || runs === 'skipped' ? [] : [`    input${isInputKnown ? '' : ', made of'}`, ...toInputLines(input, rows)]), // biome-ignore format: one line
    ...(foreseen ? toChangeRows({ foreseen }, rows).map((row): Line => ['    ', ...row]) : []),
  ]
}

function toInputLines(input: JsonValue, width: number): Line[] {
  return toValueRows(input, Math.min(width, 400)).map((row) => ['      ', ...row])
}

function toActionPart({ action, reason }: PlannedStep): Part {
  const more = reason === undefined ? '' : `: ${reason}`
  switch (action) {
    case 'allow':
      return paint('green', `allowed${more}`)
    case 'ask':
      return paint('yellow', `asks for approval${more}`)
    case 'deny':
      return paint('red', `denied${more}`)
    case 'unknown':
      return paint('dim', `depends on its input${more}`)
  }
}

function toSum(steps: readonly PlannedStep[]): string {
  const count = (action: PlannedStep['action']) => steps.filter((step) => step.tool !== undefined && step.runs !== 'skipped' && step.action === action).length // biome-ignore format: one line
  const counts = [[count('ask'), 'ask for approval'], [count('deny'), 'denied'], [count('unknown'), 'known only when they run']] as const // biome-ignore format: one line
  const told = counts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  return `${steps.length} steps${told.length === 0 ? '' : `: ${told.join(', ')}`}. Nothing was called, asked or recorded.`
}
