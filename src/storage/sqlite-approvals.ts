import type { GroupCommit } from './group-commit.ts'
import { rememberedMs, toQuestionState } from './question-state.ts'
import type { Database } from './sqlite-database.ts'
import { toStorageError } from './sqlite-error.ts'
import type {
  Answered,
  Approval,
  ApprovalBinding,
  ApprovalQuestion,
  Approvals,
  GivenAnswer,
  QuestionState,
  RememberedQuestion,
  Resumed,
  Waiter,
} from './storage.ts'

/** Grants, uses and answers wait for the disk: an approval that was used must not come back after a loss of power. */
export function openSqliteApprovals(database: Database, commits: GroupCommit): Approvals {
  async function grant(approval: Approval): Promise<void> {
    const { id, by, expiresAt, forTool = false } = approval
    const added = await commitDurably(() =>
      database.sql(insertApproval).run(id, ...toValues(approval), by, expiresAt, Number(forTool)),
    )
    if (added.changes === 0) throw new Error(`The approval ${id} exists already: give each approval an id of its own.`)
  }

  async function use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined> {
    return commitDurably(() => take(id, binding, now))
  }

  async function request(question: ApprovalQuestion, now: number): Promise<void> {
    const { id, askedAt, expiresAt, answerMs = 0, waiter } = question
    const details = JSON.stringify(question.details)
    const added = await commits.next().add(() => {
      sweep(now)
      return database
        .sql(insertQuestion)
        .run(id, ...toValues(question), askedAt, expiresAt, answerMs, waiter?.callId ?? null, waiter?.waitsUntil ?? 0, details) // biome-ignore format: one line
    })
    if (added.changes === 0) throw new Error(`The question ${id} exists already: ask each one once.`)
  }

  async function resume(binding: ApprovalBinding, now: number, waiter?: Waiter): Promise<Resumed | undefined> {
    return commitDurably(() => {
      const rows = database.sql(findOwn).all(...toValues(binding), now) as unknown as OwnRow[]
      for (const { id, answer, by, forTool, expiresAt } of rows) {
        if (!answer) {
          if (waiter) database.sql(replaceWaiter).run(waiter.callId, waiter.waitsUntil, id)
          return { state: 'pending', id, expiresAt }
        }
        if (answer === 'yes' && !take(id, binding, now)) continue
        database.sql(markUsed).run(id)
        return { state: 'answered', id, answer, by: by ?? '', ...(forTool && { forTool: true }) }
      }
      return undefined
    })
  }

  async function questions(now: number): Promise<RememberedQuestion[]> {
    const rows = await commits.next().add(() => {
      sweep(now)
      return database.sql(`SELECT ${columns} FROM questions ORDER BY asked_at, rowid`).all()
    })
    return (rows as unknown as QuestionRow[]).map(({ details, answer, by, isUsed, ...question }) => ({
      ...question,
      details: JSON.parse(details),
      ...toQuestionState({ ...question, answer, by, isUsed }, now),
    }))
  }

  async function answer(id: string, { answer, by, forTool }: GivenAnswer, now: number): Promise<Answered> {
    return commitDurably(() => {
      const found = stateOf(id, now)
      if (found.state !== 'pending') return { taken: false, ...found }
      const row = database.sql(keepAnswer).get(answer, by, Number(forTool ?? false), now, id)
      if (answer === 'yes') database.sql(grantAnswered).run(id)
      const { expiresAt, waitsUntil } = row as { expiresAt: number; waitsUntil: number }
      return { taken: true, isAwaited: waitsUntil > now, expiresAt }
    })
  }

  async function look(id: string, now: number): Promise<QuestionState> {
    try {
      return stateOf(id, now)
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  async function extend(id: string, { callId, waitsUntil }: Waiter, now: number): Promise<boolean> {
    return commits.next().add(() => {
      database.sql(extension).run(callId, waitsUntil, waitsUntil, id, now, callId)
      return database.sql('SELECT 1 FROM questions WHERE id = ? AND waiter <> ?').get(id, callId) === undefined
    })
  }

  async function withdraw(id: string, now: number): Promise<QuestionState> {
    return commits.next().add(() => {
      const found = stateOf(id, now)
      database.sql(withdrawal).run(now, id, now)
      return found
    })
  }

  async function discard(id: string, now: number): Promise<void> {
    await commitDurably(() => {
      database.sql('DELETE FROM approvals WHERE id = ?').run(id)
      database.sql(withdrawal).run(now, id, now)
      database.sql(markUsed).run(id)
    })
  }

  function take(id: string, binding: ApprovalBinding, now: number): Approval | undefined {
    database.sql('DELETE FROM approvals WHERE expires_at <= ?').run(now)
    const used = database.sql(takeApproval).get(id, ...toValues(binding)) as ApprovalRow | undefined
    if (!used) return undefined
    database.sql(markUsed).run(id)
    const { tool, contractDigest, inputDigest, caller, workspace } = binding
    const { by, expiresAt, forTool } = used
    return {
      id,
      tool,
      contractDigest,
      inputDigest,
      caller,
      workspace,
      by,
      expiresAt,
      ...(forTool && { forTool: true }),
    }
  }

  function stateOf(id: string, now: number): QuestionState {
    // Read several times a second, so without the details, which may be long.
    const row = database.sql(`SELECT ${stateColumns} FROM questions WHERE id = ?`).get(id)
    return toQuestionState(row as unknown as QuestionRow | undefined, now)
  }

  /** Drops what a call would have done as soon as it can no longer be approved. */
  function sweep(now: number) {
    database.sql('DELETE FROM questions WHERE expires_at <= ?').run(now - rememberedMs)
    database.sql("UPDATE questions SET details = '{}' WHERE expires_at <= ? AND details <> '{}'").run(now)
  }

  function commitDurably<Result>(job: () => Result): Promise<Result> {
    const batch = commits.next()
    batch.durable = true
    return batch.add(job)
  }

  return { grant, use, request, resume, questions, answer, look, extend, withdraw, discard }
}

interface QuestionRow extends Omit<ApprovalQuestion, 'details' | 'answerMs' | 'waiter'> {
  readonly details: string
  readonly answer: GivenAnswer['answer'] | null
  readonly by: string | null
  readonly isUsed: number
}

interface OwnRow extends Pick<QuestionRow, 'id' | 'answer' | 'by' | 'expiresAt'> {
  readonly forTool: number
}

interface ApprovalRow {
  readonly by: string
  readonly expiresAt: number
  readonly forTool: number
}

type BindingValues = [tool: string, contract: string, input: string, caller: string, workspace: string]

function toValues({ tool, contractDigest, inputDigest, caller, workspace }: ApprovalBinding): BindingValues {
  return [tool, contractDigest, inputDigest, caller, workspace]
}

const bindingColumns = 'tool, contract_digest, input_digest, caller, workspace'
const isBinding = 'tool = ? AND contract_digest = ? AND input_digest = ? AND caller = ? AND workspace = ?'
const stateColumns = 'expires_at AS expiresAt, answer, by, is_used AS isUsed'

const columns = `
  id, tool, contract_digest AS contractDigest, input_digest AS inputDigest, caller, workspace, asked_at AS askedAt,
  details, ${stateColumns}
`

const insertApproval = `
  INSERT OR IGNORE INTO approvals (id, ${bindingColumns}, by, expires_at, for_tool) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
`

const insertQuestion = `
  INSERT OR IGNORE INTO questions
  (id, ${bindingColumns}, asked_at, expires_at, answer_ms, waiter, waits_until, details)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

const takeApproval = `
  DELETE FROM approvals WHERE id = ? AND ${isBinding} RETURNING by, expires_at AS expiresAt, for_tool AS forTool
`

const findOwn = `
  SELECT id, answer, by, for_tool AS forTool, expires_at AS expiresAt FROM questions
  WHERE ${isBinding} AND expires_at > ? AND is_used = 0
  ORDER BY answer IS NULL, asked_at DESC, rowid DESC
`

const replaceWaiter = 'UPDATE questions SET waiter = ?, waits_until = ? WHERE id = ?'
const markUsed = 'UPDATE questions SET is_used = 1 WHERE id = ?'

const keepAnswer = `
  UPDATE questions SET answer = ?, by = ?, for_tool = ?, expires_at = max(expires_at, ? + answer_ms), details = '{}'
  WHERE id = ? RETURNING expires_at AS expiresAt, waits_until AS waitsUntil
`

const grantAnswered = `
  INSERT OR IGNORE INTO approvals (id, ${bindingColumns}, by, expires_at, for_tool)
  SELECT id, ${bindingColumns}, by, expires_at, for_tool FROM questions WHERE id = ?
`

const extension = `
  UPDATE questions SET waiter = ?, waits_until = ?, expires_at = max(expires_at, ?)
  WHERE id = ? AND answer IS NULL AND expires_at > ? AND (waiter IS NULL OR waiter = ?)
`

const withdrawal = `
  UPDATE questions SET expires_at = ?, details = '{}' WHERE id = ? AND answer IS NULL AND expires_at > ?
`
