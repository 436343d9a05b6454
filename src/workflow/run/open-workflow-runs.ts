import { isObject, type JsonSchema } from '../../contract/json.ts'
import { compileSchema } from '../../contract/schema/compile-schema.ts'
import { showText } from '../../contract/text/show-value.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { StoredRun, StoredStep } from '../../runtime/storage/runs.ts'
import type { CallStep, Workflow } from '../document/workflow.ts'
import { recordEnd } from './record-end.ts'
import type { RunEngine } from './run-engine.ts'
import { toRunError } from './run-errors.ts'
import { RunSteps, toErrorValue } from './run-steps.ts'
import { cancelRun } from './run-workflow.ts'
import { fromStoredRequest } from './stored-request.ts'
import { toRun, toRunDetails } from './to-run.ts'
import type { ResumeDecision, Run, RunDetails, WorkflowRuns } from './workflow-runs.ts'

const pageSize = 50

/** The runs of workflows, as people and programs see them. */
export function openWorkflowRuns(engine: RunEngine): WorkflowRuns {
  const { runs, plan } = engine.options

  async function get(id: string): Promise<StoredRun> {
    const run = await runs.find(id)
    if (!run)
      throw new ToolpactError('not_found', `There is no run ${showText(id)}. To see all runs: toolpact runs list`)
    return run
  }

  async function find(id: string): Promise<RunDetails | undefined> {
    const [run, texts, steps] = [await runs.find(id), await runs.texts(id), await runs.steps(id)]
    if (!run || !texts) return undefined
    return toRunDetails(run, { request: await fromStoredRequest(texts.request), result: texts.result, steps })
  }

  async function claim({ id, epoch, state }: StoredRun): Promise<StoredRun> {
    const run = await runs.claim(id, { ...engine.lease, epoch, state }, Date.now())
    if (!run) throw new ToolpactError('wrong_state', `The run ${id} has changed meanwhile. Look at it again: toolpact runs show ${id}`) // biome-ignore format: one line
    return run
  }

  async function goOn(run: StoredRun, change: { readonly steps?: StoredStep[]; readonly reset?: string[] }) {
    const { id, owner, epoch } = run
    if (!(await runs.change(id, { owner, epoch, ...change, durable: true }, Date.now()))) await get(id)
    engine.start(run)
    return toRun(await get(id))
  }

  return {
    async list(query = {}) {
      const { limit = pageSize, ...conditions } = query
      return (await runs.list({ ...conditions, limit })).map(toRun)
    },
    find,
    async cancel(id, by) {
      const { state, workflow, createdAt } = await get(id)
      const isCancelled = await cancelRun(engine, id, `${by} cancelled the run.`)
      await recordEnd(engine.options.ledger, { callId: id, tool: workflow, startedAt: createdAt, errorCode: 'run_cancelled', by }) // biome-ignore format: one line
      if (!isCancelled) throw new ToolpactError('wrong_state', `The run ${id} has ended already (${state}).`)
      return toRun(await get(id))
    },
    async resume(id, decision, by): Promise<Run> {
      const run = await get(id)
      const steps = await runs.steps(id)
      const step = steps.find(({ key }) => key === decision.step)
      if (run.state !== 'needs_person' || step?.state !== 'interrupted')
        throw new ToolpactError('wrong_state', `Step ${showText(decision.step)} of the run ${id} does not wait for a person. Look at it: toolpact runs show ${id}`) // biome-ignore format: one line
      const { request } = (await runs.texts(id))!
      const { workflow, caller } = await fromStoredRequest(request)
      const tool = findStep(workflow, step.key).tool
      const decided = await decide(step, decision, { by, output: (await engine.options.findContract(tool, caller))?.output }) // biome-ignore format: one line
      const claimed = await claim(run)
      if (decided) {
        const { callId = '', startedAt } = step
        const errorCode = decided.state === 'done' ? null : 'step_failed'
        await recordEnd(engine.options.ledger, { callId, tool, startedAt, errorCode, by })
      }
      return goOn(claimed, decided ? { steps: [decided] } : { reset: [step.key] })
    },
    async retry(id): Promise<Run> {
      const run = await get(id)
      if (run.state !== 'failed')
        throw new ToolpactError('wrong_state', `The run ${id} has not failed: it is ${run.state}. Only failed runs can be retried.`) // biome-ignore format: one line
      const { request } = (await runs.texts(id))!
      const reset = findFailed((await fromStoredRequest(request)).workflow, await runs.steps(id))
      return goOn(await claim(run), { reset })
    },
    plan,
    watch: (onChange) => runs.watch(onChange),
    async wait(id, { signal, onProgress } = {}) {
      const isOver = async () => {
        const { state } = await get(id)
        return isEnded(state) || (state === 'needs_person' && !engine.isActive(id))
      }
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          stop()
          resolve()
        }
        const stop = engine.follow(id, {
          onEnd: (end) => (end === 'ended' || end === 'needs_person') && settle(),
          onPause: settle,
          onProgress,
        })
        signal?.addEventListener('abort', settle, { once: true })
        isOver().then(
          (over) => (over || signal?.aborted ? settle() : engine.look()),
          (cause) => {
            stop()
            reject(cause)
          },
        )
      })
      return (await find(id))!
    },
    begin: ({ approver } = {}) => engine.serve(approver),
    pause: () => engine.pause(),
  }

  /** What becomes of an interrupted step. Undefined: it runs again. */
  async function decide(
    step: StoredStep,
    { as, output }: ResumeDecision,
    { by, output: schema }: { readonly by: string; readonly output: JsonSchema | undefined },
  ): Promise<StoredStep | undefined> {
    if (as === 'again') return undefined
    const ended = { ...step, endedAt: Date.now() }
    if (as === 'failed') return { ...ended, state: 'failed', value: toErrorValue(toRunError('step_failed', `${by} says that it failed.`)) } // biome-ignore format: one line
    if (!isObject(output))
      throw new ToolpactError('invalid_option', `Say what the step returned, as a JSON object: its output.`)
    const problems = schema ? (await compileSchema(schema)).validate(output) : []
    if (problems.length > 0) throw new ToolpactError('invalid_option', `The output is not what the tool of the step returns. ${problems[0]!.message}`) // biome-ignore format: one line
    return { ...ended, state: 'done', value: { output } }
  }
}

function isEnded(state: StoredRun['state']): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

function findStep({ steps }: Workflow, key: string): Pick<CallStep, 'tool'> {
  const step = steps.find(({ id }) => id === key.split('/')[0]) as CallStep
  return key.endsWith('/undo') && typeof step.onError === 'object' ? step.onError : step
}

/** The steps that a retry begins again: those whose failure stopped the run, and those that it left waiting. */
function findFailed(workflow: Workflow, stored: readonly StoredStep[]): string[] {
  const steps = new RunSteps(workflow, stored, { input: {}, run: { id: '', startedAt: '' } })
  return workflow.steps.flatMap((step) => {
    const own = stored.filter(({ key }) => key === step.id || key.startsWith(`${step.id}/`))
    const state = steps.get(step.id)?.state
    const isStopped = state === 'failed' && steps.stops(step)
    if (!isStopped && steps.hasEnded(step.id)) return []
    return own
      .filter((one) => one.key === step.id || one.state !== 'done' || one.key.endsWith('/undo'))
      .map(({ key }) => key)
  })
}
