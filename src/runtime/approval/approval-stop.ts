import { toShellWord } from '../../contract/text/shell-word.ts'
import { Stop } from '../pipeline/stop.ts'
import { queueLimits } from '../storage/storage.ts'
import type { ApprovalAnswer, ApprovalRequest } from './approver.ts'
import { toApproveCommand, toCallerText, toCallText } from './texts.ts'
import { toKnownDetails } from './to-details.ts'

/** An answer other than yes. */
interface Refused extends ApprovalAnswer {
  /** The call asks because of where it sends data. */
  readonly isAboutReceiver?: boolean
}

/** Why a call without approval ends, and what to do next. `name`: the tool as the caller named it. */
export async function toApprovalStop(name: string, given: Refused, request: ApprovalRequest): Promise<Stop> {
  const { answer, by, id, why, isAboutReceiver } = given
  if (answer === 'full') return toFull(name, given, request)
  if (answer === 'timeout') return Stop.at('approval_timeout', `No one answered whether '${name}' may run.`)
  const denied = `'${name}' was not approved (answered by: ${by}).`
  if (answer !== 'later' && isAboutReceiver)
    return Stop.at('approval_denied', `${denied} ${request.reason}`, await toAdvice(request))
  if (answer !== 'later') return Stop.at('approval_denied', why === undefined ? denied : `${denied} ${why}`)
  const waiting = `${toCallText(`'${name}'`, request.effects)} is waiting for a person's approval and has not run.`
  const message = why === undefined ? waiting : `${waiting} ${why}`
  if (id === undefined) return Stop.at('approval_required', message)
  const suggestion = `A person must run: ${toApproveCommand(id)} (with --for-tool to allow later calls of the tool too). Then repeat the same call, unchanged: it runs without another question.`
  const approvalText = await toCallerText(toKnownDetails(request))
  return Stop.at('approval_required', message, { approvalId: id, approvalText, suggestion })
}

/** The command that allows the host permanently. */
async function toAdvice({ binding, offerRules }: ApprovalRequest): Promise<{ suggestion: string } | undefined> {
  const site = (await offerRules()).find(({ width }) => width === 'site')
  return site && { suggestion: `Ask the person. To allow the host from now on, they run: toolpact rules add ${toShellWord(binding.tool)} ${toShellWord(site.pattern)}` } // biome-ignore format: one line
}

function toFull(name: string, { limit }: ApprovalAnswer, { caller, input }: ApprovalRequest): Stop {
  const { scope, unit, max } = limit ?? { scope: 'caller', unit: 'questions', max: queueLimits.caller.questions }
  const amount = unit === 'bytes' ? `${max / 1_048_576} MiB of questions` : `${max} questions`
  const whose = scope === 'caller' ? 'about calls of this caller' : 'of all callers together'
  const message = `'${name}' did not run, and no one was asked: ${amount} ${whose} may be pending, and this one would exceed that.`
  const smaller = unit === 'bytes' && JSON.stringify(input).length > max / 32 ? ' A call with a smaller input may still fit.' : '' // biome-ignore format: one line
  const from = scope === 'caller' ? ` toolpact approvals deny --all-from ${toShellWord(caller.name)} refuses all of this caller.` : '' // biome-ignore format: one line
  return Stop.at('approval_queue_full', message, {
    suggestion: `A person must answer pending questions first: toolpact approvals lists them.${from} Then call again.${smaller}`,
  })
}
