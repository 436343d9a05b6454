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
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { toStorageError } from './sqlite-error.ts'
import type { StateWatch } from './watch.ts'

/**
 * Grants, uses and answers are fsynced: a used approval must not reappear after a power failure. Details of questions can be
 * megabytes, so they have their own table and are read only to be shown.
 */
export function openSqliteApprovals(
  database: Database,
  commits: GroupCommit,
  watchState: StateWatch['watch'],
): Approvals {
  async function grant(approval: Approval): Promise<void> {
    const { id, by, via = null, expiresAt, forTool = false } = approval
    const added = await commitDurably(() =>
      database
        .sql(queries.insertApproval)
        .run(id, ...toValues(approval), by, via, toApprovedBy(approval), expiresAt, Number(forTool)),
    )
    if (added.changes === 0)
      throw new ToolpactError(
        'exists_already',
        `The approval ${id} exists already: give each approval an id of its own.`,
      )
  }

  async function use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined> {
    return commitDurably(() => take(id, binding, now))
  }

  async function explain(id: string, binding: ApprovalBinding, now: number): Promise<Difference | undefined> {
    return commits.next().add(() => {
      sweep(now)
      const found = database.sql(queries.findApproval).get(id) as unknown as ApprovalRow | undefined
      return found && isSameCall(found, binding) ? toDifference(found, binding) : undefined
    })
  }

  async function request(question: ApprovalQuestion, now: number): Promise<QueueLimit | undefined> {
    const { id, caller, askedAt, expiresAt, answerMs = 0, peopleNeeded = 1, waiter, summary } = question
    const details = JSON.stringify(question.details)
    const bytes = Buffer.byteLength(details)
    const { limit, added } = await commits.next().add(() => {
      sweep(now)
      withdrawOutdated(question, now)
      const limit = findExceeded(bytes, { caller: usedBy(caller), total: used() })
      if (limit) return { limit, added: 0 }
      const row = database
        .sql(queries.insertQuestion)
        .run(id, ...toValues(question), askedAt, expiresAt, answerMs, peopleNeeded, waiter?.callId ?? null, waiter?.waitsUntil ?? 0, JSON.stringify(summary), bytes) // biome-ignore format: one line
      if (row.changes > 0) database.sql(queries.insertDetails).run(id, details)
      return { limit, added: row.changes }
    })
    if (!limit && added === 0)
      throw new ToolpactError('exists_already', `The question ${id} exists already: ask each one once.`)
    return limit
  }

  async function resume(binding: ApprovalBinding, now: number, waiter?: Waiter): Promise<Resumed | undefined> {
    return commitDurably(() => {
      sweep(now)
      const rows = database.sql(queries.findOwn).all(...toValues(binding), now) as unknown as OwnRow[]
      for (const { id, answer, by, expiresAt, waitedMs, ...given } of rows) {
        if (!answer) {
          if (waiter) database.sql(queries.replaceWaiter).run(waiter.callId, waiter.waitsUntil, id)
          return { state: 'pending', id, expiresAt }
        }
        if (answer === 'yes' && !take(id, binding, now)) continue
        database.sql(queries.markUsed).run(id)
        return { state: 'answered', id, answer, by: by ?? '', waitedMs, ...toGiven(withPeople(given)) }
      }
      const { inputDigest, caller, tool } = binding
      const given = database.sql(queries.findGiven).get(inputDigest, caller, tool) as unknown as ApprovalRow | undefined
      const difference = given && toDifference(given, binding)
      return difference && { state: 'outdated', difference }
    })
  }

  async function questions(now: number): Promise<RememberedQuestion[]> {
    const rows = await commits.next().add(() => {
      sweep(now)
      return database.sql(queries.listQuestions).all()
    })
    return (rows as unknown as QuestionRow[]).map((row) => toQuestion(row, now))
  }

  async function find(id: string, now: number): Promise<RememberedQuestion | undefined> {
    return reading(() => {
      const row = database.sql(queries.findQuestion).get(id)
      return row && toQuestion(row as unknown as QuestionRow, now)
    })
  }

  async function details(id: string, now: number): Promise<JsonObject | undefined> {
    return reading(() => {
      if (stateOf(id, now).state !== 'pending') return undefined
      const row = database.sql('SELECT details FROM question_details WHERE id = ?').get(id)
      return row && JSON.parse(row.details as string)
    })
  }

  async function answer(id: string, given: GivenAnswer, now: number): Promise<Answered> {
    const { answer, by: person, via, forTool } = given
    return commitDurably(() => {
      const found = stateOf(id, now)
      if (found.state !== 'pending') return { taken: false, ...found }
      const yeses = database.sql(queries.findYeses).get(id) as unknown as YesRow
      const row = withPeople(yeses)
      const isAwaited = row.waitsUntil > now
      if (answer === 'yes' && row.approvedBy.includes(person)) return { taken: false, ...found }
      database.sql(queries.keepPeople).run(addPerson(yeses.approvedBy, given), id)
      if (answer === 'yes') {
        row.approvedBy.push(person)
        const missing = row.peopleNeeded - row.approvedBy.length
        if (missing > 0) return { taken: true, isAwaited, expiresAt: row.expiresAt, missing }
      }
      const by = answer === 'yes' ? toNames(row.approvedBy) : person
      database.sql(queries.keepAnswer).run(answer, by, via ?? null, Number(forTool ?? false), now, id)
      database.sql(queries.forgetDetails).run(id)
      if (answer === 'yes') database.sql(queries.grantAnswered).run(id)
      const { expiresAt } = database.sql(queries.findYeses).get(id) as unknown as YesRow
      return { taken: true, isAwaited, expiresAt, missing: 0 }
    })
  }

  async function look(id: string, now: number): Promise<QuestionState> {
    return reading(() => stateOf(id, now))
  }

  async function extend(id: string, { callId, waitsUntil }: Waiter, now: number): Promise<boolean> {
    return commits.next().add(() => {
      database.sql(queries.extension).run(callId, waitsUntil, waitsUntil, id, now, callId)
      return database.sql('SELECT 1 FROM questions WHERE id = ? AND waiter <> ?').get(id, callId) === undefined
    })
  }

  async function withdraw(id: string, now: number): Promise<QuestionState> {
    return commits.next().add(() => {
      const found = stateOf(id, now)
      if (found.state === 'pending') end(id, now)
      return found
    })
  }

  async function discard(id: string, now: number): Promise<void> {
    await commitDurably(() => {
      database.sql('DELETE FROM approvals WHERE id = ?').run(id)
      if (stateOf(id, now).state === 'pending') end(id, now)
      database.sql(queries.markUsed).run(id)
    })
  }

  function take(id: string, binding: ApprovalBinding, now: number): Approval | undefined {
    database.sql(queries.endApprovals).run(now)
    const used = database.sql(queries.takeApproval).get(id, ...toValues(binding)) as GrantRow | undefined
    if (!used) return undefined
    database.sql(queries.markUsed).run(id)
    const { by, expiresAt, ...given } = used
    return { id, ...toBinding(binding), by, expiresAt, ...toGiven(withPeople(given)) }
  }

  function stateOf(id: string, now: number): QuestionState {
    const row = database.sql(queries.findState).get(id)
    return toQuestionState(row as unknown as QuestionRow | undefined, now)
  }

  function usedBy(caller: string): Used {
    const found = database.sql(queries.usedByCaller).get(caller) as unknown as Used | undefined
    return found ?? { questions: 0, bytes: 0 }
  }

  function used(): Used {
    return database.sql(queries.usedInTotal).get() as unknown as Used
  }

  /** Withdraws questions that no call waits for or could use, because the same call now asks under other conditions. */
  function withdrawOutdated(question: ApprovalBinding, now: number) {
    const { inputDigest, caller, tool } = question
    const rows = database.sql(queries.findPending).all(inputDigest, caller, tool, now)
    for (const row of rows as unknown as (ApprovalBinding & { id: string })[]) {
      if (row.workspace === question.workspace && toDifference({ ...row, isOver: false }, question)) end(row.id, now)
    }
  }

  function end(id: string, now: number) {
    database.sql(queries.endQuestion).run(now, id)
    database.sql(queries.forgetDetails).run(id)
  }

  /** Deletes the details of a question that can no longer be approved. */
  function sweep(now: number) {
    database.sql(queries.forgetExpiredDetails).run(now)
    database.sql(queries.endQuestions).run(now)
    database.sql(queries.endApprovals).run(now)
    database.sql('DELETE FROM questions WHERE is_over = 1 AND expires_at <= ?').run(now - rememberedMs)
    database.sql('DELETE FROM approvals WHERE is_over = 1 AND expires_at <= ?').run(now - rememberedMs)
  }

  function reading<Result>(read: () => Result): Result {
    try {
      return read()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  function commitDurably<Result>(job: () => Result): Promise<Result> {
    const batch = commits.next()
    batch.durable = true
    return batch.add(job)
  }

  function watch(onChange: () => unknown): () => void {
    return watchState({ version: () => database.sql('SELECT version FROM queue_version').get()?.version }, onChange)
  }

  return {
    ...{ grant, use, explain, request, resume, questions, find, details, answer, look, extend, withdraw, discard },
    watch,
  }
}
