import { declaresApps } from '../../contract/app-ui.ts'
import type { TraceContext } from '../../contract/call-client.ts'
import type { CallFailure } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { isPublicCaller } from '../../contract/public-access.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import { toTraceContext } from '../../contract/trace-context.ts'
import { toMcpResultText } from '../../projections/mcp.ts'
import { toErrorJson, toErrorText } from '../../projections/result-json.ts'
import type { Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply, toTextReply } from '../../protocol/reply.ts'
import { tasksRevision } from '../../protocol/tasks.ts'
import type { CallOrigin } from '../../runtime/pipeline/call.ts'
import { maxQueryIdCharacters } from '../../runtime/pipeline/queries.ts'
import type { Asking } from '../asking.ts'
import type { Served } from '../served.ts'
import { answerCall, type ParkedCalls, toMissingReply } from './answer-call.ts'
import { type Approval, chooseApproval } from './approval.ts'
import { resolveForApp } from './apps.ts'
import type { Asked } from './call-offer.ts'
import type { CatalogueSearch, Target } from './catalogue-search.ts'
import type { Exchange } from './connection.ts'
import type { FoundTools } from './found-tools.ts'
import type { LiveCall } from './live-call.ts'
import { type Reporter, toReporter } from './progress.ts'
import type { RequestStates, StateKey } from './request-state.ts'
import type { Client } from './server.ts'
import type { TaskQuestion } from './tasks/task-question.ts'
import type { TaskRunner } from './tasks/task-runner.ts'
import { callWorkflow, findWorkflow } from './workflow-calls.ts'

export interface CallServices {
  readonly served: Served
  readonly asking: Asking
  readonly serverMeta: JsonObject
  /** Signs `requestState`. */
  readonly stateKey: StateKey
  /** The servers whose apps each session has read. */
  readonly shownApps: FoundTools
  /** Calls that wait for input of their clients. */
  readonly parked: ParkedCalls
  /** Set if clients search for tools. */
  readonly search: CatalogueSearch | undefined
  /** Absent if no storage holds tasks. */
  readonly tasks?: TaskRunner | undefined
}

/** With the question that the call waits for, if it may become a task. */
export interface CallReply extends Reply {
  readonly question?: TaskQuestion | undefined
}

export interface Live {
  readonly live: LiveCall
  readonly states: RequestStates
}

/** Answers `tools/call` with a call through the pipeline, which makes all decisions. */
export function callTool(services: CallServices, asked: Asked): Reply | Promise<Reply> {
  const { tasks } = services
  const { client, exchange, request } = asked
  const { task } = request.params
  if (task !== undefined && tasks && client.revision === tasksRevision && !isPublicCaller(exchange.caller))
    return beginTask(tasks, asked, task)
  return answerCall(services, asked, {
    work: (live, states) => runTool(services, asked, { live, states }),
    tasks: tasks?.takes(asked) ? tasks : undefined,
  })
}

/** For a client that asks for a task (2025-11-25). */
async function beginTask(tasks: TaskRunner, asked: Asked, task: JsonValue): Promise<Reply> {
  const { id } = asked.request
  const ttl = isObject(task) ? (task.ttl ?? undefined) : null
  if (ttl !== undefined && !(typeof ttl === 'number' && ttl >= 0))
    return refuse(id, 'task must be an object, and its ttl a number of milliseconds.')
  return tasks.begin(asked, ttl)
}

export async function runTool(
  services: CallServices,
  { request, client }: Asked,
  { live, states }: Live,
): Promise<CallReply> {
  const { id, params } = request
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') return refuse(id, 'name must be a string: the name of a tool.')
  const queryFault = findQueryFault(params)
  if (queryFault !== undefined) return refuse(id, queryFault)
  const { search } = services
  const asked = search?.toTarget(name, input) ?? { tool: name, input, options: {}, isNamedInArguments: false }
  const isNamed = !('fault' in asked) && asked.tool === name
  const hasApps = declaresApps(client.capabilities)
  const target = isNamed && hasApps ? await resolveForApp(services, live, asked) : asked
  if ('fault' in target)
    return toErrorResult(services, { request, client }, toPipelineError('invalid_input', target.fault))
  const progress = toReporter(params, live)
  const approval = chooseApproval(services, params, { exchange: live, client, progress, states })
  let contract: Contract | undefined
  let mismatch: string | undefined
  // One literal: if `inspect` is assigned, V8 keeps the whole call until the next full collection (0400).
  const options: CallOptions = {
    ...toCallOptions(services, live, { approval, progress }),
    ...target.options,
    // Without apps, and through `call_tool`, only a model can mean it.
    forModel: target.isNamedInArguments || !hasApps,
    inspect(found, input) {
      contract = found
      // Headers mirror the arguments of the tool that the client named.
      if (isNamed) mismatch = live.findInputFault?.(found, input)
      return mismatch
    },
  }
  const found = findWorkflow(services.served, target.tool, live)
  const workflow = found instanceof Promise ? await found : found
  const result = await (workflow === undefined
    ? services.served.call(target.tool, target.input, options)
    : callWorkflow(services, options, { id: workflow, input: target.input, live, progress }))
  // The request that asked may be another one by now.
  const last = live.current.request.id
  if (mismatch !== undefined) return toErrorReply(last, { code: errorCodes.headers, message: mismatch })
  if (search) await search.take(result, live)
  if (progress) await progress.settle()
  if (approval.refusal !== undefined) return refuse(last, approval.refusal)
  if (!result.success)
    return toMissingReply(live) ?? toFailureReply(services, { id: last, result, approval, client, target })
  return toTextReply(last, toMcpResultText(result, contract, toMore(services, client)))
}

