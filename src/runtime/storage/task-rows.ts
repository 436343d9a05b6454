import type { JsonObject } from '../../contract/json.ts'
import { runLink, type StoredTask, type TaskState } from './tasks.ts'

/** A task as SQL engines store it. */
export interface TaskRow {
  readonly id: string
  readonly caller: string
  readonly workspace: string
  readonly tool: string
  readonly state: TaskState
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
  readonly leaseUntil: number
  readonly questionId: string | null
  readonly isError: number | boolean
  readonly inputRequests: string | null
  readonly inputResponses: string | null
}

/** What a claim keeps of a question, in SQL. */
export const keptQuestion = `CASE WHEN question LIKE '${runLink}%' THEN question END`

/** What a change of a task sets. */
export interface TaskParts {
  readonly state?: TaskState
  readonly expiresAt?: number
  readonly questionId?: string
  readonly isError?: boolean
}

export function hasEnded(state: TaskState): boolean {
  return state !== 'running' && state !== 'waiting'
}

/** Undefined if it has expired. */
export function toTask({ leaseUntil, ...row }: TaskRow, now: number): StoredTask | undefined {
  const isOver = row.state === 'running' && leaseUntil <= now
  if (row.state !== 'running' && row.expiresAt <= now) return undefined
  const { id, caller, workspace, tool, createdAt, expiresAt, questionId, isError } = row
  const state = isOver ? 'interrupted' : row.state
  return {
    ...{ id, caller, workspace, tool, state, createdAt, updatedAt: isOver ? leaseUntil : row.updatedAt, expiresAt },
    ...(questionId !== null && { questionId }),
    ...(isError && { isError: true }),
    ...(!isOver && row.inputRequests !== null && { inputRequests: JSON.parse(row.inputRequests) }),
    ...(!isOver && row.inputResponses !== null && { inputResponses: JSON.parse(row.inputResponses) }),
  }
}

export function toText(value: JsonObject | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
