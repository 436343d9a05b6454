import type { CallFacts, CallStart, EndEvent } from '../runtime/pipeline/call-event.ts'
import type { Attributes } from './span.ts'

/** A call that has ended. */
export interface EndedCall {
  readonly callId: string
  readonly tool: string
  readonly start: CallStart
  readonly facts: CallFacts
  readonly end: EndEvent
  readonly outcome: Outcome
  readonly failedCheck?: string | undefined
}

/** `refused`: the tool did not run. `error`: it failed as its contract allows. `violation`: it broke its contract. */
export type Outcome = 'success' | 'error' | 'refused' | 'violation'

/** Not found: the name is whatever the caller sent. */
export const unknownTool = '_unknown'

export function toOutcome({ code, ran }: EndEvent, { violation }: CallFacts): Outcome {
  if (code === null) return 'success'
  if (violation !== undefined) return 'violation'
  return ran ? 'error' : 'refused'
}

/** The name of a call's span: the method and the tool, which MCP and GenAI conventions specify. */
export function toSpanName({ tool, start }: Pick<EndedCall, 'tool' | 'start'>): string {
  const method = start.origin?.method ?? 'execute_tool'
  return tool === unknownTool ? method : `${method} ${tool}`
}

/** MCP clients see every failure as an error of the tool. */
export function toErrorType({ start, end: { code } }: Pick<EndedCall, 'start' | 'end'>): string | undefined {
  if (code === null) return undefined
  return start.origin?.surface === 'mcp' ? 'tool_error' : code
}

/** The attributes of a call's span. Arguments and result only if they are wanted. */
export function toAttributes(call: EndedCall): Attributes {
  const { callId, tool, start, facts, end, outcome, failedCheck } = call
  const { origin, caller } = start
  const { decision, approval, contractDigest, violation, content } = facts
  const isMcp = origin?.surface === 'mcp'
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'mcp.method.name': origin?.method,
    'mcp.protocol.version': origin?.revision,
    'mcp.session.id': isMcp ? caller.session : undefined,
    'jsonrpc.request.id': origin?.requestId === undefined ? undefined : String(origin.requestId),
    'network.transport': origin?.transport,
    'error.type': toErrorType(call),
    'toolpact.call.id': callId,
    'toolpact.caller': caller.name,
    'toolpact.caller.via': caller.via,
    'toolpact.caller.issuer': caller.issuer,
    'toolpact.surface': origin?.surface ?? 'library',
    'toolpact.outcome': outcome,
    'toolpact.error.code': end.code ?? undefined,
    'toolpact.check.failed': failedCheck,
    'toolpact.decision': decision?.action,
    'toolpact.rule': decision?.rule,
    'toolpact.approval.answer': approval?.answer,
    'toolpact.approval.via': approval?.via,
    'toolpact.approval.id': approval?.id ?? facts.questionId,
    'toolpact.contract.digest': contractDigest && toShortDigest(contractDigest),
    'toolpact.violation': violation,
    'gen_ai.tool.call.arguments': content && JSON.stringify(content.input),
    'gen_ai.tool.call.result': content?.output === undefined ? undefined : JSON.stringify(content.output),
  }
}

/** Enough to find the contract: `sha256:` and 12 digits. */
export function toShortDigest(digest: string): string {
  return digest.slice(0, 19)
}
