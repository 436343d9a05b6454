import { randomUUID } from 'node:crypto'
import type { ApprovedFiles } from '../../contract/approved-files.ts'
import type { Tool } from '../../contract/tool.ts'
import { decideAnswerer } from '../../policy/approvers.ts'
import { Stop } from '../pipeline/stop.ts'
import type { Trace } from '../pipeline/trace.ts'
import type { ApprovalBinding, Difference } from '../storage/storage.ts'
import { type Asked, type Judged, lookAhead, toApprovalRequest, toPolicyDigest } from './approval-request.ts'
import { type ApprovalAnswer, type ApprovalRequest, type Approver, askUntilAborted } from './approver.ts'
import type { useApproval } from './consume-answer.ts'
import { askAgain, withReason } from './outdated.ts'
import type { PendingInputs } from './pending-inputs.ts'

interface ApproveOptions<Capabilities> extends Omit<Asked<Capabilities>, 'ahead'> {
  readonly approver: Approver
  readonly pending: PendingInputs
  /** Evaluates the policy again. Throws a `Stop` if it denies the call by now. */
  readonly judge: () => Promise<Judged>
  /** Uses the approval that the call names by id. */
  readonly use: (id: string, binding: ApprovalBinding) => ReturnType<typeof useApproval>
}

interface Approved {
  readonly answer: ApprovalAnswer
  /** The question that was answered. */
  readonly request: ApprovalRequest
  /** The files that the run may write; undefined if nothing was shown. */
  readonly files: ApprovedFiles | undefined
}

/** Limit of questions if what the call would do keeps changing before the answer. */
const maxQuestions = 3

/**
 * Asks until an approval is for what the call would do now. A person may take minutes to answer; if files or rules change
 * in the meantime, what was approved is no longer what would happen.
 */
export async function approveCall<Capabilities>(
  trace: Trace,
  tool: Tool<Capabilities>,
  options: ApproveOptions<Capabilities>,
): Promise<Approved> {
  const isShown = !options.approver.isBlind || trace.call.approvalId !== undefined
  const look = async () => (isShown ? lookAhead(trace, tool, options.options) : undefined)
  const toRequest = toApprovalRequest<Capabilities>
  let { judged } = options
  let ahead = await look()
  let difference: Difference | undefined
  for (let questions = 1; questions <= maxQuestions; questions++) {
    const asked = toRequest(trace, tool, { ...options, judged, ahead })
    const request = difference ? { ...askAgain(asked, difference), questionId: randomUUID() } : asked
    const given = await ask(trace, request, { ...options, isFirst: questions === 1 })
    const answer = holdToTerms(request, difference ? withReason(given, difference) : given)
    if (answer.answer !== 'yes' || trace.call.signal?.aborted) return { answer, request, files: undefined }
    const [now, later] = [await options.judge(), await look()]
    difference = now.decision.action === 'ask' && toPolicyDigest(now) !== request.binding.policyDigest ? 'policy' : undefined // biome-ignore format: one line
    if (later?.digest !== ahead?.digest) difference ??= 'preview'
    if (!difference) return { answer, request, files: later?.approved }
    judged = now
    ahead = later
  }
  const message = `'${trace.calledAs}' did not run: what it would do changed each time before its approval could be used.`
  throw Stop.at('approval_outdated', message)
}

/** Uses the approval that the call names, if it still counts; otherwise asks. */
async function ask<Capabilities>(
  trace: Trace,
  request: ApprovalRequest,
  { approver, use, pending, isFirst }: ApproveOptions<Capabilities> & { readonly isFirst: boolean },
): Promise<ApprovalAnswer> {
  const { approvalId, signal } = trace.call
  let asked = request
  let difference: Difference | undefined
  if (approvalId !== undefined && isFirst) {
    const used = await use(approvalId, request.binding)
    if ('answer' in used) return used
    difference = used.difference
    asked = askAgain(request, difference)
  }
  const place = pending.enter(trace)
  if ('limit' in place) return { answer: 'full', by: 'Toolpact', limit: place.limit }
  try {
    const askedAt = performance.now()
    const given = await askUntilAborted(approver, asked, signal)
    const isAnswered = !approver.isBlind && (given.answer === 'yes' || given.answer === 'no')
    const waitedMs = Math.round(performance.now() - askedAt)
    const answer = isAnswered ? { waitedMs, ...given } : given
    return difference ? withReason(answer, difference) : answer
  } finally {
    place.leave()
  }
}

/** A yes of people who may not give it, or of too few, is a no. This applies to every approver, whatever it checks itself. */
function holdToTerms({ terms }: ApprovalRequest, answer: ApprovalAnswer): ApprovalAnswer {
  if (!terms || answer.answer !== 'yes') return answer
  const { by, via, people = [by], principals = [], rule, forTool, ...rest } = answer
  const [refusal] = people.flatMap((person) => {
    const principal = principals.find(({ name }) => name === person)
    return decideAnswerer(terms, { ...principal, person, via }) ?? []
  })
  if (refusal !== undefined) return { answer: 'no', by, via: via ?? 'approver', why: refusal, note: refusal }
  if (new Set(people).size < terms.people) {
    const why = `${terms.people} different people must approve it, and ${people.length === 1 ? 'one' : people.length} did.`
    return { answer: 'no', by, via: via ?? 'approver', why, note: why }
  }
  // A rule of one person would let later calls run without the others.
  return terms.people > 1 ? { ...rest, by, people, principals, ...(via !== undefined && { via }) } : answer
}
