import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { hasEnded, keptQuestion, type TaskParts, type TaskRow, toTask, toText } from '../task-rows.ts'
import {
  type ClaimedTask,
  findTaskLimit,
  mayEvict,
  type TaskLimit,
  type TaskState,
  type Tasks,
  takeResponses,
  taskLimits,
  type WaitingTask,
  withoutAnswered,
} from '../tasks.ts'
import type { Connection, Query } from './connection.ts'
import type { Versions } from './versions.ts'

/** Every change locks one row of the tenant, since limits count all tasks. Clients poll, so reading a task locks nothing. */
export function openPostgresTasks({ tenant, query, transaction }: Connection, versions: Versions): Tasks {
  /** Changes tasks, one process at a time. Watchers look again afterwards, also if nothing was changed. */
  async function change<Result>(now: number, job: (query: Query) => Promise<Result>): Promise<Result> {
    const { result, version } = await transaction(async (query) => {
      await query("SELECT 1 FROM documents WHERE tenant = $1 AND name = 'tasks' FOR UPDATE", tenant)
      await sweep(query, now)
      const result = await job(query)
      const [row] = await query<{ version: number }>(noteChange, tenant)
      return { result, version: row!.version }
    })
    versions.set('tasks', version)
    return result
  }

  async function sweep(query: Query, now: number) {
    await query(interrupt, tenant, now)
    const find = `SELECT id FROM tasks WHERE tenant = $1 AND state <> 'running' AND expires_at <= $2`
    for (const { id } of await query<{ id: string }>(find, tenant, now)) await drop(query, id)
  }

  async function drop(query: Query, id: string) {
    for (const table of ['task_texts', 'tasks']) await query(`DELETE FROM ${table} WHERE tenant = $1 AND id = $2`, tenant, id) // biome-ignore format: one line
  }

  /** Frees room by deleting ended tasks of a caller, oldest first, until `isEnough`. */
  async function makeRoom(
    query: Query,
    { caller, except = '' }: { caller: string; except?: string },
    isEnough: () => Promise<boolean>,
  ) {
    // biome-ignore format: one line
    while (!(await isEnough())) {
      const [oldest] = await query<{ id: string }>(oldestEnded, tenant, caller, except)
      if (!oldest) return
      await drop(query, oldest.id)
    }
  }

  async function findOwn(query: Query, id: string, caller: string): Promise<TaskRow | undefined> {
    const find = `SELECT ${columns} FROM tasks WHERE tenant = $1 AND id = $2 AND caller = $3`
    const [row] = await query<TaskRow>(find, tenant, id, caller)
    return row
  }

  return {
    async add({ id, caller, workspace, tool, expiresAt, questionId = null, inputRequests, request, lease }, now) {
      const text = JSON.stringify(request)
      const bytes = Buffer.byteLength(text)
      return change(now, async (query): Promise<TaskLimit | undefined> => {
        const known = await query('SELECT 1 FROM tasks WHERE tenant = $1 AND id = $2', tenant, id)
        if (known.length > 0) throw new ToolpactError('exists_already', `The task ${id} exists already: add each one once.`) // biome-ignore format: one line
        const findLimit = async () => {
          const [own] = await query<{ open: number; tasks: number; bytes: number }>(countOwn, tenant, caller)
          const [total] = await query<{ tasks: number; bytes: number }>(countAll, tenant)
          return findTaskLimit(bytes, { caller: own!, total: total! })
        }
        await makeRoom(query, { caller }, async () => !mayEvict(await findLimit()))
        const limit = await findLimit()
        if (limit) return limit
        const state: TaskState = lease ? 'running' : 'waiting'
        const owner = [lease?.owner ?? '', lease?.until ?? 0] as const
        await query(insertTask, tenant, id, caller, workspace, tool, state, now, expiresAt, ...owner, questionId, toText(inputRequests), bytes) // biome-ignore format: one line
        await query('INSERT INTO task_texts VALUES ($1, $2, $3, NULL)', tenant, id, text)
        return undefined
      })
    },
    async find(id, caller, now) {
      const row = await findOwn(query, id, caller)
      const task = row && toTask(row, now)
      if (!task || !hasEnded(task.state)) return task
      const find = 'SELECT result FROM task_texts WHERE tenant = $1 AND id = $2'
      const [text] = await query<{ result: string | null }>(find, tenant, id)
      return text?.result == null ? task : { ...task, result: JSON.parse(text.result) }
    },
    async list(caller, { after, limit }, now) {
      const { id = '', createdAt = Number.MAX_VALUE } = after ?? {}
      const rows = await query<TaskRow>(listPage, tenant, caller, createdAt, id, now, limit)
      return rows.flatMap((row) => toTask(row, now) ?? [])
    },
    waiting: (workspace, now) => query<WaitingTask>(findWaiting, tenant, workspace, now),
    claim: (id, { owner, until }, now) =>
      change(now, async (query): Promise<ClaimedTask | undefined> => {
        const [row] = await query<TaskRow>(claimTask, tenant, id, owner, until, now)
        if (!row) return undefined
        const find = 'SELECT request FROM task_texts WHERE tenant = $1 AND id = $2'
        const [text] = await query<{ request: string }>(find, tenant, id)
        return { ...toTask(row, now)!, request: JSON.parse(text!.request) }
      }),
    async renew({ owner, until }, now) {
      await query(extendLeases, tenant, owner, until, now)
    },
    async change(id, owner, changed, now) {
      const { inputRequests, ...rest } = { inputRequests: undefined, ...changed }
      const text = 'result' in rest ? toText(rest.result) : null
      return change(now, async (query) => {
        const [row] = await query<{ caller: string; responses: string | null }>(findOwned, tenant, id, owner)
        if (!row) return false
        const responses = 'state' in rest ? null : row.responses
        const left = withoutAnswered(inputRequests, JSON.parse(responses ?? '{}'))
        const { state = 'running', expiresAt = null, questionId = null, isError = false } = rest as TaskParts
        await query(changeTask, tenant, id, state, expiresAt, questionId, isError, toText(left), responses, now)
        if (text === null) return true
        await query('UPDATE task_texts SET result = $3 WHERE tenant = $1 AND id = $2', tenant, id, text)
        const grow = 'UPDATE tasks SET bytes = bytes + $3 WHERE tenant = $1 AND id = $2'
        await query(grow, tenant, id, Buffer.byteLength(text))
        const { caller } = row
        await makeRoom(query, { caller, except: id }, async () => {
          const [own] = await query<{ bytes: number }>(countOwn, tenant, caller)
          return own!.bytes <= taskLimits.caller.bytes
        })
        return true
      })
    },
    answer: (id, caller, responses, now) =>
      change(now, async (query) => {
        const row = await findOwn(query, id, caller)
        if (!row) return undefined
        if (hasEnded(row.state) || row.inputRequests === null) return []
        const { keys, taken, left } = takeResponses(JSON.parse(row.inputRequests), responses)
        if (keys.length === 0) return []
        const given = { ...(row.inputResponses !== null && JSON.parse(row.inputResponses)), ...taken }
        await query(keepResponses, tenant, id, toText(left), JSON.stringify(given), now)
        return keys
      }),
    cancel: (id, caller, now) =>
      change(now, async (query) => {
        const row = await findOwn(query, id, caller)
        if (row && !hasEnded(row.state)) await query(cancelTask, tenant, id, now)
        return row && toTask(row, now)
      }),
    watch: (onChange) => versions.watch('tasks', onChange),
  }
}

