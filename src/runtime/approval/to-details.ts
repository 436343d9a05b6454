import { toEffectFields } from '../../contract/contract.ts'
import { isChoice } from '../../policy/rules/to-rule-pattern.ts'
import type { ApprovalDetails, ApprovalRequest } from './approver.ts'

/** Everything that a person must see, preview included. Never rejects. */
export async function toDetails(request: ApprovalRequest): Promise<ApprovalDetails> {
  return { ...toKnownDetails(request), foreseen: await request.foresee() }
}

/** The same without the preview: only what the caller knows already. */
export function toKnownDetails(request: ApprovalRequest): ApprovalDetails {
  const { callId, caller, binding, contract, effects, reason, run } = request
  const { name, risk } = contract
  const touched = toEffectFields(contract.effects)
  // In the order of the contract.
  const order = Object.keys(contract.input.properties ?? {})
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  const input = Object.fromEntries(Object.entries(request.input).sort(([a], [b]) => rank(a) - rank(b)))
  return {
    ...{ callId, caller, tool: binding.tool, contract: { name, risk }, contractDigest: binding.contractDigest },
    workspace: binding.workspace,
    ...{ input, effects, texts: order.filter((key) => !touched.includes(key) && !isChoice(contract, key)), reason },
    ...(run && { run }),
    foreseen: { places: [], changes: [] },
  }
}
