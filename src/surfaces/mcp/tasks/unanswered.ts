import { toPipelineError } from '../../../contract/error-codes.ts'
import type { QuestionState } from '../../../runtime/storage/storage.ts'
import type { Asked } from '../call-offer.ts'
import { type CallReply, type CallServices, toErrorResult } from '../call-tool.ts'

/**
 * The end of a task whose call must not be made again: the question has expired, or an equal call has used up the no. Making it
 * again would ask a person who did not want to answer, or refused.
 */
export function toUnanswered(services: CallServices, asked: Asked, state: QuestionState): CallReply | undefined {
  const name = String(asked.request.params.name)
  if (state.state === 'expired')
    return toErrorResult(services, asked, toPipelineError('approval_timeout', `No one answered whether '${name}' may run.`)) // biome-ignore format: one line
  if (state.state !== 'answered' || state.answer === 'yes' || !state.isUsed) return undefined
  const message = `'${name}' was not approved (answered by: ${state.by}).`
  return toErrorResult(services, asked, toPipelineError('approval_denied', message))
}
