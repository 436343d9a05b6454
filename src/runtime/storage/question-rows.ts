import { toBinding, toQuestionState } from './question-state.ts'
import {
  type ApprovalBinding,
  type ApprovalQuestion,
  bindingParts,
  type GivenAnswer,
  type RememberedQuestion,
} from './storage.ts'

/** SQLite stores booleans as 0 and 1. */
type Flag = number | boolean

/** A question as engines with SQL tables read it. */
export interface QuestionRow
  extends PeopleRow,
    Omit<ApprovalQuestion, 'details' | 'summary' | 'answerMs' | 'waiter' | 'peopleNeeded'> {
  readonly waiter: string | null
  readonly waitsUntil: number
  readonly summary: string
  readonly peopleNeeded: number
  readonly bytes: number
  readonly answer: GivenAnswer['answer'] | null
  readonly by: string | null
  readonly isUsed: Flag
  readonly isOver: Flag
}

/** `approvedBy` is a JSON array of names. */
interface PeopleRow {
  readonly approvedBy: string
}

export interface YesRow extends PeopleRow {
  readonly peopleNeeded: number
  readonly expiresAt: number
  readonly waitsUntil: number
}

export interface OwnRow extends PeopleRow, Pick<QuestionRow, 'id' | 'answer' | 'by' | 'expiresAt'> {
  readonly via: string | null
  readonly waitedMs: number
  readonly forTool: Flag
}

export interface GrantRow extends PeopleRow {
  readonly by: string
  readonly via: string | null
  readonly expiresAt: number
  readonly forTool: Flag
}

export type ApprovalRow = ApprovalBinding & { readonly isOver: Flag }

export interface Used {
  readonly questions: number
  readonly bytes: number
}

export function toQuestion(row: QuestionRow, now: number): RememberedQuestion {
  const { id, askedAt, expiresAt, summary, bytes, waiter, waitsUntil, approvedBy, peopleNeeded } = withPeople(row)
  const known = toQuestionState(row, now)
  return {
    id,
    ...toBinding(row),
    askedAt,
    expiresAt,
    summary: JSON.parse(summary),
    bytes,
    approvedBy,
    peopleNeeded,
    awaitedBy: known.state === 'pending' && waitsUntil > now ? waiter : null,
    ...known,
  }
}

export function withPeople<Row extends PeopleRow>(
  row: Row,
): Omit<Row, 'approvedBy'> & { readonly approvedBy: string[] } {
  return { ...row, approvedBy: JSON.parse(row.approvedBy) }
}

export function toValues(binding: ApprovalBinding): string[] {
  return bindingParts.map((part) => binding[part])
}
