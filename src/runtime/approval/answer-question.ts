import type { Risk } from '../../contract/contract.ts'
import {
  type Answerer,
  type AnswerTerms,
  type ApproverSettings,
  decideAnswerer,
  findGroups,
  toAnswerTerms,
} from '../../policy/approvers.ts'
import type { Approvals, GivenAnswer, RememberedQuestion } from '../storage/storage.ts'
import type { ApprovalRequest } from './approver.ts'
import type { DirectAnswer } from './consume-answer.ts'
import type { QueuedSummary } from './queue.ts'

/** A person's answer to a question in the queue. */
export interface QuestionAnswer extends Answerer {
  readonly id: string
  readonly answer: 'yes' | 'no'
  /** Where the person answers: `queue` (`toolpact approvals`), `console`, `rest` or `terminal`. */
  readonly via: string
  /** With a yes: also save a rule. */
  readonly forTool?: boolean
}

/** What became of an answer. `message` says it in one line. */
export type QuestionResult = { readonly message: string } & (
  | { readonly result: 'approved'; readonly isAwaited: boolean; readonly expiresAt: number }
  | { readonly result: 'denied' }
  /** One of several yeses that the question needs. */
  | { readonly result: 'recorded'; readonly approvedBy: readonly string[]; readonly peopleNeeded: number }
  | { readonly result: 'answered_before'; readonly answer: 'yes' | 'no'; readonly by: string }
  | { readonly result: 'expired' }
  | { readonly result: 'refused' }
)

/** Answers a question in the queue if its terms let this person. The only way in for people. */
export async function answerQuestion(approvals: Approvals, given: QuestionAnswer): Promise<QuestionResult> {
  const { id, answer, person: by, via, forTool = false } = given
  const question = await approvals.find(id, Date.now())
  if (question?.state !== 'pending') return toEnded(id, question)
  const refusal = findRefusal(question, given)
  if (refusal !== undefined) return { result: 'refused', message: refusal }
  const ruleRefusal = forTool ? toRuleRefusal(question) : undefined
  if (ruleRefusal !== undefined) return { result: 'refused', message: ruleRefusal }
  const answered = await approvals.answer(id, { answer, by, via, forTool, ...toPrincipal(question, given) }, Date.now())
  if (!answered.taken) return toEnded(id, { ...question, ...answered }, by)
  const { isAwaited, expiresAt, missing } = answered
  if (answer === 'no') return { result: 'denied', message: `Denied: ${toShort(id)} does not run.` }
  if (missing > 0) {
    const { peopleNeeded } = question
    const approvedBy = [...question.approvedBy, by]
    const message = `Recorded: ${peopleNeeded - missing} of ${peopleNeeded} people have approved ${toShort(id)}. It runs once ${missing === 1 ? 'another person approves' : `${missing} more approve`}.`
    return { result: 'recorded', message, approvedBy, peopleNeeded }
  }
  const message = isAwaited
    ? `Approved: ${toShort(id)} runs now.`
    : `Approved: ${toShort(id)}. No call is waiting for it: its client must repeat the same call.`
  return { result: 'approved', message, isAwaited, expiresAt }
}

/** Only the groups that entitle them are stored: if other ones are demanded later, the answer does not count. */
function toPrincipal(question: RememberedQuestion, answerer: Answerer): Pick<GivenAnswer, 'principal'> {
  const { issuer, subject } = answerer
  if (issuer === undefined || subject === undefined) return {}
  return { principal: { issuer, subject, groups: findGroups(toTerms(question), answerer) } }
}

interface DirectlyAnswered {
  readonly id: string
  readonly answer: DirectAnswer
  /** Name of the caller, whose user answers. */
  readonly caller: string
  readonly via: string
}

/**
 * Stores what the user of a client answered, for the call that uses the answer later. If no person was asked, or the terms of
 * the question do not let its client answer, the question stays pending.
 */
export async function answerDirectly(
  approvals: Approvals,
  { id, answer, caller, via }: DirectlyAnswered,
): Promise<void> {
  const question = await approvals.find(id, Date.now())
  if (question?.state !== 'pending' || answer.kind === 'not_asked') return
  if (findRefusal(question, { person: caller, via }) !== undefined) return
  const { kind, by } = answer
  const forTool = kind === 'yes' && answer.forTool && toRuleRefusal(question) === undefined
  await approvals.answer(id, { answer: kind, by, via, ...(forTool && { forTool }) }, Date.now())
}

/** Why no rule can be saved with a yes; undefined if one can. */
export function toRuleRefusal({ peopleNeeded }: RememberedQuestion): string | undefined {
  if (peopleNeeded === 1) return undefined
  return `A rule would let later calls run although ${peopleNeeded} people must approve each. Approve this call alone.`
}

/** Why this person may not answer a question, and who may; undefined if they may. */
export function findRefusal(asked: RememberedQuestion | ApprovalRequest, answerer: Answerer): string | undefined {
  return decideAnswerer('summary' in asked ? toTerms(asked) : asked.terms, answerer)
}

export type { Answerer, ApproverSettings }

interface DecidedRun {
  /** Full id of the workflow's tool. */
  readonly tool: string
  readonly risk: Risk
  readonly caller: string
}

/** Why this person may not decide about a run of a workflow; undefined if they may. One person decides, or none alone. */
export function findRunRefusal(
  settings: ApproverSettings,
  { tool, risk, caller }: DecidedRun,
  answerer: Answerer,
): string | undefined {
  const terms = toAnswerTerms(settings, { tool, risk, callers: [caller] })
  const refusal = decideAnswerer(terms, answerer)
  if (refusal !== undefined || !terms || terms.people === 1) return refusal
  return `${terms.people} people must approve a call of ${tool}, so no one decides about its run alone. Run toolpact runs resume.`
}

/** Who may answer a pending question; undefined if the config does not say. */
function toTerms({ summary }: RememberedQuestion): AnswerTerms | undefined {
  return (summary as Partial<QueuedSummary>).terms
}

/** Why a question can no longer be answered, or not by this person again. */
export function toEnded(id: string, question: RememberedQuestion | undefined, by?: string): QuestionResult {
  if (question?.state === 'answered') {
    const { answer, by } = question
    const message = `${toShort(id)} was ${answer === 'yes' ? 'approved' : 'denied'} already, by ${by}.`
    return { result: 'answered_before', answer, by, message }
  }
  if (question?.state === 'pending') {
    const { peopleNeeded } = question
    const message = `${by} has approved ${toShort(id)} already. It needs ${peopleNeeded} different people.`
    return { result: 'refused', message }
  }
  const message = `${toShort(id)} is no longer pending: it timed out, or its process ended. Make the call again.`
  return { result: 'expired', message }
}

function toShort(id: string): string {
  return id.slice(0, 8)
}
