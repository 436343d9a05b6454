import type { SQLOutputValue } from 'node:sqlite'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { hasEnded, keptQuestion, type TaskParts, type TaskRow, toTask, toText } from '../task-rows.ts'
import {
  findTaskLimit,
  mayEvict,
  type TaskState,
  type Tasks,
  takeResponses,
  taskLimits,
  type WaitingTask,
  withoutAnswered,
} from '../tasks.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { tasksVersion } from './later-schema.ts'
import { toStorageError } from './sqlite-error.ts'
import type { StateWatch } from './watch.ts'

/** Requests and results can be megabytes, so they have their own table. Clients poll, so reading a task writes nothing. */
export function openSqliteTasks(database: Database, commits: GroupCommit, watchState: StateWatch['watch']): Tasks {
  const { sql } = database

  /** Older states, open for reading, have no tasks. */
  function look<Result>(job: () => Result, absent: Result): Result {
    if (database.version < tasksVersion) return absent
    try {
      return job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  function sweep(now: number) {
    sql(interrupt).run(now)
    for (const { id } of sql(`SELECT id FROM tasks WHERE state <> 'running' AND expires_at <= ?`).all(now)) drop(id)
  }

  function drop(id: SQLOutputValue | undefined) {
    sql('DELETE FROM task_texts WHERE id = ?').run(id as string)
    sql('DELETE FROM tasks WHERE id = ?').run(id as string)
  }

  /** Frees room by deleting ended tasks of a caller, oldest first, until `isEnough`. */
  function makeRoom(caller: string, isEnough: () => boolean, except = '') {
    while (!isEnough()) {
      const oldest = sql(oldestEnded).get(caller, except)
      if (!oldest) return
      drop(oldest.id)
    }
  }

  function findOwn(id: string, caller: string): TaskRow | undefined {
    return sql(`SELECT ${columns} FROM tasks WHERE id = ? AND caller = ?`).get(id, caller) as unknown as
      | TaskRow
      | undefined
  }

  function bytesOf(caller: string): number {
    return sql('SELECT coalesce(sum(bytes), 0) AS bytes FROM tasks WHERE caller = ?').get(caller)!.bytes as number
  }

  return {
    async add({ id, caller, workspace, tool, expiresAt, questionId = null, inputRequests, request, lease }, now) {
      const text = JSON.stringify(request)
      const bytes = Buffer.byteLength(text)
      const findLimit = () => {
        const own = sql(countOwn).get(caller) as unknown as { open: number; tasks: number; bytes: number }
        const total = sql(countAll).get() as unknown as { tasks: number; bytes: number }
        return findTaskLimit(bytes, { caller: own, total })
      }
      const { limit, isKnown } = await commits.next().add(() => {
        sweep(now)
        if (sql('SELECT 1 FROM tasks WHERE id = ?').get(id)) return { limit: undefined, isKnown: true }
        makeRoom(caller, () => !mayEvict(findLimit()))
        const limit = findLimit()
        if (limit) return { limit, isKnown: false }
        const state: TaskState = lease ? 'running' : 'waiting'
        sql(insertTask).run(
          ...([
            id,
            caller,
            workspace,
            tool,
            state,
            now,
            now,
            expiresAt,
            lease?.owner ?? '',
            lease?.until ?? 0,
          ] as const),
          ...([questionId, toText(inputRequests), bytes] as const),
        )
        sql('INSERT INTO task_texts VALUES (?, ?, NULL)').run(id, text)
        return { limit: undefined, isKnown: false }
      })
      if (isKnown) throw new ToolpactError('exists_already', `The task ${id} exists already: add each one once.`)
      return limit
    },
    async find(id, caller, now) {
      return look(() => {
        const row = findOwn(id, caller)
        const task = row && toTask(row, now)
        if (!task || !hasEnded(task.state)) return task
        const text = sql('SELECT result FROM task_texts WHERE id = ?').get(id)?.result as string | null | undefined
        return text == null ? task : { ...task, result: JSON.parse(text) }
      }, undefined)
    },
    async list(caller, { after, limit }, now) {
      const { id = '', createdAt = Number.MAX_VALUE } = after ?? {}
      const rows = look(() => sql(listPage).all(caller, createdAt, id, now, limit) as unknown as TaskRow[], [])
      return rows.flatMap((row) => toTask(row, now) ?? [])
    },
    async waiting(workspace, now) {
      const find = `SELECT id, caller, tool, question AS questionId FROM tasks
        WHERE state = 'waiting' AND workspace = ? AND expires_at > ? ORDER BY created_at, id`
      return look(() => sql(find).all(workspace, now) as unknown as WaitingTask[], [])
    },
    async claim(id, { owner, until }, now) {
      return commits.next().add(() => {
        sweep(now)
        if (sql(claimTask).run(owner, until, now, id).changes === 0) return undefined
        const row = sql(`SELECT ${columns} FROM tasks WHERE id = ?`).get(id) as unknown as TaskRow
        const { request } = sql('SELECT request FROM task_texts WHERE id = ?').get(id)!
        return { ...toTask(row, now)!, request: JSON.parse(request as string) }
      })
    },
    async renew({ owner, until }, now) {
      const extend = `UPDATE tasks SET lease_until = ? WHERE state = 'running' AND owner = ? AND lease_until > ?`
      await commits.next().add(() => sql(extend).run(until, owner, now))
    },
    async change(id, owner, change, now) {
      const { inputRequests, ...rest } = { inputRequests: undefined, ...change }
      const text = 'result' in rest ? toText(rest.result) : null
      return commits.next().add(() => {
        sweep(now)
        const row = sql(findOwned).get(id, owner)
        if (!row) return false
        const responses = 'state' in rest ? null : (row.responses as string | null)
        const left = withoutAnswered(inputRequests, JSON.parse(responses ?? '{}'))
        const { state = 'running', expiresAt = null, questionId = null, isError = false } = rest as TaskParts
        sql(changeTask).run(state, expiresAt, questionId, Number(isError), toText(left), responses, now, id)
        if (text === null) return true
        sql('UPDATE task_texts SET result = ? WHERE id = ?').run(text, id)
        sql('UPDATE tasks SET bytes = bytes + ? WHERE id = ?').run(Buffer.byteLength(text), id)
        makeRoom(row.caller as string, () => bytesOf(row.caller as string) <= taskLimits.caller.bytes, id)
        return true
      })
    },
    async answer(id, caller, responses, now) {
      return commits.next().add(() => {
        sweep(now)
        const row = findOwn(id, caller)
        if (!row) return undefined
        if (hasEnded(row.state) || row.inputRequests === null) return []
        const { keys, taken, left } = takeResponses(JSON.parse(row.inputRequests), responses)
        if (keys.length === 0) return []
        const given = { ...(row.inputResponses !== null && JSON.parse(row.inputResponses)), ...taken }
        const store = 'UPDATE tasks SET input_requests = ?, input_responses = ?, updated_at = ? WHERE id = ?'
        sql(store).run(toText(left), JSON.stringify(given), now, id)
        return keys
      })
    },
    async cancel(id, caller, now) {
      return commits.next().add(() => {
        sweep(now)
        const row = findOwn(id, caller)
        if (row && !hasEnded(row.state)) sql(cancelTask).run(now, id)
        return row && toTask(row, now)
      })
    },
    watch(onChange) {
      if (database.version < tasksVersion) return () => {}
      const version = () => sql('SELECT version FROM tasks_version').get()!.version
      return watchState({ version }, onChange)
    },
  }
}

const columns = `id, caller, workspace, tool, state, created_at AS createdAt, updated_at AS updatedAt, expires_at AS expiresAt,
  lease_until AS leaseUntil, question AS questionId, is_error AS isError, input_requests AS inputRequests,
  input_responses AS inputResponses`

const insertTask = `
  INSERT INTO tasks (id, caller, workspace, tool, state, created_at, updated_at, expires_at, owner, lease_until, question,
    input_requests, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

const interrupt = `
  UPDATE tasks SET state = 'interrupted', updated_at = lease_until, input_requests = NULL, input_responses = NULL
  WHERE state = 'running' AND lease_until <= ?
`

const oldestEnded = `
  SELECT id FROM tasks WHERE caller = ? AND state NOT IN ('running', 'waiting') AND id <> ? ORDER BY created_at, id LIMIT 1
`

const countOwn = `
  SELECT count(*) AS tasks, coalesce(sum(bytes), 0) AS bytes, coalesce(sum(state IN ('running', 'waiting')), 0) AS open
  FROM tasks WHERE caller = ?
`

const countAll = 'SELECT count(*) AS tasks, coalesce(sum(bytes), 0) AS bytes FROM tasks'

const listPage = `
  SELECT ${columns} FROM tasks WHERE caller = ?1 AND (created_at, id) < (?2, ?3) AND (state = 'running' OR expires_at > ?4)
  ORDER BY created_at DESC, id DESC LIMIT ?5
`

const claimTask = `
  UPDATE tasks SET state = 'running', owner = ?, lease_until = ?, updated_at = ?, question = ${keptQuestion}, input_requests = NULL,
    input_responses = NULL WHERE id = ? AND state = 'waiting'
`

const findOwned = `
  SELECT caller, input_responses AS responses FROM tasks WHERE id = ? AND owner = ? AND state = 'running'
`

const changeTask = `
  UPDATE tasks SET state = ?, expires_at = coalesce(?, expires_at), question = ?, is_error = ?, input_requests = ?,
    input_responses = ?, updated_at = ? WHERE id = ?
`

const cancelTask = `
  UPDATE tasks SET state = 'cancelled', updated_at = ?, input_requests = NULL, input_responses = NULL WHERE id = ?
`
