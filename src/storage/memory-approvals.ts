import { rememberedMs, toQuestionState } from './question-state.ts'
import type { Approval, ApprovalBinding, ApprovalQuestion, Approvals, GivenAnswer, QuestionState } from './storage.ts'

type KeptQuestion = Omit<ApprovalQuestion, 'details'> &
  Partial<GivenAnswer> & { readonly details: string; readonly isUsed: boolean }

export function openMemoryApprovals(mustBeOpen: () => void): Approvals {
  const approvals = new Map<string, Approval>()
  const questions = new Map<string, KeptQuestion>()

  function add(approval: Approval) {
    const { id } = approval
    if (approvals.has(id)) throw new Error(`The approval ${id} exists already: give each approval an id of its own.`)
    approvals.set(id, { ...approval })
  }

  function take(id: string, binding: ApprovalBinding, now: number): Approval | undefined {
    const approval = approvals.get(id)
    if (!approval) return undefined
    const isFor = isSame(approval, binding)
    const expired = approval.expiresAt <= now
    if (isFor || expired) approvals.delete(id)
    if (!isFor || expired) return undefined
    change(id, { isUsed: true })
    return approval
  }

  function change(id: string, changes: Partial<KeptQuestion>) {
    const question = questions.get(id)
    if (question) questions.set(id, { ...question, ...changes })
  }

  function stateOf(id: string, now: number): QuestionState {
    mustBeOpen()
    return toQuestionState(questions.get(id), now)
  }

  function sweep(now: number) {
    for (const [id, question] of questions) {
      if (question.expiresAt <= now - rememberedMs) questions.delete(id)
      else if (question.expiresAt <= now) change(id, { details: '{}' })
    }
  }

  return {
    async grant(approval) {
      mustBeOpen()
      add(approval)
    },
    async use(id, binding, now) {
      mustBeOpen()
      return take(id, binding, now)
    },
    async request(question, now) {
      mustBeOpen()
      sweep(now)
      if (questions.has(question.id)) throw new Error(`The question ${question.id} exists already: ask each one once.`)
      questions.set(question.id, { ...question, details: JSON.stringify(question.details), isUsed: false })
    },
    async resume(binding, now, waiter) {
      mustBeOpen()
      const own = [...questions.values()]
        .filter((question) => isSame(question, binding) && question.expiresAt > now && !question.isUsed)
        .sort((a, b) => Number(!a.answer) - Number(!b.answer) || b.askedAt - a.askedAt)
      for (const { id, answer, by = '', forTool, expiresAt } of own) {
        if (!answer) {
          if (waiter) change(id, { waiter })
          return { state: 'pending', id, expiresAt }
        }
        if (answer === 'yes' && !take(id, binding, now)) continue
        change(id, { isUsed: true })
        return { state: 'answered', id, answer, by, ...(forTool && { forTool }) }
      }
      return undefined
    },
    async questions(now) {
      mustBeOpen()
      sweep(now)
      const sorted = [...questions.values()].sort((a, b) => a.askedAt - b.askedAt)
      return sorted.map(
        ({ id, tool, contractDigest, inputDigest, caller, workspace, askedAt, expiresAt, details }) => ({
          ...{ id, tool, contractDigest, inputDigest, caller, workspace, askedAt, expiresAt },
          details: JSON.parse(details),
          ...stateOf(id, now),
        }),
      )
    },
    async answer(id, { answer, by, forTool }, now) {
      const found = stateOf(id, now)
      if (found.state !== 'pending') return { taken: false, ...found }
      const question = questions.get(id)!
      const { tool, contractDigest, inputDigest, caller, workspace, waiter } = question
      const expiresAt = Math.max(question.expiresAt, now + (question.answerMs ?? 0))
      const binding = { tool, contractDigest, inputDigest, caller, workspace }
      if (answer === 'yes') add({ id, ...binding, by, expiresAt, ...(forTool && { forTool }) })
      change(id, { answer, by, expiresAt, details: '{}', ...(forTool && { forTool }) })
      return { taken: true, isAwaited: waiter !== undefined && waiter.waitsUntil > now, expiresAt }
    },
    async look(id, now) {
      return stateOf(id, now)
    },
    async extend(id, waiter, now) {
      const isPending = stateOf(id, now).state === 'pending'
      const question = questions.get(id)
      if (question?.waiter && question.waiter.callId !== waiter.callId) return false
      if (isPending) change(id, { waiter, expiresAt: Math.max(question!.expiresAt, waiter.waitsUntil) })
      return true
    },
    async withdraw(id, now) {
      const found = stateOf(id, now)
      if (found.state === 'pending') change(id, { expiresAt: now, details: '{}' })
      return found
    },
    async discard(id, now) {
      const found = stateOf(id, now)
      approvals.delete(id)
      change(id, { isUsed: true, details: '{}', ...(found.state === 'pending' && { expiresAt: now }) })
    },
  }
}

function isSame(approval: ApprovalBinding, binding: ApprovalBinding): boolean {
  return (['tool', 'contractDigest', 'inputDigest', 'caller', 'workspace'] as const).every(
    (part) => approval[part] === binding[part],
  )
}
