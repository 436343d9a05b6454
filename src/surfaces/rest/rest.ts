import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallResult } from '../../contract/call-result.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller } from '../../contract/tool.ts'
import { toTraceContext } from '../../contract/trace-context.ts'
import type { Approver } from '../../runtime/approval/approver.ts'
import { createDeferringApprover } from '../../runtime/approval/queue-approvers.ts'
import { type Asking, createRunApprover, toKeepOptions } from '../asking.ts'
import { toNeededScopes } from '../http/credentials.ts'
import type { HttpSurface, RequestContext, Route } from '../http/route.ts'
import { sendProblem } from '../http/send-problem.ts'
import type { Served } from '../served.ts'
import { sendAnswer, toAnswer } from './answer.ts'
import { sendApproval, takeApproval } from './approvals.ts'
import { type Parsed, toInput } from './body.ts'
import { createCheckpointRoutes } from './checkpoints.ts'
import { createKeys } from './keys.ts'
import { createPages } from './pages.ts'
import { createRunRoutes } from './runs.ts'
import { createStartedRuns } from './started-runs.ts'

export interface RestOptions {
  /** The version of Toolpact, for the OpenAPI document. */
  readonly version: string
  /** Public tools can be called without a token. Default: false. */
  readonly allowsPublic?: boolean
  readonly asking: Pick<Asking, 'always' | 'keepMs' | 'onWaiting'>
  /** Receives failures that do not change the response. */
  readonly onFault?: (message: string, cause: unknown) => void
}

const origin = { surface: 'rest', transport: 'tcp' } as const

const queryForm = /^[\x21-\x7e]{1,256}$/

/** Serves the tools as a REST API, with its OpenAPI document. */
export function createRest(
  served: Served,
  { version, allowsPublic = false, asking, onFault = () => {} }: RestOptions,
): Required<HttpSurface> {
  const pages = createPages(served.catalog, { version, allowsPublic })
  const calls = createCalls()
  const keys = createKeys(served, onFault)
  const startedRuns = createStartedRuns(served)
  const { approvals } = served
  // Options are read for each call: the config may change.
  const approver: Approver =
    asking.always ?? ((...asked) => createDeferringApprover(toKeepOptions(approvals, asking))(...asked))

  const runApprover: Approver = asking.always ?? ((...asked) => createRunApprover(approvals, asking)(...asked))

  const routes: readonly Route[] = [
    {
      methods: ['GET'],
      path: '/v1/tools',
      takesPublic: true,
      handle: (request, response, { caller }) => pages.sendTools(request, response, caller),
    },
    {
      methods: ['GET', 'POST'],
      path: '/v1/tools/{name}',
      takesPublic: true,
      handle(request, response, { body, caller, params, stepUp }) {
        const name = decode(params.name!)
        if (name === undefined) return sendProblem(response, 'bad_request', badEscape)
        if (request.method !== 'POST') return pages.sendContract(request, response, { name, caller })
        return call(request, response, { caller, stepUp, name, parsed: toInput(body) })
      },
    },
    {
      methods: ['POST'],
      path: '/v1/call',
      takesPublic: true,
      handle: (request, response, { body, caller, stepUp }) =>
        call(request, response, { caller, stepUp, ...toNamedCall(toInput(body)) }),
    },
    {
      methods: ['GET', 'POST'],
      path: '/v1/approvals/{id}',
      handle(request, response, { body, caller, params }) {
        const id = decode(params.id!)
        if (id === undefined) return sendProblem(response, 'bad_request', badEscape)
        const asked = { id, caller }
        if (request.method !== 'POST') return sendApproval(approvals, response, asked)
        const parsed = toInput(body)
        if (!parsed.ok) return sendProblem(response, 'invalid_json', { detail: parsed.message })
        return takeApproval(approvals, response, { ...asked, body: parsed.value })
      },
    },
    ...createRunRoutes(served),
    ...createCheckpointRoutes(served.proof?.received),
    {
      methods: ['GET'],
      path: '/openapi.json',
      takesPublic: true,
      handle: (request, response, { caller }) => pages.sendDocument(request, response, caller),
    },
  ]

  async function call(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
    const { name, parsed, fault, caller, stepUp } = asked
    if (!parsed.ok) return sendProblem(response, 'invalid_json', { detail: parsed.message })
    if (fault !== undefined) return sendProblem(response, 'invalid_call', { detail: fault })
    const input = parsed.value
    const queryId = request.headers['toolpact-query'] as string | undefined
    if (queryId !== undefined && !queryForm.test(queryId)) return sendProblem(response, 'invalid_query')
    const query = queryId === undefined ? undefined : served.queries.find(queryId, caller)
    const approvalId = request.headers['toolpact-approval-id'] as string | undefined
    const trace = toTraceContext(request.headers.traceparent, request.headers.tracestate)
    const started = await startedRuns.begin(request, name, caller)
    const run = async (signal: AbortSignal) => {
      const result = await served.call(name, input, {
        ...{ caller, approver, signal, origin },
        ...(trace && { trace }),
        ...(query && { query }),
        ...(approvalId !== undefined && { approvalId }),
        ...(started && { run: started.run, innerApprover: runApprover }),
      })
      const scope = result.success ? undefined : result.error.scope
      if (scope !== undefined) response.setHeader('WWW-Authenticate', stepUp(scope, toNeededScopes(caller, scope)))
      return result
    }
    const toReply = started?.toAnswer ?? toAnswer
    const key = await keys.find(request, name, caller)
    if (key === undefined) return sendAnswer(response, await toReply(await calls.whileConnected(response, run)))
    // A client with a key can come back for the response, so the call continues if the connection is lost.
    await keys.answer(response, { ...key, input, run: () => calls.toTheEnd(run), toReply })
  }

  return { routes, close: calls.close }
}

