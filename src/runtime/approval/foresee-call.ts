import { canonicalJson } from '../../contract/canonical-json.ts'
import { boundJson } from '../../contract/schema/bound-json.ts'
import type { Problem } from '../../contract/tool-error.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { Decision } from '../../policy/decide.ts'
import type { Call } from '../pipeline/call.ts'
import { maxDepth } from '../pipeline/check-returned.ts'
import type { PipelineOptions } from '../pipeline/pipeline-options.ts'
import type { Rules } from '../rules/rules.ts'
import { lookAhead } from './approval-request.ts'
import { type Foreseen, nothingAhead } from './foresee.ts'

/** What would happen to a call: the problems of its input, or the decision and a preview. */
export type ForeseenCall =
  | { readonly problems: readonly Problem[] }
  | { readonly decision: Decision; readonly foreseen: Foreseen }

interface ForeseeCallOptions<Capabilities>
  extends Pick<PipelineOptions<Capabilities>, 'catalog' | 'workspace' | 'capabilities'> {
  readonly rules: Pick<Rules, 'test'>
}

/** A dry run: nothing runs, asks, counts or is recorded. A denied call is not previewed. What the session has read is not considered. */
export async function foreseeCall<Capabilities>(
  call: Pick<Call, 'tool' | 'input' | 'caller'>,
  options: ForeseeCallOptions<Capabilities>,
): Promise<ForeseenCall> {
  const found = await options.catalog.find(call.tool, call.caller)
  if (found.kind !== 'found') throw new ToolpactError('not_found', `There is no tool '${call.tool}'.`)
  const { id: toolId, tool } = found
  const bounded = boundJson(call.input, { maxBytes: tool.contract.limits.inputBytes, maxDepth })
  if (!bounded.ok) {
    const { pointer, message, reason } = bounded
    return { problems: [{ pointer, keyword: reason, expected: 'JSON', message }] }
  }
  const tested = await options.rules.test(toolId, bounded.value)
  if ('problems' in tested) return { problems: tested.problems }
  const { input, decision } = tested
  if (decision.action === 'deny') return { decision, foreseen: nothingAhead.foreseen }
  const ahead = await lookAhead({ call, toolId, input, canonicalInput: canonicalJson(input) }, tool, options)
  return { decision, foreseen: ahead.foreseen }
}
