import type { ApprovalAnswer, ApprovalRequest } from './approver.ts'
import { Stop } from './stop.ts'
import { toTarget } from './to-target.ts'

interface Refused {
  readonly answer: ApprovalAnswer['answer']
  readonly by: string
  readonly id: string | undefined
}

/** Why a call without a yes ends, and what its caller or a person can do. `name`: the tool as the caller knows it. */
export function toApprovalStop(name: string, { answer, by, id }: Refused, { effects }: ApprovalRequest): Stop {
  if (answer === 'timeout') return Stop.at('approval_timeout', `Nobody answered whether '${name}' may run.`)
  if (answer !== 'later') return Stop.at('approval_denied', `'${name}' was not approved (answered by: ${by}).`)
  const target = toTarget(effects)
  const message = `'${name}'${target && ` (${target})`} is waiting for a person's approval and has not run.`
  if (id === undefined) return Stop.at('approval_required', message)
  const command = `toolpact approvals approve ${id.slice(0, 8)}`
  const suggestion = `A person must run: ${command} (with --for-tool to allow later calls of the tool too). Then repeat the same call, unchanged: it runs without another question.`
  return Stop.at('approval_required', message, { approvalId: id, suggestion })
}
