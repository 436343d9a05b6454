import type { CallResult } from '../contract/call-result.ts'
import { toPipelineError } from '../contract/error-codes.ts'
import type { ErrorData } from '../contract/tool-error.ts'
import { toApproveCommand } from '../runtime/approval/texts.ts'
import type { RunDetails } from '../workflow/run/workflow-runs.ts'

/** What the call that started a run returns. Undefined until the run has ended. */
export function toRunResult(run: RunDetails): CallResult | undefined {
  const { id: callId, workflow: tool, state, output, error, createdAt, updatedAt } = run
  const ended = { callId, tool, durationMs: updatedAt - createdAt }
  if (state === 'completed') return { success: true, ...ended, output: output ?? {} }
  if (state === 'failed' || state === 'cancelled')
    return { success: false, ...ended, ran: true, error: error ?? toPipelineError('cancelled', 'The run was cancelled.') } // biome-ignore format: one line
  return undefined
}

/** The error for a caller that waits no longer, and how it gets the result. */
export function toPendingError(run: RunDetails, suggestion: string): ErrorData {
  const { id, workflow } = run
  return toPipelineError('run_pending', `The run ${id} of ${workflow} has not ended. ${toRunText(run)}`, { suggestion })
}

/** How far a run is, and what it waits for, with the command that a person can run. */
export function toRunText({ id, state, progress: { done, total }, waitsFor, steps }: RunDetails): string {
  const far = `${done} of ${total} steps have ended.`
  if (state === 'needs_person')
    return `${far} A process ended during a step, and a person must say what became of it: toolpact runs resume ${id.slice(0, 8)}`
  const [question] = waitsFor.filter(({ questionId }) => questionId !== undefined)
  if (question)
    return `${far} The step ${question.step} waits for approval. A person must run: ${toApproveCommand(question.questionId!)}`
  const [wait] = waitsFor
  if (wait?.until !== undefined)
    return `${far} The step ${wait.step} waits until ${new Date(wait.until).toISOString()}.`
  const running = steps.filter(({ state }) => state === 'running').map(({ key }) => key)
  return running.length === 0 ? far : `${far} Running: ${running.join(', ')}.`
}

export function isPending(result: CallResult): boolean {
  return !result.success && result.error.code === 'run_pending'
}
