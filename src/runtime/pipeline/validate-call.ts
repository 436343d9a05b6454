import type { JsonObject } from '../../contract/json.ts'
import type { Tool } from '../../contract/tool.ts'
import { ToolError, type ToolErrorOptions } from '../../contract/tool-error.ts'
import { checkFailure, toReturned } from './check-returned.ts'
import type { PipelineOptions } from './pipeline-options.ts'
import type { Report } from './report.ts'
import { runBounded } from './run-bounded.ts'
import type { Trace } from './trace.ts'

/** Upper limit for `validate`, in addition to the contract's timeout. */
const maxMs = 10_000

interface ValidateOptions<Capabilities> extends Pick<PipelineOptions<Capabilities>, 'catalog' | 'capabilities'> {
  readonly report: Report
}

/** Runs the tool's own `validate` on a copy of the input. Throws a `Stop` if the call would fail. */
export async function validateCall<Capabilities>(
  trace: Trace,
  { contract, needs, validate }: Tool<Capabilities>,
  options: ValidateOptions<Capabilities>,
): Promise<void> {
  const { call, callId, caller, toolId } = trace
  const { report } = options
  const input = trace.input as JsonObject
  const timeoutMs = Math.min(contract.limits.timeoutMs, maxMs)
  const capabilities = needs && (await options.capabilities({ ...call, input }, { toolId, needs }))
  const ended = await runBounded(
    (signal) => validate!(structuredClone(input), { callId, caller, signal, fail }, capabilities!),
    { timeoutMs, limiter: undefined, cancel: call.signal },
  )
  const found = toReturned(trace, ended, { toDo: 'check the call', timeoutMs, report })
  if (found !== undefined) throw await checkFailure(trace, found, options)
}

/** The `fail` of a tool's context. */
export function fail(code: string, message: string, options?: ToolErrorOptions): ToolError {
  return new ToolError(code, message, options)
}
