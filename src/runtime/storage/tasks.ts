import type { JsonObject } from '../../contract/json.ts'

/**
 * Calls that continue after their request was answered, for MCP clients that support tasks. A running task has an owner, which
 * renews its lease; once the lease is over, the task is `interrupted` for good, so that it never runs twice. A waiting task has
 * no owner: any process may claim it once its question is answered.
 */
export interface Tasks {
  /**
   * Stores a task. Deletes ended tasks of the same caller, oldest first, to make room; if that is not enough, returns the limit
   * that the task would exceed.
   */
  add(task: NewTask, now: number): Promise<TaskLimit | undefined>
  /** Undefined if this caller has no such task, or it has expired. */
  find(id: string, caller: string, now: number): Promise<StoredTask | undefined>
  /** Tasks of a caller without their results, newest first. `after`: the last task of the previous page. */
  list(caller: string, page: TaskPage, now: number): Promise<StoredTask[]>
  /** Waiting tasks of a workspace, oldest first. */
  waiting(workspace: string, now: number): Promise<WaitingTask[]>
  /** Makes the owner of the lease run a waiting task. Undefined if it no longer waits. */
  claim(id: string, lease: TaskLease, now: number): Promise<ClaimedTask | undefined>
  /** Extends the leases of all running tasks of an owner that are not over. */
  renew(lease: TaskLease, now: number): Promise<void>
  /** Changes a running task. False if the owner no longer runs it: it was cancelled, or its lease is over. */
  change(id: string, owner: string, change: TaskChange, now: number): Promise<boolean>
  /**
   * Stores the client's answers to outstanding requests, which are outstanding no more. Others are ignored, so each key is
   * answered once. Returns the accepted keys; undefined if this caller has no such task.
   */
  answer(id: string, caller: string, responses: JsonObject, now: number): Promise<string[] | undefined>
  /** Ends a task that has not ended. Returns what it was before; undefined if this caller has no such task. */
  cancel(id: string, caller: string, now: number): Promise<StoredTask | undefined>
  /** Calls `onChange` soon after any process changed a task. Leases and tasks also expire. Returns what stops it. */
  watch(onChange: () => unknown): () => void
}

/** `waiting`: for the answer to a question. `interrupted`: its owner ended while it ran. */
export type TaskState = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'interrupted'

/** A task, without the request that made it. */
export interface StoredTask {
  readonly id: string
  /** Name of the caller, without its session. */
  readonly caller: string
  /** Real path of the workspace that it runs in. */
  readonly workspace: string
  /** Name of the called tool. */
  readonly tool: string
  readonly state: TaskState
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** A task that ended, or waits, is deleted then. */
  readonly expiresAt: number
  /** The question that it waits for; `run:ID` if it follows a run of a workflow, which a claim keeps. */
  readonly questionId?: string
  /** What the client is asked, by key. Absent if it is asked nothing. */
  readonly inputRequests?: JsonObject
  /** What the client has answered since the task runs. */
  readonly inputResponses?: JsonObject
  /** What the call returned; of a failed task, its error. */
  readonly result?: JsonObject
  /** Set if a completed call returned an error. */
  readonly isError?: boolean
}

/** With what is needed to make the call again. */
export interface ClaimedTask extends StoredTask {
  readonly request: JsonObject
}

/** A task to store. */
export interface NewTask
  extends Pick<StoredTask, 'id' | 'caller' | 'workspace' | 'tool' | 'expiresAt' | 'questionId' | 'inputRequests'> {
  readonly request: JsonObject
  /** Its owner. Absent: it waits for the answer to `questionId`. */
  readonly lease?: TaskLease
}

/** The process that runs a task, until when unless it renews the lease. */
export interface TaskLease {
  readonly owner: string
  readonly until: number
}

/** Before the id of a run, in place of a question. */
export const runLink = 'run:'

/** The run of a workflow that a task follows, if it does. */
export function findRunOf({ questionId }: Pick<StoredTask, 'questionId'>): string | undefined {
  return questionId?.startsWith(runLink) ? questionId.slice(runLink.length) : undefined
}

/** A task that waits for the answer to a question. */
export type WaitingTask = Pick<StoredTask, 'id' | 'caller' | 'tool'> & { readonly questionId: string }

/** `inputRequests`: replaces what the client is asked, except for keys that it has answered. */
export type TaskChange =
  | { readonly inputRequests: JsonObject | undefined }
  | {
      readonly state: 'waiting'
      readonly questionId: string
      readonly inputRequests: JsonObject | undefined
      readonly expiresAt: number
    }
  | {
      readonly state: 'completed' | 'failed' | 'interrupted'
      readonly result?: JsonObject
      readonly isError?: boolean
      readonly expiresAt: number
    }

/** Which tasks to list. */
export interface TaskPage {
  readonly after?: Pick<StoredTask, 'id' | 'createdAt'>
  readonly limit: number
}

/** Limits of stored tasks. `open`: those that have not ended. `bytes` counts requests and results. */
export const taskLimits = {
  caller: { open: 256, tasks: 1000, bytes: 67_108_864 },
  total: { tasks: 10_000, bytes: 536_870_912 },
} as const

/** A limit that a task would exceed. */
export interface TaskLimit {
  readonly scope: 'caller' | 'total'
  readonly unit: 'open' | 'tasks' | 'bytes'
  readonly max: number
}

interface TaskUse {
  readonly tasks: number
  readonly bytes: number
}

/** The limit that another task would exceed. The only task of a caller is never rejected for its bytes. */
export function findTaskLimit(
  bytes: number,
  used: { readonly caller: TaskUse & { readonly open: number }; readonly total: TaskUse },
): TaskLimit | undefined {
  const { caller, total } = taskLimits
  if (used.caller.open >= caller.open) return { scope: 'caller', unit: 'open', max: caller.open }
  if (used.caller.tasks >= caller.tasks) return { scope: 'caller', unit: 'tasks', max: caller.tasks }
  if (used.total.tasks >= total.tasks) return { scope: 'total', unit: 'tasks', max: total.tasks }
  if (used.caller.tasks === 0) return undefined
  if (used.caller.bytes + bytes > caller.bytes) return { scope: 'caller', unit: 'bytes', max: caller.bytes }
  if (used.total.bytes + bytes > total.bytes) return { scope: 'total', unit: 'bytes', max: total.bytes }
  return undefined
}

/** Whether deleting ended tasks can help against a limit. */
export function mayEvict(limit: TaskLimit | undefined): boolean {
  return limit !== undefined && limit.unit !== 'open'
}

/** What is still to be asked. Undefined if it is nothing. */
export function withoutAnswered(requests: JsonObject | undefined, responses: JsonObject): JsonObject | undefined {
  const left = Object.entries(requests ?? {}).filter(([key]) => !Object.hasOwn(responses, key))
  return left.length === 0 ? undefined : Object.fromEntries(left)
}

/** Splits answers into those to outstanding requests, and the requests that remain. Undefined if none is answered. */
export function takeResponses(requests: JsonObject, responses: JsonObject) {
  const keys = Object.keys(requests).filter((key) => Object.hasOwn(responses, key))
  const taken = Object.fromEntries(keys.map((key) => [key, responses[key]!]))
  return { keys, taken, left: withoutAnswered(requests, taken) }
}
