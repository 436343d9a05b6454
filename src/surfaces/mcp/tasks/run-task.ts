import type { Caller } from '../../../contract/tool.ts'
import { toMcpResultText } from '../../../projections/mcp.ts'
import { toTextReply } from '../../../protocol/reply.ts'
import { findRunOf, type StoredTask } from '../../../runtime/storage/tasks.ts'
import type { RunDetails } from '../../../workflow/run/workflow-runs.ts'
import { toRunResult, toRunText } from '../../run-result.ts'
import { choosePlace } from '../approval.ts'
import { type CallServices, toFailureMore, toMore } from '../call-tool.ts'
import type { Client } from '../server.ts'
import { hasEnded, type ViewedTask } from './task.ts'
import { toTaskQuestion } from './task-question.ts'

export interface Viewer {
  readonly client: Client
  readonly caller: Caller
}

/**
 * A task that follows a run is a view of that run, so it survives the process that started it, also if it was claimed to store
 * its end. Its questions are those of the steps that wait.
 */
export async function viewRunTask(services: CallServices, viewer: Viewer, task: StoredTask): Promise<ViewedTask> {
  const runId = findRunOf(task)
  if (runId === undefined || (hasEnded(task.state) && task.state !== 'interrupted')) return task
  const { questionId: _, ...own } = task
  const run = await services.served.runs?.find(runId)
  if (!run) return { ...own, state: 'interrupted' }
  const seen = { ...own, updatedAt: Math.max(run.updatedAt, task.createdAt) }
  const end = await toRunEnd(services, viewer, run)
  if (end) return { ...seen, ...end }
  const questions = await findQuestions(services, viewer, run)
  const [first] = questions
  const inputRequests = Object.assign({}, ...questions.map(({ inputRequests }) => inputRequests))
  return {
    ...seen,
    state: first ? 'waiting' : 'running',
    message: toRunText(run),
    ...(first && { questionId: first.id }),
    ...(Object.keys(inputRequests).length > 0 && { inputRequests }),
  }
}

/** What a task stores once its run has ended; undefined before. */
export async function toRunEnd(
  services: CallServices,
  { client, caller }: Viewer,
  run: RunDetails,
): Promise<Pick<StoredTask, 'state' | 'result' | 'isError'> | undefined> {
  if (run.state === 'cancelled') return { state: 'cancelled' }
  const result = toRunResult(run)
  if (!result) return undefined
  const found = await services.served.catalog.find(run.workflow, caller)
  const contract = found.kind === 'found' && result.success ? found.tool.contract : undefined
  const more = result.success ? toMore(services, client) : toFailureMore(services, client, result.error)
  const { text } = toTextReply(0, toMcpResultText(result, contract, more))
  return { state: 'completed', result: JSON.parse(text).result, isError: !result.success }
}

async function findQuestions({ served: { approvals }, asking }: CallServices, viewer: Viewer, run: RunDetails) {
  const found = []
  for (const { questionId } of run.waitsFor) {
    const question = questionId === undefined ? undefined : await approvals.find(questionId, Date.now())
    if (question?.state !== 'pending') continue
    const place = await choosePlace(asking, viewer, question)
    found.push(
      (await toTaskQuestion(approvals, question.id, place)) ?? { id: question.id, expiresAt: question.expiresAt },
    )
  }
  return found
}
