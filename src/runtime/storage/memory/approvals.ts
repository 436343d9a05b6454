import { ToolpactError } from '../../../contract/toolpact-error.ts'
import {
  isSameCall,
  rememberedMs,
  toBinding,
  toDifference,
  toGiven,
  toNames,
  toQuestionState,
} from '../question-state.ts'
import {
  type AnswerPrincipal,
  type Approval,
  type ApprovalBinding,
  type ApprovalQuestion,
  type Approvals,
  bindingParts,
  findExceeded,
  type GivenAnswer,
  type QuestionState,
  type RememberedQuestion,
} from '../storage.ts'
import { createChanges } from './changes.ts'

type KeptApproval = Approval & { readonly isOver: boolean }

type KeptQuestion = Omit<ApprovalQuestion, 'summary' | 'details'> &
  Partial<GivenAnswer> & {
    readonly approvedBy: readonly string[]
    readonly principals: readonly AnswerPrincipal[]
    /** Stored as text, so that callers cannot mutate it. */
    readonly summary: string
    readonly details: string
    readonly bytes: number
    readonly answeredAt?: number
    readonly isUsed: boolean
    readonly isOver: boolean
  }

export function openMemoryApprovals(mustBeOpen: () => void): Approvals {
  const approvals = new Map<string, KeptApproval>()
  const questions = new Map<string, KeptQuestion>()
  const { changed, watch } = createChanges()

  function add(approval: Approval) {
    const { id } = approval
    if (approvals.has(id))
      throw new ToolpactError(
        'exists_already',
        `The approval ${id} exists already: give each approval an id of its own.`,
      )
    approvals.set(id, { ...approval, isOver: false })
  }

  function take(id: string, binding: ApprovalBinding, now: number): Approval | undefined {
    sweep(now)
    const approval = approvals.get(id)
    if (!approval || approval.isOver || !isSame(approval, binding)) return undefined
    approvals.delete(id)
    change(id, { isUsed: true })
    const { isOver, ...used } = approval
    return used
  }

  function change(id: string, changes: Partial<KeptQuestion>) {
    const question = questions.get(id)
    if (!question) return
    questions.set(id, { ...question, ...changes })
    changed()
  }

  function end(id: string, now: number) {
    change(id, { isOver: true, expiresAt: now, ...forgotten })
  }

  function stateOf(id: string, now: number): QuestionState {
    mustBeOpen()
    return toQuestionState(questions.get(id), now)
  }

  function sweep(now: number) {
    mustBeOpen()
    for (const [id, { expiresAt, isOver }] of questions) {
      if (expiresAt <= now - rememberedMs) questions.delete(id)
      else if (expiresAt <= now && !isOver) change(id, { isOver: true, ...forgotten })
    }
    for (const [id, approval] of approvals) {
      if (approval.expiresAt <= now - rememberedMs) approvals.delete(id)
      else if (approval.expiresAt <= now) approvals.set(id, { ...approval, isOver: true })
    }
  }

  function pending(): KeptQuestion[] {
    return [...questions.values()].filter(({ answer, isOver }) => !answer && !isOver)
  }

  return {
    async grant(approval) {
      mustBeOpen()
      add(approval)
    },
    async use(id, binding, now) {
      return take(id, binding, now)
    },
    async explain(id, binding, now) {
      sweep(now)
      const found = approvals.get(id)
      return found && isSameCall(found, binding) ? toDifference(found, binding) : undefined
    },
    async request(question, now) {
      sweep(now)
      const { id, caller, summary } = question
      if (questions.has(id))
        throw new ToolpactError('exists_already', `The question ${id} exists already: ask each one once.`)
      for (const each of pending()) {
        const isAwaited = each.waiter !== undefined && each.waiter.waitsUntil > now
        if (isAwaited || !isSameCall(each, question) || each.workspace !== question.workspace) continue
        if (toDifference({ ...each, isOver: false }, question)) end(each.id, now)
      }
      const details = JSON.stringify(question.details)
      const bytes = Buffer.byteLength(details)
      const total = pending()
      const own = total.filter((each) => each.caller === caller)
      const limit = findExceeded(bytes, { caller: toUse(own), total: toUse(total) })
      if (limit) return limit
      const kept = { ...question, summary: JSON.stringify(summary), details, bytes }
      questions.set(id, { ...kept, approvedBy: [], principals: [], isUsed: false, isOver: false })
      changed()
      return undefined
    },
    async resume(binding, now, waiter) {
      sweep(now)
      const own = [...questions.values()]
        .filter(({ isUsed, isOver, ...question }) => isSame(question, binding) && !isOver && !isUsed)
        .sort((a, b) => Number(!a.answer) - Number(!b.answer) || b.askedAt - a.askedAt)
      for (const question of own) {
        const {
          id,
          answer,
          by = '',
          via,
          forTool,
          approvedBy,
          principals,
          expiresAt,
          askedAt,
          answeredAt = askedAt,
        } = question
        if (!answer) {
          if (waiter) change(id, { waiter })
          return { state: 'pending', id, expiresAt }
        }
        if (answer === 'yes' && !take(id, binding, now)) continue
        change(id, { isUsed: true })
        const waitedMs = Math.max(0, answeredAt - askedAt)
        return { state: 'answered', id, answer, by, waitedMs, ...toGiven({ via, forTool, approvedBy, principals }) }
      }
      const [given] = [...approvals.values()]
        .filter((approval) => isSameCall(approval, binding))
        .sort((a, b) => b.expiresAt - a.expiresAt)
      const difference = given && toDifference(given, binding)
      return difference && { state: 'outdated', difference }
    },
    async questions(now) {
      sweep(now)
      const sorted = [...questions.values()].sort((a, b) => a.askedAt - b.askedAt)
      return sorted.map((question) => toQuestion(question, now))
    },
    async find(id, now) {
      mustBeOpen()
      const question = questions.get(id)
      return question && toQuestion(question, now)
    },
    async details(id, now) {
      return stateOf(id, now).state === 'pending' ? JSON.parse(questions.get(id)!.details) : undefined
    },
    async answer(id, { answer, by: person, principal, via, forTool }, now) {
      const found = stateOf(id, now)
      const question = questions.get(id)
      if (found.state !== 'pending' || !question) return { taken: false, ...found }
      const { waiter, peopleNeeded = 1, approvedBy: before } = question
      if (answer === 'yes' && before.includes(person)) return { taken: false, ...found }
      const isAwaited = waiter !== undefined && waiter.waitsUntil > now
      const approvedBy = answer === 'yes' ? [...before, person] : before
      const own = principal ? [{ name: person, ...principal }] : []
      const principals = answer === 'yes' ? [...question.principals, ...own] : own
      const missing = answer === 'yes' ? Math.max(0, peopleNeeded - approvedBy.length) : 0
      if (missing > 0) {
        change(id, { approvedBy, principals })
        return { taken: true, isAwaited, expiresAt: question.expiresAt, missing }
      }
      const by = answer === 'yes' ? toNames(approvedBy) : person
      const expiresAt = Math.max(question.expiresAt, now + (question.answerMs ?? 0))
      if (answer === 'yes')
        add({ id, ...toBinding(question), by, expiresAt, ...toGiven({ via, forTool, approvedBy, principals }) })
      change(id, { answer, by, answeredAt: now, approvedBy, principals, expiresAt, ...forgotten, ...(via !== undefined && { via }), ...(forTool && { forTool }) }) // biome-ignore format: one line
      return { taken: true, isAwaited, expiresAt, missing }
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
      if (found.state === 'pending') end(id, now)
      return found
    },
    async discard(id, now) {
      const found = stateOf(id, now)
      approvals.delete(id)
      if (found.state === 'pending') end(id, now)
      change(id, { isUsed: true })
    },
    watch,
  }
}

const forgotten = { summary: '{}', details: '{}' }

function toQuestion(question: KeptQuestion, now: number): RememberedQuestion {
  const { id, askedAt, expiresAt, summary, bytes, waiter, approvedBy, peopleNeeded = 1 } = question
  const state = toQuestionState(question, now)
  const awaitedBy = state.state === 'pending' && waiter && waiter.waitsUntil > now ? waiter.callId : null
  const known = { id, ...toBinding(question), askedAt, expiresAt, summary: JSON.parse(summary), bytes }
  return { ...known, approvedBy, peopleNeeded, awaitedBy, ...state }
}

function toUse(questions: readonly KeptQuestion[]) {
  return { questions: questions.length, bytes: questions.reduce((sum, { bytes }) => sum + bytes, 0) }
}

function isSame(approval: ApprovalBinding, binding: ApprovalBinding): boolean {
  return bindingParts.every((part) => approval[part] === binding[part])
}
