import type { ApprovalAnswer, ApprovalRequest } from './approver.ts'
import { Stop } from './stop.ts'
import { toKnownDetails } from './to-details.ts'
import { toTarget } from './to-target.ts'

interface Refused {
  readonly answer: ApprovalAnswer['answer']
  readonly by: string
  readonly id: string | undefined
  /** The call asked because of where it sends data. */
  readonly isAboutReceiver?: boolean
}

/** Why a call without a yes ends, and what its caller or a person can do. `name`: the tool as the caller knows it. */
export async function toApprovalStop(
  name: string,
  { answer, by, id, isAboutReceiver }: Refused,
  request: ApprovalRequest,
): Promise<Stop> {
  if (answer === 'timeout') return Stop.at('approval_timeout', `Nobody answered whether '${name}' may run.`)
  const denied = `'${name}' was not approved (answered by: ${by}).`
  if (answer !== 'later' && isAboutReceiver)
    return Stop.at('approval_denied', `${denied} ${request.reason}`, await toAdvice(request))
  if (answer !== 'later') return Stop.at('approval_denied', denied)
  const target = toTarget(request.effects)
  const message = `'${name}'${target && ` (${target})`} is waiting for a person's approval and has not run.`
  if (id === undefined) return Stop.at('approval_required', message)
  const command = `toolpact approvals approve ${id.slice(0, 8)}`
  const suggestion = `A person must run: ${command} (with --for-tool to allow later calls of the tool too). Then repeat the same call, unchanged: it runs without another question.`
  const { toPlainText } = await import('./approval-text/to-plain-text.ts')
  // Without what a look ahead found: a caller is not shown what files contain, or where links lead, before a yes.
  const approvalText = toPlainText(toKnownDetails(request))
  return Stop.at('approval_required', message, { approvalId: id, approvalText, suggestion })
}

/** How a person allows the host for good, as a command to copy. */
async function toAdvice({ binding, offerRules }: ApprovalRequest): Promise<{ suggestion: string } | undefined> {
  const site = (await offerRules()).find(({ width }) => width === 'site')
  return site && { suggestion: `Ask the person. To allow the host from now on, they run: toolpact rules add ${binding.tool} '${site.pattern}'` } // biome-ignore format: one line
}
