import type { CallResult } from '../contract/call-result.ts'
import type { JsonObject } from '../contract/json.ts'
import type { ErrorData } from '../contract/tool-error.ts'

/**
 * The JSON representation of a result, for printing and sending. The output's own `success` and `execution_time_ms`
 * stay in place; `tool` is the name in the contract, without its toolset; `_meta` is what the tool reported beside its
 * output.
 */
export function toResultJson(result: CallResult): JsonObject {
  const time = Math.round(result.durationMs)
  const tool = toBareName(result)
  if (!result.success) return { tool, success: false, error: toErrorJson(result.error), execution_time_ms: time }
  const { tool: _, success = true, execution_time_ms = time, ...output } = result.output
  return { tool, success, ...output, execution_time_ms, ...(result.notes && { _meta: result.notes }) }
}

export function toErrorJson(error: ErrorData): JsonObject {
  const { code, message, suggestion, status, fixable, problems, retryAfterMs, scope } = error
  const { approvalId, approvalText, connect } = error
  return {
    code,
    message,
    suggestion,
    status,
    fixable,
    ...(problems && { problems: problems.map((problem) => ({ ...problem })) }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(scope !== undefined && { scope }),
    ...(approvalId !== undefined && { approval_id: approvalId }),
    ...(approvalText !== undefined && { approval_text: approvalText }),
    ...(connect !== undefined && { connect }),
  }
}

/** An error as text: `file_not_found: There is no file 'x'. Check the path.`, followed by a line for each problem. */
export function toErrorText({ code, message, suggestion, problems = [] }: ErrorData): string {
  const sentence = /[.!?…:]["')]?$/.test(message) ? message : `${message}.`
  return [`${code}: ${sentence} ${suggestion}`, ...problems.map((problem) => `- ${problem.message}`)].join('\n')
}

function toBareName(result: CallResult): string {
  const unresolved = !result.success && ['tool_not_found', 'tool_ambiguous'].includes(result.error.code)
  return unresolved ? result.tool : result.tool.slice(result.tool.indexOf('.') + 1)
}
