import type { Contract } from '../contract/contract.ts'
import type { JsonObject, JsonValue } from '../contract/json.ts'
import type { Tool } from '../contract/tool.ts'
import type { Decision } from '../policy/decide.ts'
import { readClaim } from '../policy/looks-like-read.ts'
import type { PolicyCall } from '../policy/policy-call.ts'
import type { ApprovalBinding } from '../storage/storage.ts'
import type { ApprovalRequest } from './approver.ts'
import type { PipelineOptions } from './pipeline-options.ts'
import type { Trace } from './trace.ts'

interface Asked<Capabilities> {
  readonly binding: ApprovalBinding
  readonly decision: Decision
  readonly options: PipelineOptions<Capabilities>
  readonly toPolicyCall: (trace: Trace, contract: Contract, input: JsonObject) => PolicyCall
}

/** What an approver is shown. What takes time to find out is found out when it is asked for. */
export function toApprovalRequest<Capabilities>(
  trace: Trace,
  tool: Tool<Capabilities>,
  { binding, decision, options, toPolicyCall }: Asked<Capabilities>,
): ApprovalRequest {
  const { call, callId, caller, canonicalInput, toolId } = trace
  const { contract } = tool
  // The approver's own copy. Not parsed from the text: V8 may take a key with escapes for another (nodejs/node#63785).
  const input = structuredClone(trace.input) as JsonObject
  const effects = toEffects(contract, input)
  const reason = tool.claimsToRead ? `${decision.reason} ${readClaim}` : decision.reason
  return {
    ...{ callId, caller, contract, input, canonicalInput, binding, effects, reason },
    async foresee() {
      const capabilities = () => options.capabilities({ ...call, input }, toolId)
      const { foresee } = await import('./foresee.ts')
      const paths = [...effects.writes, ...effects.reads]
      return foresee(tool, input, { paths, workspace: options.workspace, capabilities })
    },
    async offerRules() {
      // A mode or a rule that asks goes before every rule that allows.
      if (!['contract', 'data-flow'].includes(decision.rule) || !options.saveRule) return []
      const protectedPaths = (await options.policy?.(toolId))?.protectedPaths
      const { offerRules } = await import('../policy/rules/offer-rules.ts')
      return offerRules(toPolicyCall(trace, contract, input), protectedPaths)
    },
  }
}

export function toEffects({ effects }: Contract, input: JsonObject): ApprovalRequest['effects'] {
  const valuesOf = (fields: readonly string[] = []) => fields.flatMap((field) => toTexts(input[field]))
  return {
    reads: valuesOf(effects.reads),
    writes: valuesOf(effects.writes),
    fetches: valuesOf(effects.fetches),
    runs: valuesOf(effects.runs),
  }
}

/** Whatever its shape, an effect that is there must be seen. */
function toTexts(value: JsonValue | undefined): string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(toTexts)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}
