import type { CallResult } from '../../contract/call-result.ts'
import { printable } from '../../contract/text/printable.ts'
import { answerQuestion, findRefusal } from '../../runtime/approval/answer-question.ts'
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../runtime/approval/approver.ts'
import { createQueueApprover } from '../../runtime/approval/queue-approvers.ts'
import type { Approvals } from '../../runtime/storage/storage.ts'
import { type Options, UsageError } from '../options/command.ts'
import type { Tty } from './prompt/open-tty.ts'
import type { Spinner } from './spinner.ts'
import { paint, type Terminal } from './terminal.ts'
import { readUserName } from './user-name.ts'

export interface ChosenApprover {
  readonly ask: Approver
  /** Adds a suggestion if the call was refused only because it could not be asked about. */
  explain(result: CallResult): CallResult
}

const queueWaitMs = 60_000
const terminalWaitMs = 600_000
const maxWaitSeconds = 86_400

/**
 * Chooses the approver: automatic with `--yes`, otherwise the terminal, otherwise the approval queue. `askLater`: asks about a
 * step of a run in the queue, where the run waits by itself.
 */
export function chooseApprover(
  terminal: Terminal,
  options: Options,
  approvals: () => Approvals,
  askLater?: Approver,
): ChosenApprover {
  const waitMs = toWaitMs(options)
  let nobody = false

  async function askPerson(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const by = readUserName()
    const refusal = findRefusal(request, { person: by, via: 'terminal' })
    const { openTty } = await import('./prompt/open-tty.ts')
    const tty = refusal === undefined ? openTty() : undefined
    const laterOf = request.run && askLater
    // Ctrl-C leaves a run, and answers nothing.
    const until = laterOf ? AbortSignal.any([signal, terminal.signal]) : signal
    const answer = tty && (await askThere(tty, request, { by, signal: until }))
    if (laterOf && (terminal.signal.aborted || answer?.answer === 'timeout')) return laterOf(request, signal)
    const needsOthers = (request.terms?.people ?? 1) > 1
    if (answer && (answer.answer !== 'yes' || !needsOthers)) return answer
    if (refusal !== undefined) terminal.log([paint('yellow', 'Note:'), ` ${printable(refusal)}`])
    if (waitMs === 0) {
      nobody = true
      return { answer: 'no', by: 'nobody: no terminal, and no waiting' }
    }
    if (laterOf) {
      const asked = await laterOf(request, signal)
      if (answer && asked.id !== undefined)
        terminal.log((await answerQuestion(approvals(), { id: asked.id, answer: 'yes', person: by, via: 'terminal' })).message) // biome-ignore format: one line
      return asked
    }
    const wait = { approvals: approvals(), waitMs: waitMs ?? queueWaitMs }
    const onWaiting = async (asked: ApprovalRequest) => {
      if (answer) {
        const yes = { id: asked.questionId, answer: 'yes', person: by, via: 'terminal' } as const
        terminal.log((await answerQuestion(wait.approvals, yes)).message)
      }
      printWaiting(asked, terminal, wait.waitMs)
      const { startSpinner } = await import('./spinner.ts')
      spinner = startSpinner('Waiting for approval')
    }
    let spinner: Spinner | undefined
    return createQueueApprover({ ...wait, onWaiting })(request, signal).finally(() => spinner?.stop())
  }

  async function askThere(tty: Tty, request: ApprovalRequest, { by, signal }: { by: string; signal: AbortSignal }) {
    const { askAtTerminal } = await import('./prompt/ask-at-terminal.ts')
    return askAtTerminal(request, { tty, by, waitMs: waitMs || terminalWaitMs, signal }).finally(tty.close)
  }

  return {
    ask: options.yes ? approveAll : askPerson,
    explain(result) {
      if (!nobody || result.success || result.error.code !== 'approval_denied') return result
      const suggestion =
        'Run it in a terminal, or without --no-wait to approve it with `toolpact approvals`, or add --yes.'
      return { ...result, error: { ...result.error, suggestion } }
    },
  }
}

/** Implements `--yes`. */
export const approveAll: Approver = Object.assign(
  async () => ({ answer: 'yes', by: readUserName(), via: '--yes' }) as const,
  { isBlind: true },
)

/** Undefined if neither option is given. */
export function toWaitMs({ wait, 'no-wait': noWait }: Options): number | undefined {
  if (noWait && wait !== undefined) throw new UsageError('Give --wait or --no-wait, not both.')
  if (noWait) return 0
  if (wait === undefined) return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(wait) ? Number(wait) : Number.NaN
  if (!(seconds <= maxWaitSeconds))
    throw new UsageError(`--wait cannot be '${wait}'.`, `Use a number of seconds, up to ${maxWaitSeconds}.`)
  return seconds * 1000
}

function printWaiting({ questionId, binding }: ApprovalRequest, terminal: Terminal, waitMs: number) {
  const id = questionId.slice(0, 8)
  terminal.log(
    [paint('yellow', 'Waiting'), ` up to ${waitMs / 1000} s for approval of ${binding.tool}. In another terminal:`],
    `  toolpact approvals show ${id}       what it would do`,
    `  toolpact approvals approve ${id}    let it run`,
    `  toolpact approvals deny ${id}       refuse it`,
  )
}