/** The `_meta` key by which a client names the query of a call. */
const queryKey = 'toolpact/query'

/** What is wrong with the query that a request names. */
export function findQueryFault({ _meta }: JsonObject): string | undefined {
  const queryId = isObject(_meta) ? _meta[queryKey] : undefined
  if (queryId === undefined || isQueryId(queryId)) return undefined
  return `_meta["${queryKey}"] must be a string of 1 to ${maxQueryIdCharacters} characters.`
}

/** How a request is called: for its caller, until it is cancelled, with its query and its way to ask. */
export function toCallOptions(
  { served }: CallServices,
  live: LiveCall,
  { approval, progress }: { readonly approval: Approval; readonly progress: Reporter | undefined },
): CallOptions {
  const { caller, controller } = live
  const { _meta } = live.current.request.params
  const trace = toTrace(_meta, live.current.exchange)
  const queryId = isObject(_meta) ? (_meta[queryKey] as string | undefined) : undefined
  const { approver, innerApprover } = approval
  const origin = toOrigin(live.current)
  const options: CallOptions = { caller, signal: controller.signal, approver, innerApprover, client: live, origin }
  if (queryId !== undefined) options.query = served.queries.find(queryId, caller)
  if (trace) options.trace = trace
  if (live.mayBecomeTask)
    options.onProgress = (update) => {
      live.message = update.message
      progress?.report(update)
    }
  else if (progress) options.onProgress = progress.report
  return options
}

/** Filled step by step: spreading optional members would copy it several times for each call. */
export type CallOptions = { -readonly [Name in keyof ServedOptions]: ServedOptions[Name] }
type ServedOptions = Parameters<Served['call']>[2]

/** The trace context that a client sends. The one of the message is closer to the call than that of the HTTP request. */
function toTrace(_meta: JsonValue | undefined, { headers }: Exchange): TraceContext | undefined {
  const sent = isObject(_meta) ? toTraceContext(_meta.traceparent, _meta.tracestate) : undefined
  return sent ?? (headers && toTraceContext(headers.traceparent, headers.tracestate))
}

function toOrigin({ request, exchange, client }: Asked): CallOrigin {
  const { id: requestId, method } = request
  return { surface: 'mcp', transport: exchange.headers ? 'tcp' : 'pipe', method, requestId, revision: client.revision }
}

function isQueryId(value: JsonValue): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxQueryIdCharacters
}

interface Failed {
  readonly id: Request['id']
  readonly result: CallFailure
  readonly approval: Approval
  readonly client: Client
  readonly target: Pick<Target, 'isNamedInArguments'>
}

async function toFailureReply(
  services: CallServices,
  { id, result, approval, client, target }: Failed,
): Promise<CallReply> {
  const { code, message, suggestion, approvalId } = result.error
  if (code === 'tool_not_found' && !target.isNamedInArguments) {
    const data = { error: toErrorJson(result.error) }
    return { text: toErrorReply(id, { code: errorCodes.params, message: `${message} ${suggestion}`, data }).text }
  }
  const pending = code === 'approval_required' ? approvalId : undefined
  const asked = pending !== undefined && (await approval.toQuestion?.(pending))
  const question = pending === undefined ? undefined : await approval.toTaskQuestion?.(pending)
  if (asked) return { ...toReply(id, { resultType: 'input_required', ...asked, _meta: services.serverMeta }), question }
  const more = toFailureMore(services, client, result.error)
  const { scope } = result.error
  return { ...toTextReply(id, toMcpResultText(result, undefined, more)), question, ...(scope !== undefined && { lacking: scope }) } // biome-ignore format: one line
}

/** An error for the model, in place of a call. */
export function toErrorResult(
  services: CallServices,
  { request: { id }, client }: Pick<Asked, 'request' | 'client'>,
  error: ErrorData,
): Reply {
  const content = [{ type: 'text', text: toErrorText(error) }]
  const { _meta, ...more } = toFailureMore(services, client, error)
  return toReply(id, {
    ...more,
    content,
    isError: true,
    _meta: { 'toolpact/error': toErrorJson(error), ...(_meta as JsonObject) },
  })
}

/**
 * Modern clients also get errors as structured content. Most older clients, and the MCP Inspector, would validate it against
 * the output schema and report a schema violation instead of the error. For them the data is in `_meta`.
 */
export function toFailureMore(services: CallServices, client: Client, error: ErrorData): JsonObject {
  const isSafe = client.isModern && !client.name?.startsWith('inspector-')
  return { ...toMore(services, client), ...(isSafe && { structuredContent: toErrorJson(error) }) }
}

/** Further members of a result in a modern revision. */
export function toMore({ serverMeta }: CallServices, { isModern }: Client): JsonObject {
  return isModern ? { resultType: 'complete', _meta: serverMeta } : {}
}
