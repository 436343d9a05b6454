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
} from './storage.ts'

/** Grants, uses and answers wait for the disk: an approval that was used must not come back after a loss of power. */
export function openSqliteApprovals(database: Database, commits: GroupCommit): Approvals {
  async function grant(approval: Approval): Promise<void> {
    const { id, tool, contractDigest, inputDigest, by, expiresAt } = approval
    const added = await commitDurably(() =>
      database
        .sql('INSERT OR IGNORE INTO approvals VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, tool, contractDigest, inputDigest, by, expiresAt),
    )
    if (added.changes === 0) throw new Error(`The approval ${id} exists already: give each approval an id of its own.`)
  }

  async function use(id: string, binding: ApprovalBinding, now: number): Promise<Approval | undefined> {
    const { tool, contractDigest, inputDigest } = binding
    const used = await commitDurably(() => {
      database.sql('DELETE FROM approvals WHERE expires_at <= ?').run(now)
      return database.sql(take).get(id, tool, contractDigest, inputDigest)
    })
    return used && { id, ...binding, by: used.by as string, expiresAt: used.expires_at as number }
  }

  async function request(question: ApprovalQuestion, now: number): Promise<void> {
    const { id, tool, contractDigest, inputDigest, askedAt, expiresAt } = question
    const details = JSON.stringify(question.details)
    const added = await commits.next().add(() => {
      sweep(now)
      return database
        .sql('INSERT OR IGNORE INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL)')
        .run(id, tool, contractDigest, inputDigest, askedAt, expiresAt, details)
    })
    if (added.changes === 0) throw new Error(`The question ${id} exists already: ask each one once.`)
  }

  async function questions(now: number): Promise<RememberedQuestion[]> {
    const rows = await commits.next().add(() => {
      sweep(now)
      return database.sql(`SELECT ${columns} FROM questions ORDER BY asked_at, rowid`).all()
    })
    return (rows as unknown as QuestionRow[]).map(({ details, answer, by, ...question }) => ({
      ...question,
      details: JSON.parse(details),
      ...toQuestionState({ ...question, answer, by }, now),
    }))
  }

  async function answer(id: string, { answer, by }: GivenAnswer, now: number): Promise<Answered> {
    return commitDurably(() => {
      const found = stateOf(id, now)
      if (found.state !== 'pending') return { taken: false, ...found }
      if (answer === 'yes') database.sql(grantAnswered).run(by, id)
      database.sql("UPDATE questions SET answer = ?, by = ?, details = '{}' WHERE id = ?").run(answer, by, id)
      return { taken: true }
    })
  }

  async function look(id: string, now: number): Promise<QuestionState> {
    try {
      return stateOf(id, now)
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  async function extend(id: string, expiresAt: number, now: number): Promise<void> {
    await commits.next().add(() => database.sql(extension).run(expiresAt, id, now))
  }

  async function withdraw(id: string, now: number): Promise<QuestionState> {
    return commits.next().add(() => {
      const found = stateOf(id, now)
      database.sql(withdrawal).run(now, id, now)
      return found
    })
  }

  function stateOf(id: string, now: number): QuestionState {
    // Asked several times a second, so without the details, which may be long.
    const row = database.sql('SELECT expires_at AS expiresAt, answer, by FROM questions WHERE id = ?').get(id)
    return toQuestionState(row as unknown as QuestionRow | undefined, now)
  }

  /** What a call would have done is nobody's business any more once nobody waits. */
  function sweep(now: number) {
    database.sql('DELETE FROM questions WHERE expires_at <= ?').run(now - rememberedMs)
    database.sql("UPDATE questions SET details = '{}' WHERE expires_at <= ? AND details <> '{}'").run(now)
  }

  function commitDurably<Result>(job: () => Result): Promise<Result> {
    const batch = commits.next()
    batch.durable = true
    return batch.add(job)
  }

  return { grant, use, request, questions, answer, look, extend, withdraw }
}

interface QuestionRow extends Omit<ApprovalQuestion, 'details'> {
  readonly details: string
  readonly answer: GivenAnswer['answer'] | null
  readonly by: string | null
}

const columns = `
  id, tool, contract_digest AS contractDigest, input_digest AS inputDigest, asked_at AS askedAt,
  expires_at AS expiresAt, details, answer, by
`

const take = `
  DELETE FROM approvals WHERE id = ? AND tool = ? AND contract_digest = ? AND input_digest = ?
  RETURNING by, expires_at
`

const grantAnswered = `
  INSERT OR IGNORE INTO approvals
  SELECT id, tool, contract_digest, input_digest, ?, expires_at FROM questions WHERE id = ?
`

const extension = 'UPDATE questions SET expires_at = ? WHERE id = ? AND answer IS NULL AND expires_at > ?'

const withdrawal = `
  UPDATE questions SET expires_at = ?, details = '{}' WHERE id = ? AND answer IS NULL AND expires_at > ?
`