interface Asked {
  readonly name: string
  readonly parsed: Parsed
  /** What is wrong with the body of a named call. */
  readonly fault?: string
  readonly caller: Caller
  readonly stepUp: RequestContext['stepUp']
}

/** Reads `{"tool": "hello", "parameters": {…}}`. The pipeline checks the parameters. */
function toNamedCall(parsed: Parsed): Omit<Asked, 'caller' | 'stepUp'> {
  const unread = { name: '', parsed }
  if (!parsed.ok) return unread
  const body = parsed.value
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { ...unread, fault: 'The body is not an object.' }
  const { tool, parameters = {}, ...others } = body
  if (typeof tool !== 'string') return { ...unread, fault: "'tool' is not a string: the name of a tool." }
  const [other] = Object.keys(others)
  if (other !== undefined) return { ...unread, fault: `'${shorten(other, 100)}' is neither 'tool' nor 'parameters'.` }
  return { name: tool, parsed: { ok: true, value: parameters } }
}

const badEscape = { detail: 'The path has an invalid percent-encoding.' }

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

type Run = (signal: AbortSignal) => Promise<CallResult>

/** The calls in flight. */
function createCalls() {
  const inFlight = new Map<AbortController, Promise<CallResult>>()

  /** Cancels the call when the client disconnects. */
  async function whileConnected(response: ServerResponse, run: Run): Promise<CallResult> {
    const controller = new AbortController()
    const gone = () => controller.abort()
    response.once('close', gone)
    if (response.destroyed) gone()
    try {
      return await watch(controller, run)
    } finally {
      response.off('close', gone)
    }
  }

  /** Lets the call finish even if the client disconnects. */
  function toTheEnd(run: Run): Promise<CallResult> {
    return watch(new AbortController(), run)
  }

  async function watch(controller: AbortController, run: Run): Promise<CallResult> {
    const running = run(controller.signal)
    inFlight.set(controller, running)
    try {
      return await running
    } finally {
      inFlight.delete(controller)
    }
  }

  /** Waits this long for calls to finish, then cancels the rest. */
  async function close(graceMs: number): Promise<void> {
    const ended = Promise.allSettled(inFlight.values())
    const timer = new AbortController()
    await Promise.race([ended, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
    for (const controller of inFlight.keys()) controller.abort()
    await ended
  }

  return { whileConnected, toTheEnd, close }
}
