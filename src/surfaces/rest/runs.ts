import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject, type JsonValue } from '../../contract/json.ts'
import type { Caller } from '../../contract/tool.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { findRunRefusal } from '../../runtime/approval/answer-question.ts'
import { runStates } from '../../runtime/storage/runs.ts'
import type { ResumeDecision, Run, RunDetails, RunListQuery, WorkflowRuns } from '../../workflow/run/workflow-runs.ts'
import type { Handle, Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import { toRunDetailsJson, toRunJson } from '../run-json.ts'
import type { Served } from '../served.ts'
import { sendAnswer } from './answer.ts'
import { toAnswerer } from './approvals.ts'
import { toInput } from './body.ts'

/**
 * `/v1/runs`: runs of workflows. A caller sees its own; those of others only if `approvers` in the config lets it answer over
 * REST for that workflow. What became of an interrupted step is such an answer, so a caller does not decide about its own.
 */
export function createRunRoutes(served: Pick<Served, 'runs' | 'catalog' | 'config'>): Route[] {
  const { runs } = served
  if (!runs) return []
  const rights = createRights(served)

  const withRun =
    (handle: (run: RunDetails, ...asked: Parameters<Handle>) => Promise<void> | void): Handle =>
    async (request, response, context) => {
      const run = await runs.find(context.params.id!)
      // What a caller may not see does not exist for it.
      if (!run || !(await rights.maySee(run, context.caller))) return sendMissing(response)
      return handle(run, request, response, context)
    }

  const toAction = (act: (id: string, by: string) => Promise<Run>): Handle =>
    withRun((run, _, response, { caller }) => answerWith(runs, response, () => act(run.id, caller.name)))

  return [
    {
      methods: ['GET'],
      path: '/v1/runs',
      handle: (request, response, { caller }) => sendList({ runs, rights }, { request, response, caller }),
    },
    { methods: ['GET'], path: '/v1/runs/{id}', handle: withRun((run, _, response) => sendRun(response, run)) },
    { methods: ['POST'], path: '/v1/runs/{id}/cancel', handle: toAction((id, by) => runs.cancel(id, by)) },
    { methods: ['POST'], path: '/v1/runs/{id}/retry', handle: toAction((id, by) => runs.retry(id, by)) },
    {
      methods: ['POST'],
      path: '/v1/runs/{id}/resume',
      handle: withRun(async (run, _, response, { caller, body }) => {
        const parsed = toInput(body)
        if (!parsed.ok) return sendProblem(response, 'invalid_json', { detail: parsed.message })
        const decision = toDecision(parsed.value)
        if (!decision) return sendProblem(response, 'invalid_decision')
        const refusal = await rights.findRefusal(run, caller)
        if (refusal !== undefined) return sendProblem(response, 'may_not_answer', { detail: refusal })
        return answerWith(runs, response, () => runs.resume(run.id, decision, caller.name))
      }),
    },
  ]
}

type Rights = ReturnType<typeof createRights>

/** The config is read for each request: it may change. */
function createRights(served: Pick<Served, 'catalog' | 'config'>) {
  /** Why this caller may not decide about a run; undefined if it may. */
  async function findRefusal({ workflow: tool, caller }: Run, person: Caller): Promise<string | undefined> {
    const found = await served.catalog.find(tool)
    const risk = found.kind === 'found' ? found.tool.contract.risk : 'dangerous'
    return findRunRefusal(served.config ?? {}, { tool, risk, caller }, toAnswerer(person))
  }

  return {
    findRefusal,
    async maySee(run: Run, caller: Caller): Promise<boolean> {
      return run.caller === caller.name || (await findRefusal(run, caller)) === undefined
    },
  }
}

interface Listing {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly caller: Caller
}

async function sendList(
  { runs, rights }: { readonly runs: WorkflowRuns; readonly rights: Rights },
  { request, response, caller }: Listing,
): Promise<void> {
  const query = readQuery(request.url, caller.name)
  if (typeof query === 'string') return sendProblem(response, 'bad_request', { detail: query })
  const page = await runs.list({ ...query, limit: query.limit + 1 })
  const shown = page.slice(0, query.limit)
  const visible: Run[] = []
  for (const run of shown) if (await rights.maySee(run, caller)) visible.push(run)
  const next = page.length > shown.length ? { next: toCursor(shown.at(-1)!) } : {}
  sendAnswer(response, { status: 200, body: JSON.stringify({ runs: visible.map(toRunJson), ...next }) })
}

const defaultLimit = 50
const maxLimit = 200

/** A text says what is wrong with it. */
function readQuery(target = '', self: string): (RunListQuery & { readonly limit: number }) | string {
  const given = new URL(target, 'http://localhost').searchParams
  const { state, workflow, caller = self, after, limit = `${defaultLimit}`, ...others } = Object.fromEntries(given)
  const [other] = Object.keys(others)
  if (other !== undefined) return 'Use the parameters state, workflow, caller, after and limit.'
  const isState = (text: string) => runStates.some((known) => known === text)
  if (state !== undefined && !isState(state)) return `state must be one of ${runStates.join(', ')}.`
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > maxLimit)
    return `limit must be a number from 1 to ${maxLimit}.`
  const start = after === undefined ? undefined : fromCursor(after)
  if (after !== undefined && !start) return 'after must be the next of an earlier page.'
  return {
    caller,
    limit: Number(limit),
    ...(state !== undefined && { state: state as (typeof runStates)[number] }),
    ...(workflow !== undefined && { workflow }),
    ...(start && { after: start }),
  }
}

function toCursor({ createdAt, id }: Run): string {
  return `${createdAt}.${id}`
}

function fromCursor(text: string): Pick<Run, 'id' | 'createdAt'> | undefined {
  const [, createdAt, id] = /^(\d{1,15}(?:\.\d+)?)\.([\w-]{1,64})$/.exec(text) ?? []
  return id === undefined ? undefined : { id, createdAt: Number(createdAt) }
}

/** `{"step": "write", "as": "done", "output": {…}}`. The output belongs to `done`. */
function toDecision(body: JsonValue): ResumeDecision | undefined {
  if (!isObject(body)) return undefined
  const { step, as, output, ...others } = body
  const isDone = as === 'done'
  if (typeof step !== 'string' || Object.keys(others).length > 0 || isDone !== isObject(output)) return undefined
  if (!isDone && as !== 'again' && as !== 'failed') return undefined
  return { step, as, ...(isObject(output) && { output }) }
}

/** Answers with the run as it is after the change. */
async function answerWith(runs: WorkflowRuns, response: ServerResponse, act: () => Promise<Run>): Promise<void> {
  try {
    const { id } = await act()
    const run = await runs.find(id)
    return run ? sendRun(response, run) : sendMissing(response)
  } catch (cause) {
    if (!(cause instanceof ToolpactError)) throw cause
    const { code, message: detail } = cause
    if (code === 'not_found') return sendMissing(response)
    if (code === 'invalid_option') return sendProblem(response, 'invalid_decision', { detail })
    if (code === 'wrong_state') return sendProblem(response, 'run_state', { detail })
    throw cause
  }
}

function sendRun(response: ServerResponse, run: RunDetails): void {
  sendAnswer(response, { status: 200, body: JSON.stringify(toRunDetailsJson(run)) })
}

function sendMissing(response: ServerResponse): void {
  const detail = 'You have no run with this id, and may decide about none.'
  sendProblem(response, 'not_found', { detail, suggestion: 'Use the run_id of a 202, or one that GET /v1/runs lists.' })
}
