import type { Contract } from '../../contract/contract.ts'
import { digest } from '../../contract/digest.ts'
import type { JsonObject } from '../../contract/json.ts'
import { type PlanGrant, RunPending } from '../../contract/run-part.ts'
import type { ToolContext } from '../../contract/tool.ts'
import type { ErrorData, ToolError } from '../../contract/tool-error.ts'
import type { Workflow } from '../document/workflow.ts'
import type { RunEngine } from './run-engine.ts'
import { toStoredRequest } from './stored-request.ts'
import type { Plan } from './workflow-runs.ts'

/** A workflow that is served as a tool. */
export interface ServedWorkflow {
  /** Full id of its tool. */
  readonly id: string
  readonly workflow: Workflow
  readonly document: JsonObject
  readonly contract: Contract
}

/** The `run` of a workflow's tool: stores a run, and waits for its end as long as the caller does. */
export async function runWorkflow(
  engine: RunEngine,
  { id: tool, workflow, document, contract }: ServedWorkflow,
  { input, context }: { readonly input: JsonObject; readonly context: ToolContext },
): Promise<JsonObject | ToolError> {
  const { runs, workspace } = engine.options
  const { callId: id, caller, signal, fail, run: followed, trace } = context
  const now = Date.now()
  const lease = engine.lease
  const { approvedBy } = followed ?? {}
  const grants = workflow.approval === 'plan' && approvedBy !== undefined ? toGrants(await engine.options.plan(tool, input, caller), approvedBy) : undefined // biome-ignore format: one line
  const limit = await runs.add(
    {
      ...{ id, workflow: tool, contractDigest: digest(contract), caller: caller.name, workspace },
      ...{ owner: lease.owner, leaseUntil: lease.until, total: workflow.steps.length },
      request: toStoredRequest(document, { input, caller, ...(trace && { trace }), ...(grants && { grants }) }),
    },
    now,
  )
  if (limit) {
    const whose = limit.scope === 'caller' ? 'of this caller ' : ''
    return fail('too_many_runs', `${limit.max} runs ${whose}have not ended, which is the limit.`)
  }
  followed?.onStart?.(id)
  const end = await new Promise<'ended' | 'detached' | 'aborted'>((resolve) => {
    const stop = engine.follow(id, {
      onEnd: (end) => {
        if (end === 'ended') settle('ended')
        if (end === 'needs_person') settle('detached')
      },
      onProgress: context.progress,
      onPause: () => settle('detached'),
    })
    const settle = (how: 'ended' | 'detached' | 'aborted') => {
      stop()
      clearTimeout(timer)
      resolve(how)
    }
    const detached = () => settle('detached')
    // Before the timeout of the call, which would not say that the run continues.
    const timer = setTimeout(detached, Math.min(contract.limits.timeoutMs * 0.95, 2 ** 31 - 1))
    signal.addEventListener('abort', () => settle('aborted'), { once: true })
    if (followed?.detach?.aborted) detached()
    followed?.detach?.addEventListener('abort', detached, { once: true })
    const stored = { id, workflow: tool, contractDigest: '', caller: caller.name, workspace, state: 'running', createdAt: now, updatedAt: now, expiresAt: 0, owner: lease.owner, epoch: 1, leaseUntil: lease.until, done: 0, total: workflow.steps.length } as const // biome-ignore format: one line
    engine.start(stored, followed?.call)
    if (signal.aborted) settle('aborted')
  })
  engine.detach(id)
  if (end === 'aborted' && !engine.isPausing) {
    await cancelRun(engine, id, 'The caller cancelled the call.')
    return fail('run_cancelled', 'The caller cancelled the call.')
  }
  if (end !== 'ended') throw await toPending(engine, tool, id)
  const { result } = (await runs.texts(id)) ?? {}
  const error = result?.error as unknown as ErrorData | undefined
  if (error) return fail(error.code, error.message, { suggestion: error.suggestion.replaceAll(' ID', ` ${id}`) })
  return result?.output as JsonObject
}

/** The calls of a plan whose input is known: a yes to the plan is a yes to them. */
function toGrants({ steps }: Plan, by: string): { [step: string]: PlanGrant } {
  return Object.fromEntries(
    steps.flatMap(({ id, tool, contractDigest, inputDigest }) =>
      tool === undefined || contractDigest === undefined || inputDigest === undefined
        ? []
        : [[id, { tool, contractDigest, inputDigest, by }]],
    ),
  )
}

/** Ends a run that has not ended, and its questions. Returns false if it had ended, or there is none. */
export async function cancelRun(engine: RunEngine, id: string, message: string): Promise<boolean> {
  const { runs, approvals } = engine.options
  const steps = await runs.steps(id)
  const error = { code: 'run_cancelled', message, suggestion: 'Call again if the result is still wanted.', status: 409, fixable: true } // biome-ignore format: one line
  const now = Date.now()
  const before = await runs.cancel(id, { error }, { now, expiresAt: now + engine.keepMs })
  engine.drop(id)
  if (!before || !['running', 'waiting', 'needs_person'].includes(before.state)) return false
  for (const { state, questionId } of steps)
    if (state === 'waiting' && questionId !== undefined) await approvals.discard(questionId, now).catch(() => {})
  return true
}

async function toPending(engine: RunEngine, tool: string, id: string): Promise<RunPending> {
  const steps = await engine.options.runs.steps(id)
  const asked = steps.find(({ state, questionId }) => state === 'waiting' && questionId !== undefined)
  const timed = steps.find(({ state, wakesAt }) => state === 'waiting' && wakesAt !== undefined)
  const stuck = steps.find(({ state }) => state === 'interrupted')
  const why = stuck
    ? `needs a person at step '${stuck.key}'`
    : asked
      ? `waits for a person's approval of step '${asked.key}': toolpact approvals approve ${asked.questionId}`
      : timed
        ? `waits at step '${timed.key}' until ${new Date(timed.wakesAt!).toISOString()}`
        : 'continues'
  return new RunPending(`The run ${id} of '${tool}' ${why}.`, `Look at it later: toolpact runs show ${id}`)
}