const columns = `
  id, caller, workspace, tool, state, created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt",
  lease_until AS "leaseUntil", question AS "questionId", is_error AS "isError", input_requests AS "inputRequests",
  input_responses AS "inputResponses"
`
const noteChange = "UPDATE documents SET version = version + 1 WHERE tenant = $1 AND name = 'tasks' RETURNING version"
const insertTask = `
  INSERT INTO tasks (tenant, id, caller, workspace, tool, state, created_at, updated_at, expires_at, owner, lease_until,
    question, input_requests, bytes) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12, $13)
`
const interrupt = `
  UPDATE tasks SET state = 'interrupted', updated_at = lease_until, input_requests = NULL, input_responses = NULL
  WHERE tenant = $1 AND state = 'running' AND lease_until <= $2
`
const oldestEnded = `
  SELECT id FROM tasks WHERE tenant = $1 AND caller = $2 AND state NOT IN ('running', 'waiting') AND id <> $3
  ORDER BY created_at, id LIMIT 1
`
const countOwn = `
  SELECT count(*) AS tasks, coalesce(sum(bytes), 0)::bigint AS bytes,
    count(*) FILTER (WHERE state IN ('running', 'waiting')) AS open
  FROM tasks WHERE tenant = $1 AND caller = $2
`
const countAll = 'SELECT count(*) AS tasks, coalesce(sum(bytes), 0)::bigint AS bytes FROM tasks WHERE tenant = $1'
const listPage = `
  SELECT ${columns} FROM tasks WHERE tenant = $1 AND caller = $2
  AND (created_at < $3 OR (created_at = $3 AND id COLLATE "C" < $4 COLLATE "C")) AND (state = 'running' OR expires_at > $5)
  ORDER BY created_at DESC, id COLLATE "C" DESC LIMIT $6
`
const findWaiting = `
  SELECT id, caller, tool, question AS "questionId" FROM tasks
  WHERE tenant = $1 AND state = 'waiting' AND workspace = $2 AND expires_at > $3 ORDER BY created_at, id
`
const claimTask = `
  UPDATE tasks SET state = 'running', owner = $3, lease_until = $4, updated_at = $5, question = ${keptQuestion}, input_requests = NULL,
    input_responses = NULL WHERE tenant = $1 AND id = $2 AND state = 'waiting' RETURNING ${columns}
`
const extendLeases = `
  UPDATE tasks SET lease_until = $3 WHERE tenant = $1 AND state = 'running' AND owner = $2 AND lease_until > $4
`
const findOwned = `
  SELECT caller, input_responses AS responses FROM tasks WHERE tenant = $1 AND id = $2 AND owner = $3 AND state = 'running'
`
const changeTask = `
  UPDATE tasks SET state = $3, expires_at = coalesce($4::float8, expires_at), question = $5, is_error = $6,
    input_requests = $7, input_responses = $8, updated_at = $9 WHERE tenant = $1 AND id = $2
`
const keepResponses = `
  UPDATE tasks SET input_requests = $3, input_responses = $4, updated_at = $5 WHERE tenant = $1 AND id = $2
`
const cancelTask = `
  UPDATE tasks SET state = 'cancelled', updated_at = $3, input_requests = NULL, input_responses = NULL
  WHERE tenant = $1 AND id = $2
`
