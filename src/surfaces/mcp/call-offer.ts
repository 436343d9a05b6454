import type { CallFailure, CallSuccess } from '../../contract/call-result.ts'
import type { JsonObject } from '../../contract/json.ts'
import { toErrorJson } from '../../projections/result-json.ts'
import type { Request } from '../../protocol/message.ts'
import { errorCodes, type Reply, refuse, toErrorReply, toReply } from '../../protocol/reply.ts'
import { startQuery } from '../../runtime/pipeline/queries.ts'
import { answerCall, toMissingReply } from './answer-call.ts'
import { chooseApproval } from './approval.ts'
import { type CallServices, findQueryFault, type Live, toCallOptions, toMore } from './call-tool.ts'
import type { Exchange } from './connection.ts'
import { toReporter } from './progress.ts'
import type { Client } from './server.ts'

/** A request of one client. */
export interface Asked {
  readonly request: Request
  readonly exchange: Exchange
  readonly client: Client
}

interface OfferCall {
  readonly tool: string
  readonly input: JsonObject
  /** `notes`: facts beside the output. */
  readonly toResult: (output: JsonObject, notes: JsonObject) => JsonObject
  /** Members of `data` in an error. */
  readonly about?: JsonObject
}

/** Answers `prompts/get` and `resources/read` with a call through the pipeline. */
export async function callOffer(services: CallServices, asked: Asked, call: OfferCall): Promise<Reply> {
  return answerCall(services, asked, { work: (live, states) => runOffer(services, { live, states }, call) })
}

async function runOffer(services: CallServices, { live, states }: Live, call: OfferCall): Promise<Reply> {
  const { request, client } = live.current
  const { params } = request
  const fault = findQueryFault(params)
  if (fault !== undefined) return refuse(request.id, fault)
  const progress = toReporter(params, live)
  const approval = chooseApproval(services, params, { exchange: live, client, progress, states })
  const options = toCallOptions(services, live, { approval, progress })
  const result = await services.served.call(call.tool, call.input, options)
  const { id } = live.current.request
  if (progress) await progress.settle()
  if (approval.refusal !== undefined) return refuse(id, approval.refusal)
  if (result.success)
    return toReply(id, { ...toMore(services, client), ...toAnswer(result, call, toMore(services, client)) })
  const { code, approvalId } = result.error
  const question = code === 'approval_required' && approvalId !== undefined && (await approval.toQuestion?.(approvalId))
  if (question) return toReply(id, { resultType: 'input_required', ...question, _meta: services.serverMeta })
  const { scope } = result.error
  const failed = toMissingReply(live) ?? toOfferError(live.current, result, call.about)
  return scope === undefined ? failed : { ...failed, lacking: scope }
}

function toAnswer(result: CallSuccess, { toResult }: OfferCall, { _meta }: JsonObject): JsonObject {
  const notes = result.notes && { 'toolpact/notes': result.notes }
  return {
    ...toResult(result.output, result.notes ?? {}),
    ...(notes && { _meta: { ...(_meta as JsonObject | undefined), ...notes } }),
  }
}

/** A failed call is a JSON-RPC error: these results have no place for one. Over HTTP its status is 200, like that of any call. */
function toOfferError({ request, client }: Asked, { error }: CallFailure, about?: JsonObject): Reply {
  const data = { ...about, error: toErrorJson(error) }
  const message = `${error.message} ${error.suggestion}`.trim()
  const { text } = toErrorReply(request.id, { code: toCode(error.code, client), message, data })
  return { text }
}

/** Before 2026-07-28 a missing resource had a code of its own. */
const legacyNotFound = -32002

function toCode(code: string, { isModern }: Client): number {
  if (code === 'resource_not_found') return isModern ? errorCodes.params : legacyNotFound
  return code === 'invalid_input' || code === 'input_too_large' || code === 'tool_not_found'
    ? errorCodes.params
    : errorCodes.internal
}

/** Lists or completes: no one is asked, and it is not the step of a query. Undefined if it fails. */
export async function callHelper(
  { served }: CallServices,
  { caller, controller }: Exchange,
  { tool, input }: Pick<OfferCall, 'tool' | 'input'>,
): Promise<JsonObject | undefined> {
  const approver = async () => ({ answer: 'no' as const, by: 'no one: lists and completions ask no one' })
  const origin = { surface: 'mcp' } as const
  const options = { caller, origin, signal: controller.signal, query: startQuery(), approver }
  const result = await served.call(tool, input, options)
  return result.success ? result.output : undefined
}
