import { rememberedMs, toQuestionState } from './question-state.ts'
import type { Approval, ApprovalBinding, ApprovalQuestion, Approvals, GivenAnswer, QuestionState } from './storage.ts'

type KeptQuestion = Omit<ApprovalQuestion, 'details'> & Partial<GivenAnswer> & { readonly details: string }

export function openMemoryApprovals(mustBeOpen: () => void): Approvals {
  const approvals = new Map<string, Approval>()
  const questions = new Map<string, KeptQuestion>()

  function add(approval: Approval) {
    const { id } = approval
    if (approvals.has(id)) throw new Error(`The approval ${id} exists already: give each approval an id of its own.`)
    approvals.set(id, { ...approval })
  }

  function stateOf(id: string, now: number): QuestionState {
    mustBeOpen()
    return toQuestionState(questions.get(id), now)
  }

  function sweep(now: number) {
    for (const [id, question] of questions) {
      if (question.expiresAt <= now - rememberedMs) questions.delete(id)
      else if (question.expiresAt <= now) questions.set(id, { ...question, details: '{}' })
    }
  }

  return {
    async grant(approval) {
      mustBeOpen()
      add(approval)
    },
    async use(id, binding, now) {
      mustBeOpen()
      const approval = approvals.get(id)
      if (!approval) return undefined
      const isFor = isSame(approval, binding)
      const expired = approval.expiresAt <= now
      if (isFor || expired) approvals.delete(id)
      return isFor && !expired ? approval : undefined
    },
    async request(question, now) {
      mustBeOpen()
      sweep(now)
      if (questions.has(question.id)) throw new Error(`The question ${question.id} exists already: ask each one once.`)
      questions.set(question.id, { ...question, details: JSON.stringify(question.details) })
    },
    async questions(now) {
      mustBeOpen()
      sweep(now)
      const sorted = [...questions.values()].sort((a, b) => a.askedAt - b.askedAt)
      return sorted.map(({ answer: _answer, by: _by, details, ...question }) => ({
        ...question,
        details: JSON.parse(details),
        ...stateOf(question.id, now),
      }))
    },
    async answer(id, { answer, by }, now) {
      const found = stateOf(id, now)
      if (found.state !== 'pending') return { taken: false, ...found }
      const { tool, contractDigest, inputDigest, expiresAt } = questions.get(id)!
      if (answer === 'yes') add({ id, tool, contractDigest, inputDigest, by, expiresAt })
      questions.set(id, { ...questions.get(id)!, answer, by, details: '{}' })
      return { taken: true }
    },
    async look(id, now) {
      return stateOf(id, now)
    },
    async extend(id, expiresAt, now) {
      if (stateOf(id, now).state === 'pending') questions.set(id, { ...questions.get(id)!, expiresAt })
    },
    async withdraw(id, now) {
      const found = stateOf(id, now)
      if (found.state === 'pending') questions.set(id, { ...questions.get(id)!, expiresAt: now, details: '{}' })
      return found
    },
  }
}

function isSame(approval: ApprovalBinding, binding: ApprovalBinding): boolean {
  return (
    approval.tool === binding.tool &&
    approval.contractDigest === binding.contractDigest &&
    approval.inputDigest === binding.inputDigest
  )
}
