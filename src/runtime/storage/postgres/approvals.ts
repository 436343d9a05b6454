import type { JsonObject } from '../../../contract/json.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import {
  type ApprovalRow,
  addPerson,
  type GrantRow,
  type OwnRow,
  type QuestionRow,
  toApprovedBy,
  toQuestion,
  toValues,
  type Used,
  withPeople,
  type YesRow,
} from '../question-rows.ts'
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
  type Answered,
  type Approval,
  type ApprovalBinding,
  type ApprovalQuestion,
  type Approvals,
  type Difference,
  findExceeded,
  type GivenAnswer,
  type QuestionState,
  type QueueLimit,
  type RememberedQuestion,
  type Resumed,
  type Waiter,
} from '../storage.ts'
import * as queries from './approval-queries.ts'
import type { Connection, Query } from './connection.ts'
import type { Versions } from './versions.ts'

/** The queue as seen within one transaction that holds its lock. */
interface Locked {
  readonly query: Query
  /** Greater than that of every question before. */
  readonly turn: number
  /** Something that people see has changed. */
  changed(): void
}

/**
 * Every change of the queue locks one row of the tenant, so that the steps of two replicas never mix: an answer is taken
 * once, a yes is used once, and limits count all pending questions. Reads and heartbeats lock nothing.
 */
