import { canonicalJson } from '../../contract/canonical-json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import type { Tool } from '../../contract/tool.ts'
import type { ErrorData, Problem } from '../../contract/tool-error.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { Decision } from '../../policy/decide.ts'
import type { Call } from '../pipeline/call.ts'
import { findInputProblems, maxDepth } from '../pipeline/check-returned.ts'
import { createDataFollower } from '../pipeline/follow-data.ts'
import type { PipelineOptions } from '../pipeline/pipeline-options.ts'
import { Stop } from '../pipeline/stop.ts'
import { inSession, toPolicyCall } from '../pipeline/to-policy-call.ts'
import { Trace } from '../pipeline/trace.ts'
import { validateCall } from '../pipeline/validate-call.ts'
import { lookAhead } from './approval-request.ts'
import { type Foreseen, nothingAhead } from './foresee.ts'

/** What would happen to a call: the problems of its input, or the decision and a preview. */
export type ForeseenCall =
  | { readonly problems: readonly Problem[] }
  | {
      readonly decision: Decision
      readonly foreseen: Foreseen
      /** The tool itself refuses the call (`validate`), so it would fail and ask no one. */
      readonly error?: ErrorData
    }

interface ForeseeCallOptions<Capabilities>
  extends Pick<
    PipelineOptions<Capabilities>,
    'catalog' | 'workspace' | 'session' | 'capabilities' | 'flows' | 'groupsOf'
  > {
  readonly policy: NonNullable<PipelineOptions<Capabilities>['policy']>
}

/**
 * A dry run of the steps up to the question, with what the session has read: nothing runs, asks, counts or is recorded. A call
 * that is denied, or that its tool refuses, is not previewed.
 */
export async function foreseeCall<Capabilities>(
  call: Pick<Call, 'tool' | 'input' | 'caller'>,
  options: ForeseeCallOptions<Capabilities>,
): Promise<ForeseenCall> {
  const found = await options.catalog.find(call.tool, call.caller)
  if (found.kind !== 'found') throw new ToolpactError('not_found', `There is no tool '${call.tool}'.`)
  const { tool } = found
  const bounded = boundJson(call.input, { maxBytes: tool.contract.limits.inputBytes, maxDepth })
  if (!bounded.ok) {
    const { pointer, message, reason } = bounded
    return { problems: [{ pointer, keyword: reason, expected: 'JSON', message }] }
  }
  const trace = new Trace(call)
  Object.assign(trace, { toolId: found.id, entry: found, input: bounded.value })
  const problems = await findInputProblems(tool.contract, trace.input)
  if (problems.length > 0) return { problems }
  trace.canonicalInput = canonicalJson(trace.input)
  const { flows, policy, session } = options
  const follower = createDataFollower({ flows, policy, report, inSession: (caller) => inSession(caller, session) })
  const { decision } = await follower.judge(trace, toPolicyCall(trace, tool.contract, options))
  if (decision.action === 'deny') return { decision, foreseen: nothingAhead.foreseen }
  const error = await findError(trace, tool, options)
  if (error) return { decision, foreseen: nothingAhead.foreseen, error }
  return { decision, foreseen: (await lookAhead(trace, tool, options)).foreseen }
}

async function findError<Capabilities>(
  trace: Trace,
  tool: Tool<Capabilities>,
  options: ForeseeCallOptions<Capabilities>,
): Promise<ErrorData | undefined> {
  if (!tool.validate) return undefined
  try {
    await validateCall(trace, tool, { ...options, report })
    return undefined
  } catch (cause) {
    if (cause instanceof Stop) return cause.data
    throw cause
  }
}

/** A dry run violates nothing: the same violation of the call itself is reported. */
function report() {}
