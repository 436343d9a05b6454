import type { ErrorData, ToolErrorOptions } from './tool-error.ts'

export interface PipelineError {
  readonly status: number
  readonly fixable: boolean
  readonly when: string
  readonly suggestion: string
}

/** The codes of the pipeline. A contract lists the codes of its tool. */
export const pipelineErrors = {
  tool_not_found: {
    status: 404,
    fixable: true,
    when: 'No tool has that name.',
    suggestion: 'List the tools and call one of them.',
  },
  tool_ambiguous: {
    status: 400,
    fixable: true,
    when: 'The name matches several tools, such as a bare name that several toolsets share.',
    suggestion: 'Use the listed name or the full id, toolset.tool.',
  },
  tool_withheld: {
    status: 403,
    fixable: false,
    when: 'The tool exists, but was not admitted, or its contract or handler is invalid.',
    suggestion: 'Ask the operator to check the reasons.',
  },
  tool_planned: {
    status: 501,
    fixable: false,
    when: "The tool's contract has the status planned: it cannot be called yet.",
    suggestion: 'Use another tool.',
  },
  toolset_unavailable: {
    status: 503,
    fixable: true,
    when: 'The server of the tool cannot be reached or has failed.',
    suggestion: 'Call again later; toolpact mcp inspect shows the state of the servers.',
  },
  input_too_large: {
    status: 413,
    fixable: true,
    when: 'The input has more bytes or deeper nesting than the contract allows.',
    suggestion: 'Send less, or split the work into several calls.',
  },
  invalid_input: {
    status: 400,
    fixable: true,
    when: "The input does not match the contract's input schema.",
    suggestion: 'Correct the input as described in the problems and call again.',
  },
  single_step: {
    status: 409,
    fixable: false,
    when: 'The query has already made its one call (without a query: the session has), or the config requires a query and the call names none.',
    suggestion: 'Answer with what the first call gave, or start a new query.',
  },
  rate_limited: {
    status: 429,
    fixable: true,
    when: 'The caller has exceeded its rate limit.',
    suggestion: 'Wait for retry_after_ms, then call again.',
  },
  scope_required: {
    status: 403,
    fixable: false,
    when: 'The token of the caller lacks the scope that calls of this risk need, as http.auth in the config says.',
    suggestion: 'Get a token with the scope in the error, and call again with it.',
  },
  denied: {
    status: 403,
    fixable: false,
    when: 'The policy forbids this call.',
    suggestion: 'Ask the operator to change the policy if the call should be allowed.',
  },
  not_read_only: {
    status: 403,
    fixable: true,
    when: 'The call is limited to tools that only read, as with call_read_tool over MCP, and this tool may change something.',
    suggestion: 'Call the tool by its own name, or with call_tool.',
  },
  approval_denied: {
    status: 403,
    fixable: false,
    when: 'A person denied this call, or no one was available to approve it.',
    suggestion: 'Do not repeat the call unchanged; ask the person what they would accept.',
  },
  approval_timeout: {
    status: 403,
    fixable: false,
    when: 'The approval request was not answered in time.',
    suggestion: 'Call again when a person is available to answer.',
  },
  approval_required: {
    status: 403,
    fixable: true,
    when: 'A person must approve this call first; the question is in the queue under approval_id.',
    suggestion: 'Once a person has approved it, repeat the same call, unchanged.',
  },
  approval_queue_full: {
    status: 429,
    fixable: true,
    when: 'A person would have to be asked about this call, but too many questions are pending, or too large ones: of this caller, or in total.',
    suggestion: 'Once a person has answered pending questions (toolpact approvals lists them), call again.',
  },
  approval_outdated: {
    status: 409,
    fixable: true,
    when: 'What the call would write, or where, changed after the approval, so nothing was written.',
    suggestion: 'Call again: a person is asked about what the call would do now.',
  },
  ledger_unavailable: {
    status: 503,
    fixable: false,
    when: 'Something about the call could not be stored: its record, its count, its approval or a rule.',
    suggestion:
      'Ask the operator to check the state directory (disk space, permissions, files that were moved or deleted, other processes), or the database if the state is there. The error output of Toolpact says what failed.',
  },
  busy: {
    status: 503,
    fixable: true,
    when: 'Too many calls of the tool are already queued.',
    suggestion: 'Call again a little later.',
  },
  run_pending: {
    status: 202,
    fixable: true,
    when: 'The caller stopped waiting for the run of a workflow, which continues. The call id is the id of the run.',
    suggestion: 'Look at the run later: toolpact runs show ID.',
  },
  timeout: {
    status: 504,
    fixable: true,
    when: "The tool did not finish within the contract's time limit.",
    suggestion: 'Ask for less at once, or try again.',
  },
  cancelled: {
    status: 499,
    fixable: true,
    when: 'The caller cancelled the call.',
    suggestion: 'Call again if the result is still wanted.',
  },
  invalid_output: {
    status: 502,
    fixable: false,
    when: 'The tool returned something that violates its contract; it was withheld.',
    suggestion:
      'Report the tool to its author; a person can see the returned value with toolpact ledger show ID --raw.',
  },
  output_too_large: {
    status: 502,
    fixable: true,
    when: "The output has more bytes than the contract's limit, or deeper nesting than is read; it was withheld.",
    suggestion: 'Ask for less at once, or raise outputBytes of the tool under limits in toolpact.json.',
  },
  internal: {
    status: 500,
    fixable: false,
    when: 'The tool, or Toolpact itself, failed unexpectedly.',
    suggestion: 'Report it; a person sees the details with --debug.',
  },
} as const satisfies Record<string, PipelineError>

export type PipelineCode = keyof typeof pipelineErrors

export interface PipelineErrorOptions extends ToolErrorOptions {
  scope?: string
  approvalId?: string
  approvalText?: string
}

export function toPipelineError(code: PipelineCode, message: string, options: PipelineErrorOptions = {}): ErrorData {
  const { status, fixable, suggestion } = pipelineErrors[code]
  return {
    code,
    message,
    suggestion: options.suggestion ?? suggestion,
    status,
    fixable,
    ...(options.problems && { problems: options.problems }),
    ...(options.retryAfterMs !== undefined && { retryAfterMs: options.retryAfterMs }),
    ...(options.scope !== undefined && { scope: options.scope }),
    ...(options.approvalId !== undefined && { approvalId: options.approvalId }),
    ...(options.approvalText !== undefined && { approvalText: options.approvalText }),
  }
}