export function openPostgresApprovals(
  { tenant, query, transaction }: Connection,
  { versions, notify }: { versions: Versions; notify: (query: Query) => Promise<unknown> },
): Approvals {
  async function change<Result>(job: (locked: Locked) => Promise<Result>): Promise<Result> {
    let hasChanged = false
    const { result, version } = await transaction(async (query) => {
      hasChanged = false
      const [lock] = await query<{ version: number }>(queries.lockQueue, tenant)
      const result = await job({
        query,
        turn: lock!.version + 1,
        changed() {
          hasChanged = true
        },
      })
      if (!hasChanged) return { result, version: undefined }
      const [row] = await query<{ version: number }>(queries.noteChange, tenant)
      await notify(query)
      return { result, version: row!.version }
    })
    if (version !== undefined) versions.set('queue', version)
    return result
  }

  async function grant(approval: Approval): Promise<void> {
    const { id, by, via = null, expiresAt, forTool = false } = approval
    const values = [by, via, toApprovedBy(approval), expiresAt, forTool] as const
    const added = await query(queries.insertApproval, tenant, id, ...toValues(approval), ...values)
    if (added.length === 0)
      throw new ToolpactError(
        'exists_already',
        `The approval ${id} exists already: give each approval an id of its own.`,
      )
  }

  async function use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined> {
    return change((locked) => take(locked, { id, binding, now }))
  }

  async function explain(id: string, binding: ApprovalBinding, now: number): Promise<Difference | undefined> {
    await sweep(now)
    const [found] = await query<ApprovalRow>(queries.findApproval, tenant, id)
    return found && isSameCall(found, binding) ? toDifference(found, binding) : undefined
  }

  async function request(question: ApprovalQuestion, now: number): Promise<QueueLimit | undefined> {
    const { id, caller, askedAt, expiresAt, answerMs = 0, peopleNeeded = 1, waiter } = question
    const summary = JSON.stringify(question.summary)
    const details = JSON.stringify(question.details)
    const bytes = Buffer.byteLength(details)
    await sweep(now)
    return change(async (locked) => {
      const { query, turn, changed } = locked
      await withdrawOutdated(locked, question, now)
      const limit = findExceeded(bytes, await findUse(query, caller))
      if (limit) return limit
      const terms = [
        turn,
        askedAt,
        expiresAt,
        answerMs,
        peopleNeeded,
        waiter?.callId ?? null,
        waiter?.waitsUntil ?? 0,
      ] as const
      const added = await query(queries.insertQuestion, tenant, id, ...toValues(question), ...terms, summary, bytes)
      if (added.length === 0)
        throw new ToolpactError('exists_already', `The question ${id} exists already: ask each one once.`)
      await query(queries.insertDetails, tenant, id, details)
      changed()
      return undefined
    })
  }

  async function findUse(query: Query, caller: string): Promise<{ caller: Used; total: Used }> {
    type Row = Used & { readonly ofCaller: number; readonly bytesOfCaller: number }
    const [{ questions, bytes, ofCaller, bytesOfCaller }] = (await query<Row>(queries.findUsed, tenant, caller)) as [
      Row,
    ]
    return { caller: { questions: ofCaller, bytes: bytesOfCaller }, total: { questions, bytes } }
  }

  async function resume(binding: ApprovalBinding, now: number, waiter?: Waiter): Promise<Resumed | undefined> {
    const { inputDigest, caller, tool } = binding
    const [found] = await query<{ known: boolean }>(queries.isKnown, tenant, inputDigest, caller, tool)
    if (!found?.known) return undefined
    await sweep(now)
    return change(async (locked) => {
      const { query } = locked
      const rows = await query<OwnRow>(queries.findOwn, tenant, ...toValues(binding), now)
      for (const { id, answer, by, expiresAt, waitedMs, ...given } of rows) {
        if (!answer) {
          if (waiter) await query(queries.replaceWaiter, tenant, id, waiter.callId, waiter.waitsUntil)
          return { state: 'pending', id, expiresAt }
        }
        if (answer === 'yes' && !(await take(locked, { id, binding, now }))) continue
        await markUsed(locked, id)
        return { state: 'answered', id, answer, by: by ?? '', waitedMs, ...toGiven(withPeople(given)) }
      }
      const [given] = await query<ApprovalRow>(queries.findGiven, tenant, inputDigest, caller, tool)
      const difference = given && toDifference(given, binding)
      return difference && { state: 'outdated', difference }
    })
  }

  async function questions(now: number): Promise<RememberedQuestion[]> {
    await sweep(now)
    const rows = await query<QuestionRow>(queries.listQuestions, tenant)
    return rows.map((row) => toQuestion(row, now))
  }

  async function find(id: string, now: number): Promise<RememberedQuestion | undefined> {
    const [row] = await query<QuestionRow>(queries.findQuestion, tenant, id)
    return row && toQuestion(row, now)
  }

  async function details(id: string, now: number): Promise<JsonObject | undefined> {
    if ((await stateOf(query, id, now)).state !== 'pending') return undefined
    const [row] = await query<{ details: string }>(queries.findDetails, tenant, id)
    return row && JSON.parse(row.details)
  }

  async function answer(id: string, given: GivenAnswer, now: number): Promise<Answered> {
    const { answer, by: person, via, forTool } = given
    return change(async ({ query, changed }) => {
      const found = await stateOf(query, id, now)
      if (found.state !== 'pending') return { taken: false, ...found }
      const [yeses] = await query<YesRow>(queries.findYeses, tenant, id)
      const row = withPeople(yeses!)
      const isAwaited = row.waitsUntil > now
      if (answer === 'yes' && row.approvedBy.includes(person)) return { taken: false, ...found }
      await query(queries.keepPeople, tenant, id, addPerson(yeses!.approvedBy, given))
      if (answer === 'yes') {
        row.approvedBy.push(person)
        changed()
        const missing = row.peopleNeeded - row.approvedBy.length
        if (missing > 0) return { taken: true, isAwaited, expiresAt: row.expiresAt, missing }
      }
      const by = answer === 'yes' ? toNames(row.approvedBy) : person
      const values = [answer, by, via ?? null, forTool ?? false, now] as const
      const [kept] = await query<{ expiresAt: number }>(queries.keepAnswer, tenant, id, ...values)
      await query(queries.forgetDetails, tenant, id)
      if (answer === 'yes') await query(queries.grantAnswered, tenant, id)
      changed()
      return { taken: true, isAwaited, expiresAt: kept!.expiresAt, missing: 0 }
    })
  }

  async function extend(id: string, { callId, waitsUntil }: Waiter, now: number): Promise<boolean> {
    await query(queries.extension, tenant, id, callId, waitsUntil, now)
    return (await query(queries.isWaitedByOther, tenant, id, callId)).length === 0
  }

  async function withdraw(id: string, now: number): Promise<QuestionState> {
    return change(async (locked) => {
      const found = await stateOf(locked.query, id, now)
      if (found.state === 'pending') await end(locked, id, now)
      return found
    })
  }

  async function discard(id: string, now: number): Promise<void> {
    await change(async (locked) => {
      await locked.query(queries.forgetApproval, tenant, id)
      if ((await stateOf(locked.query, id, now)).state === 'pending') await end(locked, id, now)
      await markUsed(locked, id)
    })
  }

  interface Taking {
    readonly id: string
    readonly binding: ApprovalBinding
    readonly now: number
  }

  async function take(locked: Locked, { id, binding, now }: Taking): Promise<Approval | undefined> {
    await locked.query(queries.endApprovals, tenant, now)
    const [used] = await locked.query<GrantRow>(queries.takeApproval, tenant, id, ...toValues(binding))
    if (!used) return undefined
    await markUsed(locked, id)
    const { by, expiresAt, ...given } = used
    return { id, ...toBinding(binding), by, expiresAt, ...toGiven(withPeople(given)) }
  }

  async function markUsed({ query, changed }: Locked, id: string) {
    if ((await query(queries.markUsed, tenant, id)).length > 0) changed()
  }

  async function stateOf(query: Query, id: string, now: number): Promise<QuestionState> {
    const [row] = await query<QuestionRow>(queries.findState, tenant, id)
    return toQuestionState(row, now)
  }

  /** Withdraws questions that no call waits for or could use, because the same call now asks under other conditions. */
  async function withdrawOutdated(locked: Locked, question: ApprovalBinding, now: number) {
    const { inputDigest, caller, tool, workspace } = question
    type Row = ApprovalBinding & { id: string }
    const rows = await locked.query<Row>(queries.findPending, tenant, inputDigest, caller, tool, now)
    for (const row of rows)
      if (row.workspace === workspace && toDifference({ ...row, isOver: false }, question))
        await end(locked, row.id, now)
  }

  async function end({ query, changed }: Locked, id: string, now: number) {
    await query(queries.endQuestion, tenant, id, now)
    await query(queries.forgetDetails, tenant, id)
    changed()
  }

  /** Ends what has expired, if there is any, and deletes the details of a question that can no longer be approved. */
  async function sweep(now: number): Promise<void> {
    const before = now - rememberedMs
    const [found] = await query<{ expired: boolean }>(queries.hasExpired, tenant, now, before)
    if (!found?.expired) return
    await change(async ({ query, changed }) => {
      await query(queries.forgetExpiredDetails, tenant, now)
      await query(queries.endQuestions, tenant, now)
      await query(queries.endApprovals, tenant, now)
      await query(queries.forgetQuestions, tenant, before)
      await query(queries.forgetApprovals, tenant, before)
      changed()
    })
  }

  return {
    ...{ grant, use, explain, request, resume, questions, find, details, answer, extend, withdraw, discard },
    look: (id, now) => stateOf(query, id, now),
    watch: (onChange) => versions.watch('queue', onChange),
  }
}
