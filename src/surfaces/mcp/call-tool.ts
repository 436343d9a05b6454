import { setTimeout as sleep } from 'node:timers/promises'
import type { CallFailure } from '../../contract/call-result.ts'
import { toPipelineError } from '../../contract/error-codes.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Progress } from '../../contract/tool.ts'
import { isObject, isRequestId, type Request } from '../../mcp/message.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toNotification, toReply, toTextReply } from '../../mcp/reply.ts'
import { mostQueryIdCharacters } from '../../pipeline/queries.ts'
import { toMcpResultText } from '../../projections/mcp.ts'
import { toErrorJson, toErrorText } from '../../projections/result-json.ts'
import type { Asking } from '../asking.ts'
import type { Served } from '../served.ts'
import { type Approval, chooseApproval } from './approval.ts'
import type { CatalogueSearch, Target } from './catalogue-search.ts'
import type { Exchange } from './connection.ts'
import type { Client } from './server.ts'

export interface CallServices {
  readonly served: Served
  readonly asking: Asking
  readonly serverMeta: JsonObject
  /** Set where clients search for tools. */
  readonly search: CatalogueSearch | undefined
}

/** Answers `tools/call`: a call of the pipeline, and nothing that the pipeline does not decide. */
export async function callTool(
  services: CallServices,
  { id, params }: Request,
  exchange: Exchange,
  client: Client,
): Promise<Reply> {
  const { name, arguments: input = {}, inputResponses } = params
  if (typeof name !== 'string') return refuse(id, 'name is a string: the name of a tool.')
  if (inputResponses !== undefined && !isObject(inputResponses)) return refuse(id, 'inputResponses is an object.')
  const queryId = isObject(params._meta) ? params._meta[queryKey] : undefined
  if (queryId !== undefined && !isQueryId(queryId))
    return refuse(id, `_meta["${queryKey}"] is a text of 1 to ${mostQueryIdCharacters} characters.`)
  const { search } = services
  const target = search?.toTarget(name, input) ?? { tool: name, input, options: {}, isNamedInArguments: false }
  if ('fault' in target) return toFaultReply(services, id, target.fault, client)
  const approval = chooseApproval(services, params, exchange, client)
  const progress = toReporter(params, exchange)
  const result = await services.served.call(target.tool, target.input, {
    caller: exchange.caller,
    signal: exchange.controller.signal,
    ...(queryId !== undefined && { query: services.served.queries.find(queryId, exchange.caller) }),
    ...(approval.approver && { approver: approval.approver }),
    ...(progress && { onProgress: progress.report }),
    ...target.options,
  })
  await search?.take(result, exchange)
  if (progress) await progress.settle()
  if (approval.refusal !== undefined) return refuse(id, approval.refusal)
  if (!result.success) return toFailureReply(services, { id, result, approval, client, target })
  const { catalog } = services.served
  const found = catalog.findLoaded(result.tool, exchange.caller) ?? (await catalog.find(result.tool, exchange.caller))
  const contract = found.kind === 'found' ? found.tool.contract : undefined
  return toTextReply(id, toMcpResultText(result, contract, toMore(services, client)))
}

/** Where a client says which question of its user a call belongs to. */
const queryKey = 'toolpact/query'

function isQueryId(value: JsonValue): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= mostQueryIdCharacters
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
  return toTextReply(id, toMcpResultText(result, undefined, toMore(services, client)))
}

/** An error that a model can correct, about arguments that name no tool to call. */
function toFaultReply(services: CallServices, id: Request['id'], fault: string, client: Client): Reply {
  const error = toPipelineError('invalid_input', fault)
  const content = [{ type: 'text', text: toErrorText(error) }]
  const { _meta, ...more } = toMore(services, client)
  return toReply(id, {
    ...more,
    content,
    isError: true,
    _meta: { 'toolpact/error': toErrorJson(error), ...(_meta as JsonObject) },
  })
}

/** What a result of a modern revision has beside it. */
function toMore({ serverMeta }: CallServices, { isModern }: Client): JsonObject {
  return isModern ? { resultType: 'complete', _meta: serverMeta } : {}
}

/** A client that reads progress and result in one piece loses the progress, so there is time between them to read. */
const progressGapMs = 20

/** Passes progress on to a client that asked for it. Its numbers must grow, and it is left out where nobody keeps up. */
function toReporter({ _meta }: JsonObject, exchange: Exchange) {
  const progressToken: JsonValue | undefined = isObject(_meta) ? _meta.progressToken : undefined
  if (!isRequestId(progressToken) || !exchange.canSend) return undefined
  let last = -Infinity
  let sentAt = -Infinity
  return {
    report(update: Progress) {
      if (update.progress <= last || exchange.isCongested || exchange.controller.signal.aborted) return
      last = update.progress
      sentAt = performance.now()
      exchange.send(toNotification('notifications/progress', { progressToken, ...update }))
    },
    async settle() {
      const left = sentAt + progressGapMs - performance.now()
      if (left > 0) await sleep(left)
    },
  }
}
