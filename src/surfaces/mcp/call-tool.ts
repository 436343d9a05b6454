import type { CallFailure } from '../../contract/call-result.ts'
import type { Contract } from '../../contract/contract.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import type { ErrorData } from '../../contract/tool-error.ts'
import { toMcpResultText } from '../../projections/mcp.ts'
import { toErrorJson, toErrorText } from '../../projections/result-json.ts'
import type { Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply, toTextReply } from '../../protocol/reply.ts'
import { maxQueryIdCharacters } from '../../runtime/pipeline/queries.ts'
import type { Asking } from '../asking.ts'
import type { Served } from '../served.ts'
import { type Approval, chooseApproval } from './approval.ts'
import { toLegacyClient } from './call-client.ts'
import type { CatalogueSearch, Target } from './catalogue-search.ts'
import type { Exchange } from './connection.ts'
import { type Reporter, toReporter } from './progress.ts'
import type { Client } from './server.ts'

export interface CallServices {
  readonly served: Served
  readonly asking: Asking
  readonly serverMeta: JsonObject
  /** Set if clients search for tools. */
  readonly search: CatalogueSearch | undefined
}

/** Answers `tools/call` with a call through the pipeline, which makes all decisions. */
export async function callTool(
  services: CallServices,
  request: Request,
  exchange: Exchange,
  client: Client,
): Promise<Reply> {
  const { id, params } = request
  const { name, arguments: input = {}, inputResponses } = params
  if (typeof name !== 'string') return refuse(id, 'name must be a string: the name of a tool.')
  if (inputResponses !== undefined && !isObject(inputResponses)) return refuse(id, 'inputResponses must be an object.')
  const queryFault = findQueryFault(params)
  if (queryFault !== undefined) return refuse(id, queryFault)
  const { search } = services
  const target = search?.toTarget(name, input) ?? { tool: name, input, options: {}, isNamedInArguments: false }
  if ('fault' in target) return toFaultReply(services, id, target.fault, client)
  const progress = toReporter(params, exchange)
  const approval = chooseApproval(services, params, { exchange, client, progress })
  let contract: Contract | undefined
  let mismatch: string | undefined
  const result = await services.served.call(target.tool, target.input, {
    ...toCallOptions(services, { request, exchange, client }, { approval, progress }),
    ...target.options,
    inspect(found, input) {
      contract = found
      // Headers mirror the arguments of the tool that the client named.
      if (target.tool === name) mismatch = exchange.findInputFault?.(found, input)
      return mismatch
    },
  })
  if (mismatch !== undefined) return toErrorReply(id, { code: errorCodes.headers, message: mismatch })
  await search?.take(result, exchange)
  if (progress) await progress.settle()
  if (approval.refusal !== undefined) return refuse(id, approval.refusal)
  if (!result.success) return toFailureReply(services, { id, result, approval, client, target })
  return toTextReply(id, toMcpResultText(result, contract, toMore(services, client)))
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
  { request, exchange, client }: { readonly request: Request; readonly exchange: Exchange; readonly client: Client },
  { approval, progress }: { readonly approval: Approval; readonly progress: Reporter | undefined },
): Parameters<Served['call']>[2] {
  const { caller, controller } = exchange
  const { _meta } = request.params
  const queryId = isObject(_meta) ? (_meta[queryKey] as string | undefined) : undefined
  const callClient = client.isModern ? exchange.callClient : toLegacyClient(exchange, client)
  return {
    caller,
    signal: controller.signal,
    ...(queryId !== undefined && { query: served.queries.find(queryId, caller) }),
    approver: approval.approver,
    ...(progress && { onProgress: progress.report }),
    ...(callClient && { client: callClient }),
    ...readTrace(_meta),
  }
}

/** The trace of a request (W3C Trace Context). Anything else under these keys is ignored. */
function readTrace(meta: JsonValue | undefined): Pick<Parameters<Served['call']>[2], 'trace'> {
  const { traceparent, tracestate } = isObject(meta) ? meta : {}
  if (typeof traceparent !== 'string' || !/^[0-9a-f]{2}(?:-[0-9a-f]+){3}$/.test(traceparent)) return {}
  const isState = typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate)
  return { trace: { traceparent: traceparent.slice(0, 100), ...(isState && { tracestate }) } }
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
): Promise<Reply> {
  const { code, message, suggestion, approvalId } = result.error
  if (code === 'tool_not_found' && !target.isNamedInArguments) {
    const data = { error: toErrorJson(result.error) }
    return { text: toErrorReply(id, { code: errorCodes.params, message: `${message} ${suggestion}`, data }).text }
  }
  const asked = code === 'approval_required' && approvalId !== undefined && (await approval.toQuestion?.(approvalId))
  if (asked) return toReply(id, { resultType: 'input_required', ...asked, _meta: services.serverMeta })
  return toTextReply(id, toMcpResultText(result, undefined, toFailureMore(services, client, result.error)))
}

/** An error for the model: the arguments do not name a tool to call. */
function toFaultReply(services: CallServices, id: Request['id'], fault: string, client: Client): Reply {
  const error = toPipelineError('invalid_input', fault)
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
function toFailureMore(services: CallServices, client: Client, error: ErrorData): JsonObject {
  const isSafe = client.isModern && !client.name?.startsWith('inspector-')
  return { ...toMore(services, client), ...(isSafe && { structuredContent: toErrorJson(error) }) }
}

/** Further members of a result in a modern revision. */
export function toMore({ serverMeta }: CallServices, { isModern }: Client): JsonObject {
  return isModern ? { resultType: 'complete', _meta: serverMeta } : {}
}
