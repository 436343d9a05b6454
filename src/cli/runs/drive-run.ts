import { isatty } from 'node:tty'
import type { Toolpact } from '../../app/app.ts'
import type { CallResult } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { toResultJson } from '../../projections/result-json.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import { createRunApprover } from '../../surfaces/asking.ts'
import { toRunDetailsJson } from '../../surfaces/run-json.ts'
import { toRunResult } from '../../surfaces/run-result.ts'
import type { RunDetails } from '../../workflow/run/workflow-runs.ts'
import type { Request } from '../options/command.ts'
import { type ChosenApprover, chooseApprover, toWaitMs } from '../terminal/choose-approver.ts'
import { exitCodes, toExitCode } from '../terminal/exit-codes.ts'
import { printResult } from '../terminal/print-result.ts'
import type { Status } from '../terminal/status.ts'
import { type Line, paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'
import { toStepLines } from './run-lines.ts'

export interface Opened {
  readonly toolpact: Toolpact
  readonly status?: Status | undefined
  readonly approver?: ChosenApprover
}

/** Opens Toolpact for a run that goes on in this process: its steps ask at this terminal. */
export async function openToDrive({ options, terminal, open }: Request): Promise<Opened> {
  const status = !options.json && isatty(2) ? (await import('../terminal/status.ts')).createStatus() : undefined
  const askLater: Approver = (...asked) => createRunApprover(toolpact.approvals, { onWaiting() {} })(...asked)
  const approver = chooseApprover(terminal, options, () => toolpact.approvals, askLater)
  const toolpact: Toolpact = await open({
    approver: status?.around(approver.ask) ?? approver.ask,
    person: readUserName(),
  })
  return { toolpact, status, approver }
}

const queueWaitMs = 60_000

/** When to leave a run: with Ctrl-C, or once it has waited for an approval for as long as a call would without a terminal. */
export function createLeaver({ options, terminal }: Request) {
  const over = new AbortController()
  const waitMs = toWaitMs(options) ?? (isatty(0) || isatty(2) ? undefined : queueWaitMs)
  let timer: NodeJS.Timeout | undefined
  return {
    signal: AbortSignal.any([terminal.signal, over.signal]),
    look({ waitsFor }: RunDetails) {
      const isAsking = waitsFor.some(({ questionId }) => questionId !== undefined)
      if (!isAsking) timer = void clearTimeout(timer)
      else if (waitMs !== undefined) timer ??= setTimeout(() => over.abort(), waitMs)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Prints how a run ended, or how it goes on. Returns the exit code, which is that of a call. */
export async function printRun(run: RunDetails, request: Request, contract?: Contract): Promise<number> {
  const result = toRunResult(run)
  if (result) return printEnd(result, request, contract)
  const { options, terminal } = request
  if (options.json) terminal.print(printableJson(toRunDetailsJson(run)))
  else terminal.log(...toOpenLines(run, terminal.columns))
  return run.state === 'needs_person' ? exitCodes.failed : exitCodes.later
}

/** As `toolpact call` prints it, with the id of the run. */
export async function printEnd(result: CallResult, request: Request, contract?: Contract): Promise<number> {
  const { options, terminal } = request
  const workspace = options.workspace ?? '.'
  const id = printable(result.callId)
  if (options.json) terminal.print(printableJson({ ...toResultJson(result), ...(id !== '' && { run_id: id }) }))
  else if (result.success && terminal.columns !== undefined) {
    const { showResult } = await import('../terminal/show-result.ts')
    showResult(result, { terminal, workspace, contract, waitedMs: result.durationMs })
  } else printResult(result, { terminal, json: false, workspace })
  if (!options.json && id !== '') terminal.log(paint('dim', toAfterText(result)))
  return toExitCode(result)
}

function toAfterText({ success, callId }: CallResult): string {
  const id = callId.slice(0, 8)
  return success ? `Its steps: toolpact runs show ${id}` : `Its steps: toolpact runs show ${id}. From the failed step again: toolpact runs retry ${id}` // biome-ignore format: one line
}

/** A run that was left before its end, and the commands that go on. */
function toOpenLines(run: RunDetails, width: number | undefined): Line[] {
  const { id, state, progress } = run
  const short = id.slice(0, 8)
  const what = state === 'needs_person' ? 'needs a person' : `is not finished: ${progress.done} of ${progress.total} steps have ended` // biome-ignore format: one line
  return [
    [paint('yellow', `Run ${short}`), ` ${what}.`],
    ...(state === 'needs_person' ? toStepLines(run, width) : []),
    'A server of this folder (toolpact serve) continues it. Otherwise:',
    `  toolpact runs resume ${short}    continue it here`,
    `  toolpact runs cancel ${short}    end it`,
  ]
}
