import type { JsonValue } from '../../contract/json.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { QueuedSummary } from '../../runtime/approval/queue.ts'
import type { RememberedQuestion } from '../../runtime/storage/storage.ts'
import type { ActionResponse } from './api/rules.ts'
import type { ResumeRequest, RunDetail, RunOutput, RunPage, RunRow, RunState, RunStepView } from './api/runs.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { pickGiven, readNumber, readText } from './read-query.ts'

/** The stream reports each change of a run, in any process. */
export const runEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'runs', right: 'view', handle: ({ query }, parts) => listRuns(parts, query) },
  {
    method: 'GET',
    path: 'runs/{id}',
    right: 'view',
    text: 'code',
    handle: async ({ params }, parts) =>
      toDetail(await findRun(parts, params.id!), await findAsking(parts, params.id!)),
  },
  {
    method: 'GET',
    path: 'runs/{id}/output',
    right: 'view',
    text: 'code',
    handle: async ({ params, query }, parts) => toOutput(await findRun(parts, params.id!), readText(query, 'step')),
  },
  {
    method: 'POST',
    path: 'runs/{id}/cancel',
    right: 'approve',
    async handle({ params, person }, parts): Promise<ActionResponse> {
      await orRefuse(runsOf(parts).cancel(params.id!, person.name))
      return { message: 'The run was cancelled. Steps that finished stay done.' }
    },
  },
  {
    method: 'POST',
    path: 'runs/{id}/retry',
    right: 'manage',
    async handle({ params, person }, parts): Promise<ActionResponse> {
      await orRefuse(runsOf(parts).retry(params.id!, person.name))
      return { message: 'The run continues at the step that failed.' }
    },
  },
  {
    method: 'POST',
    path: 'runs/{id}/resume',
    right: 'approve',
    body: 'ResumeRequest',
    async handle({ params, person, body }, parts): Promise<ActionResponse> {
      const decision = body as unknown as ResumeRequest
      await orRefuse(runsOf(parts).resume(params.id!, decision, person.name))
      return { message: `The run continues. ${decision.step} counts as ${resumed[decision.as]}.` }
    },
  },
]

const resumed = { done: 'done', again: 'not done, so it runs again', failed: 'failed' } as const

type Runs = NonNullable<ConsoleParts['toolpact']['runs']>
type Details = NonNullable<Awaited<ReturnType<Runs['find']>>>

function runsOf({ toolpact: { runs } }: ConsoleParts): Runs {
  if (runs) return runs
  throw new Refusal('not_found', 'The storage of this server keeps no runs.', 'Serve with the SQLite or the Postgres storage to use workflows.') // biome-ignore format: one line
}

async function listRuns({ toolpact: { runs, approvals } }: ConsoleParts, query: URLSearchParams): Promise<RunPage> {
  const limit = readNumber(query, 'limit', { max: 200 }) ?? 50
  const found = await runs?.list({
    ...pickGiven({
      state: readState(query),
      workflow: readText(query, 'workflow'),
      caller: readText(query, 'caller'),
      after: readAfter(query),
    }),
    limit: limit + 1,
  })
  const shown = (found ?? []).slice(0, limit)
  const last = shown.at(-1)
  const hasMore = found !== undefined && found.length > limit
  const asking = new Set(toStepQuestions(await approvals.questions(Date.now())).map(({ run }) => run))
  return {
    runs: shown.map((run) => toRow(run, asking.has(run.id))),
    next: hasMore && last ? `${last.createdAt}.${last.id}` : null,
  }
}

const states: readonly RunState[] = ['running', 'waiting', 'needs_person', 'completed', 'failed', 'cancelled']

function readState(query: URLSearchParams): RunState | undefined {
  const text = readText(query, 'state')
  const state = states.find((one) => one === text)
  if (text === undefined || state) return state
  throw new Refusal('invalid_request', `'state' must be one of ${states.join(', ')}.`)
}

function readAfter(query: URLSearchParams): { readonly id: string; readonly createdAt: number } | undefined {
  const text = readText(query, 'after')
  if (text === undefined) return undefined
  const [, createdAt, id] = /^(\d{1,15})\.(.+)$/.exec(text) ?? []
  if (id !== undefined) return { id, createdAt: Number(createdAt) }
  throw new Refusal('invalid_request', `'after' must be the 'next' of a page.`)
}

