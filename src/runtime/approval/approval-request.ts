import { canonicalJson } from '../../contract/canonical-json.ts'
import type { Contract } from '../../contract/contract.ts'
import { digest, digestText } from '../../contract/digest.ts'
import type { JsonObject, JsonValue } from '../../contract/json.ts'
import type { Tool } from '../../contract/tool.ts'
import type { AnswerTerms } from '../../policy/approvers.ts'
import type { Decision } from '../../policy/decide.ts'
import { readClaim } from '../../policy/looks-like-read.ts'
import { pace } from '../pipeline/pace.ts'
import type { PipelineOptions } from '../pipeline/pipeline-options.ts'
import { toPolicyCall } from '../pipeline/to-policy-call.ts'
import type { Trace } from '../pipeline/trace.ts'
import type { ApprovalRequest } from './approver.ts'
import type { LookAhead } from './foresee.ts'

/** The policy's decision about a call, and the version of the policy. */
export interface Judged {
  readonly decision: Decision
  readonly version: string
  /** Who may answer, if the call asks. */
  readonly terms?: AnswerTerms | undefined
}

export interface Asked<Capabilities> {
  readonly judged: Judged
  /** Undefined if the approver does not show the call to anyone. */
  readonly ahead: LookAhead | undefined
  readonly options: PipelineOptions<Capabilities>
}

/** What an approver is shown, and what its approval is bound to. */
export function toApprovalRequest<Capabilities>(
  trace: Trace,
  tool: Tool<Capabilities>,
  { judged, ahead, options }: Asked<Capabilities>,
): ApprovalRequest {
  const { callId, caller, canonicalInput, toolId } = trace
  const { contract } = tool
  const { decision, terms } = judged
  // A copy for the approver. Not parsed from the text: V8 may confuse keys with escapes (nodejs/node#63785).
  const input = structuredClone(trace.input) as JsonObject
  const effects = toEffects(contract, input)
  const reason = tool.claimsToRead ? `${decision.reason} ${readClaim}` : decision.reason
  const binding = {
    tool: toolId,
    contractDigest: digest(contract),
    inputDigest: toBoundDigest(trace),
    caller: caller.name,
    workspace: options.workspace ?? '',
    policyDigest: toPolicyDigest(judged),
    previewDigest: ahead?.digest ?? '',
  }
  return {
    ...{ callId, questionId: callId, caller, contract, input, canonicalInput, binding, effects, reason },
    ...(terms && { terms }),
    ...(trace.call.part && { run: { id: trace.call.part.run, step: trace.call.part.step } }),
    foresee: async () => (ahead ?? (await lookAhead(trace, tool, options))).foreseen,
    async offerRules() {
      // A mode or rule that asks overrides every rule that allows.
      if (!['contract', 'data-flow'].includes(decision.rule) || !options.saveRule) return []
      const protectedPaths = (await options.policy?.(toolId))?.protectedPaths
      const { offerRules } = await import('../../policy/rules/offer-rules.ts')
      await pace('offer', canonicalInput.length)
      return offerRules(toPolicyCall(trace, contract, options), protectedPaths)
    },
    async countApprovals() {
      const { countSameApprovals } = await import('./count-same-approvals.ts')
      return countSameApprovals(options.storage.ledger, { tool: toolId, inputDigest: trace.inputDigest! })
    },
  }
}

/** An answer about a step of one run does not count for an equal step of another. */
function toBoundDigest({ inputDigest, call: { part } }: Trace): string {
  return part ? digestText(`${inputDigest} ${part.run} ${part.step}`) : inputDigest!
}

/**
 * Covers the policy, the rule that asks and who may answer: approving for one reason does not approve for another, and a yes
 * under other terms does not count.
 */
export function toPolicyDigest({ decision, version, terms }: Judged): string {
  return digestText(`${decision.rule} ${version}${terms ? ` ${canonicalJson(terms as unknown as JsonObject)}` : ''}`)
}

/** Previews what a call would change, and where. Never rejects. */
export async function lookAhead<Capabilities>(
  { call, input, canonicalInput, toolId }: Pick<Trace, 'call' | 'input' | 'canonicalInput' | 'toolId'>,
  tool: Tool<Capabilities>,
  options: Pick<PipelineOptions<Capabilities>, 'workspace' | 'capabilities'>,
): Promise<LookAhead> {
  const { reads, writes } = toEffects(tool.contract, input as JsonObject)
  const { foresee, nothingAhead } = await import('./foresee.ts')
  const paths = [...writes, ...reads]
  if (!tool.preview && paths.length === 0) return nothingAhead
  await pace('preview', canonicalInput.length)
  const copy = structuredClone(input) as JsonObject
  return foresee(tool, copy, {
    ...{ paths, workspace: options.workspace },
    capabilities: async (files) =>
      tool.needs && options.capabilities({ ...call, input: copy }, { toolId, needs: tool.needs }, files),
  })
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

/** An effect must be shown, whatever its type. */
function toTexts(value: JsonValue | undefined): string[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(toTexts)
  return [typeof value === 'string' ? value : JSON.stringify(value)]
}
