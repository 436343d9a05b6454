import { toBinding, toQuestionState } from './question-state.ts'
import {
  type AnswerPrincipal,
  type Approval,
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

/** `approvedBy` is a JSON array of `StoredPerson`. */
interface PeopleRow {
  readonly approvedBy: string
}

/** The name of someone who said yes; with more if an issuer vouches for them, then also of someone who said no. */
type StoredPerson = string | (AnswerPrincipal & { readonly isNo?: true })

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
): Omit<Row, 'approvedBy'> & { readonly approvedBy: string[]; readonly principals: readonly AnswerPrincipal[] } {
  const people: StoredPerson[] = JSON.parse(row.approvedBy)
  const principals = people.filter((person) => typeof person !== 'string')
  const noes = principals.filter(({ isNo }) => isNo)
  return {
    ...row,
    approvedBy: people.flatMap((person) => (typeof person === 'string' ? [person] : person.isNo ? [] : [person.name])),
    principals: noes.length > 0 ? noes.map(({ isNo: _, ...no }) => no) : principals,
  }
}

/** What `approvedBy` is after an answer. */
export function addPerson(approvedBy: string, { answer, by: name, principal }: GivenAnswer): string {
  if (answer === 'no' && !principal) return approvedBy
  const person = principal ? { name, ...principal, ...(answer === 'no' && { isNo: true }) } : name
  return JSON.stringify([...JSON.parse(approvedBy), person])
}

/** What `approvedBy` is for an approval. */
export function toApprovedBy({ principals = [], people }: Approval): string {
  const names = people ?? principals.map(({ name }) => name)
  return JSON.stringify(names.map((name) => principals.find((one) => one.name === name) ?? name))
}

export function toValues(binding: ApprovalBinding): string[] {
  return bindingParts.map((part) => binding[part])
}