async function findRun(parts: ConsoleParts, id: string): Promise<Details> {
  const run = await runsOf(parts).find(id)
  if (run) return run
  throw new Refusal('not_found', 'There is no run with this id: it ended long ago, or the address is incomplete.', 'Choose a run from the list. Its calls are in the ledger.') // biome-ignore format: one line
}

/** Pending questions of a run, by the keys of their steps. */
type Asking = ReadonlyMap<string, { readonly id: string; readonly expiresAt: number }>

/** A step whose call waits for the answer is still running for the run itself. */
async function findAsking({ toolpact }: ConsoleParts, run: string): Promise<Asking> {
  const questions = toStepQuestions(await toolpact.approvals.questions(Date.now()))
  return new Map(questions.filter((one) => one.run === run).map(({ step, ...question }) => [step, question]))
}

/** The pending questions of steps. */
export function toStepQuestions(questions: readonly RememberedQuestion[]) {
  return questions.flatMap(({ id, expiresAt, state, summary }) => {
    const { run } = summary as Partial<QueuedSummary>
    return run && state === 'pending' ? [{ id, expiresAt, run: run.id, step: run.step }] : []
  })
}

function withQuestion(step: Step, asking: Asking): Step {
  const question = step.state === 'running' ? asking.get(step.key) : undefined
  const items = step.items?.map((item) => withQuestion(item, asking))
  return {
    ...step,
    ...(question && { state: 'waiting', questionId: question.id, wakesAt: question.expiresAt }),
    ...(items && { items }),
  }
}

function toRow(run: Omit<Details, 'input' | 'waitsFor' | 'steps'>, isAsking: boolean): RunRow {
  const { id, workflow, caller, createdAt, updatedAt, progress } = run
  const state = run.state === 'running' && isAsking ? 'waiting' : run.state
  return { id, workflow, caller, state, createdAt: toTime(createdAt), updatedAt: toTime(updatedAt), ...progress }
}

function toDetail(run: Details, asking: Asking): RunDetail {
  const { contractDigest, workspace, input, output, error } = run
  const steps = run.steps.map((step) => withQuestion(step, asking))
  return {
    ...toRow(run, asking.size > 0),
    ...{ contractDigest, workspace, input },
    steps: steps.map((step, index) => toStep(step, steps[index - 1]?.key)),
    ...(output !== undefined && { outputBytes: toSize(output) }),
    ...(error && { error: toError(error) }),
  }
}

type Step = Details['steps'][number]

function toStep(step: Step, before?: string): RunStepView {
  const { key, after, tool, state, startedAt, endedAt, callId, questionId, wakesAt, output, error, known } = step
  return {
    key,
    after: after ?? (before === undefined ? [] : [before]),
    state,
    ...pickGiven({
      tool,
      callId,
      questionId: state === 'waiting' ? questionId : undefined,
      startedAt: startedAt === undefined ? undefined : toTime(startedAt),
      endedAt: endedAt === undefined ? undefined : toTime(endedAt),
      wakesAt: wakesAt === undefined || state !== 'waiting' ? undefined : toTime(wakesAt),
      outputBytes: output === undefined ? undefined : toSize(output),
      error: error && toError(error),
      known: known && { intended: known.intended, message: known.message },
      items: step.items?.map((item) => toStep(item)),
    }),
  }
}

function toOutput(run: Details, key: string | undefined): RunOutput {
  const steps = run.steps.flatMap((step) => [step, ...(step.items ?? [])])
  const { output } = key === undefined ? run : (steps.find((step) => step.key === key) ?? {})
  if (output !== undefined) return { output }
  throw new Refusal('not_found', 'It has returned nothing.', 'Look at its state: only what is done has an output.')
}

function toError({ code, message, suggestion }: NonNullable<Details['error']>) {
  return { code, message, ...(suggestion !== undefined && { suggestion }) }
}

function toSize(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** A run that is not in a state for what was asked, or an output that does not fit. */
async function orRefuse<T>(action: Promise<T>): Promise<T> {
  return await action.catch((cause: unknown) => {
    if (cause instanceof ToolpactError)
      throw new Refusal(cause.code === 'not_found' ? 'not_found' : 'invalid_request', cause.message)
    throw cause
  })
}
