import type { ApprovalDetails, ApprovalRequest } from './approver.ts'

/** Looks ahead, and gives all that a person must see. Never rejects. */
export async function toDetails(request: ApprovalRequest): Promise<ApprovalDetails> {
  const { callId, caller, binding, contract, effects, reason } = request
  const { name, risk } = contract
  // In the order in which the author of the contract thought of them.
  const order = Object.keys(contract.input.properties ?? {})
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  const input = Object.fromEntries(Object.entries(request.input).sort(([a], [b]) => rank(a) - rank(b)))
  const foreseen = await request.foresee()
  return { callId, caller, tool: binding.tool, contract: { name, risk }, input, effects, reason, foreseen }
}
