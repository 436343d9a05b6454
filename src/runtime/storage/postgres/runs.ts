import type { JsonObject } from '../../../contract/json.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { fromStep, type StepRow, toStep } from '../run-rows.ts'
import { findRunLimit, hasRunEnded, type ReadyRun, type RunLimit, type Runs, type StoredRun } from '../runs.ts'
import type { Connection, Query } from './connection.ts'
import type { Versions } from './versions.ts'

/** Changes of this process are announced together, this long after the first. */
const announceMs = 50

/**
 * A change locks its run alone, so that runs do not wait for each other. Only adding locks a row of the tenant, since limits count
 * all runs. Changes are announced after they are stored, because one row for all would again make them wait.
 */
export function openPostgresRuns({ tenant, query, transaction }: Connection, versions: Versions): Runs {
  let isAnnouncing = false

  function announce() {
    if (isAnnouncing) return
    isAnnouncing = true
    setTimeout(async () => {
      isAnnouncing = false
      const [row] = await query<{ version: number }>(noteChange, tenant).catch(() => [])
      if (row) versions.set('runs', row.version)
    }, announceMs).unref()
  }

  async function findLimit(query: Query, caller: string): Promise<RunLimit | undefined> {
    const [used] = await query<{ open: number; runs: number }>(countRuns, tenant, caller)
    return findRunLimit(used!)
  }

  async function drop(query: Query, find: string, ...parameters: readonly number[]) {
    const ids = (await query<{ id: string }>(find, tenant, ...parameters)).map(({ id }) => id)
    if (ids.length === 0) return
    for (const [table, column] of [['run_texts', 'id'], ['run_steps', 'run'], ['runs', 'id']] as const) // biome-ignore format: one line
      await query(`DELETE FROM ${table} WHERE tenant = $1 AND ${column} = ANY($2::text[])`, tenant, ids)
  }

  async function findRun(query: Query, id: string): Promise<StoredRun | undefined> {
    const [row] = await query<StoredRun>(`SELECT ${columns} FROM runs WHERE tenant = $1 AND id = $2`, tenant, id)
    return row
  }

  return {
    async add({ id, workflow, contractDigest, caller, workspace, owner, leaseUntil, total, request }, now) {
      const limit = await transaction(async (query) => {
        await query("SELECT 1 FROM documents WHERE tenant = $1 AND name = 'runs' FOR UPDATE", tenant)
        await drop(query, `SELECT id FROM runs WHERE tenant = $1 AND ${isEnded} AND expires_at <= $2`, now)
        if (await findRun(query, id)) throw new ToolpactError('exists_already', `The run ${id} exists already: add each one once.`) // biome-ignore format: one line
        if ((await findLimit(query, caller))?.unit === 'runs') await drop(query, oldestEnded)
        const limit = await findLimit(query, caller)
        if (limit) return limit
        await query(insertRun, tenant, id, workflow, contractDigest, caller, workspace, now, owner, leaseUntil, total)
        await query('INSERT INTO run_texts VALUES ($1, $2, $3, NULL)', tenant, id, JSON.stringify(request))
        return undefined
      })
      announce()
      return limit
    },
    find: (id) => findRun(query, id),
    async texts(id) {
      const find = 'SELECT request, result FROM run_texts WHERE tenant = $1 AND id = $2'
      const [row] = await query<{ request: string; result: string | null }>(find, tenant, id)
      if (!row) return undefined
      return { request: JSON.parse(row.request), ...(row.result !== null && { result: JSON.parse(row.result) }) }
    },
    async steps(id) {
      return (await query<StepRow>(findSteps, tenant, id)).map(toStep)
    },
    list({ state, workflow, caller, workspace, after, limit }) {
      const { id = '', createdAt = Number.MAX_VALUE } = after ?? {}
      const conditions = [state, workflow, caller, workspace].map((value) => value ?? null)
      return query<StoredRun>(listRuns, tenant, createdAt, id, ...conditions, limit)
    },
    async ready(workspace, now) {
      const runs = await query<ReadyRun>(findReady, tenant, workspace, now)
      const [more] = await query<{ waiting: number; nextAt: number | null }>(countWaiting, tenant, workspace, now)
      const { waiting, nextAt } = more!
      return { runs, waiting, ...(nextAt !== null && waiting > 0 && { nextAt }) }
    },
    async claim(id, { owner, until, epoch, state, isOwnerDead = false }, now) {
      const [run] = await query<StoredRun>(claimRun, tenant, id, owner, until, now, epoch, state, isOwnerDead)
      if (run) announce()
      return run
    },
    async renew({ owner, until }) {
      await query(extendLeases, tenant, owner, until)
    },
    async change(id, { owner, epoch, steps = [], reset = [], done, end }, now) {
      const isKept = await transaction(async (query) => {
        const { state = 'running', expiresAt = 0 } = end ?? {}
        const kept = await query(changeRun, tenant, id, owner, epoch, state, expiresAt, done ?? null, now)
        if (kept.length === 0) return false
        if (reset.length > 0) await query(dropSteps, tenant, id, reset)
        for (const step of steps) await query(putStep, tenant, id, ...fromStep(step))
        if (end) await keepResult(query, id, end.result)
        return true
      })
      if (isKept) announce()
      return isKept
    },
    async cancel(id, result, { now, expiresAt }) {
      const before = await transaction(async (query) => {
        await query('SELECT 1 FROM runs WHERE tenant = $1 AND id = $2 FOR UPDATE', tenant, id)
        const run = await findRun(query, id)
        if (!run || hasRunEnded(run.state)) return run
        await query(cancelRun, tenant, id, expiresAt, now)
        await keepResult(query, id, result)
        return run
      })
      announce()
      return before
    },
    watch: (onChange) => versions.watch('runs', onChange),
  }

  async function keepResult(query: Query, id: string, result: JsonObject | undefined) {
    const text = result === undefined ? null : JSON.stringify(result)
    await query('UPDATE run_texts SET result = $3 WHERE tenant = $1 AND id = $2', tenant, id, text)
  }
}

const columns = `
  id, workflow, contract_digest AS "contractDigest", caller, workspace, state, created_at AS "createdAt",
  updated_at AS "updatedAt", expires_at AS "expiresAt", owner, epoch, lease_until AS "leaseUntil", done, total
`
const noteChange = "UPDATE documents SET version = version + 1 WHERE tenant = $1 AND name = 'runs' RETURNING version"
const isEnded = "state IN ('completed', 'failed', 'cancelled')"
/** Several at once, so that not every further run deletes one. */
const oldestEnded = `SELECT id FROM runs WHERE tenant = $1 AND ${isEnded} ORDER BY created_at LIMIT 100`
const countRuns = `
  SELECT (SELECT count(*) FROM runs WHERE tenant = $1) AS runs,
    (SELECT count(*) FROM runs WHERE tenant = $1 AND caller = $2 AND state IN ('running', 'waiting', 'needs_person')) AS open
`
const insertRun = `
  INSERT INTO runs (tenant, id, workflow, contract_digest, caller, workspace, state, created_at, updated_at, expires_at, owner,
    epoch, lease_until, done, total) VALUES ($1, $2, $3, $4, $5, $6, 'running', $7, $7, 0, $8, 1, $9, 0, $10)
`
const findSteps = `
  SELECT key, state, started_at AS "startedAt", ended_at AS "endedAt", call_id AS "callId", question AS "questionId",
    wakes_at AS "wakesAt", value FROM run_steps WHERE tenant = $1 AND run = $2 ORDER BY started_at, place
`
const listRuns = `
  SELECT ${columns} FROM runs WHERE tenant = $1
    AND (created_at < $2 OR (created_at = $2 AND id COLLATE "C" < $3 COLLATE "C"))
    AND ($4::text IS NULL OR state = $4) AND ($5::text IS NULL OR workflow = $5) AND ($6::text IS NULL OR caller = $6)
    AND ($7::text IS NULL OR workspace = $7)
  ORDER BY created_at DESC, id COLLATE "C" DESC LIMIT $8
`
/** Due by a time, or because a question is no longer pending. */
const findReady = `
  SELECT id, state, owner, epoch, lease_until <= $3 AS "isDue" FROM runs
  WHERE tenant = $1 AND workspace = $2 AND state = 'running'
  UNION ALL
  SELECT id, state, owner, epoch, true FROM runs WHERE tenant = $1 AND workspace = $2 AND state = 'waiting' AND id IN (
    SELECT run FROM run_steps WHERE tenant = $1 AND state = 'waiting' AND wakes_at <= $3
    UNION ALL
    SELECT step.run FROM run_steps AS step LEFT JOIN questions AS asked ON asked.tenant = $1 AND asked.id = step.question
    WHERE step.tenant = $1 AND step.state = 'waiting' AND step.question IS NOT NULL
      AND (asked.id IS NULL OR asked.answer IS NOT NULL OR asked.is_over OR asked.expires_at <= $3)
  )
`
const countWaiting = `
  SELECT (SELECT count(*) FROM runs WHERE tenant = $1 AND workspace = $2 AND state = 'waiting') AS waiting,
    (SELECT min(wakes_at) FROM run_steps WHERE tenant = $1 AND state = 'waiting' AND wakes_at > $3) AS "nextAt"
`
const claimRun = `
  UPDATE runs SET state = 'running', owner = $3, lease_until = $4, updated_at = $5, epoch = epoch + 1
  WHERE tenant = $1 AND id = $2 AND epoch = $6 AND state = $7 AND (state <> 'running' OR $8 OR lease_until <= $5)
  RETURNING ${columns}
`
const extendLeases = "UPDATE runs SET lease_until = $3 WHERE tenant = $1 AND state = 'running' AND owner = $2"
const changeRun = `
  UPDATE runs SET state = $5, expires_at = $6, done = coalesce($7::int, done), updated_at = $8,
    owner = CASE WHEN $5 = 'running' THEN owner ELSE '' END, lease_until = CASE WHEN $5 = 'running' THEN lease_until ELSE 0 END
  WHERE tenant = $1 AND id = $2 AND owner = $3 AND epoch = $4 AND state = 'running' RETURNING 1
`
const dropSteps = 'DELETE FROM run_steps WHERE tenant = $1 AND run = $2 AND key = ANY($3::text[])'
const putStep = `
  INSERT INTO run_steps (tenant, run, key, state, started_at, ended_at, call_id, question, wakes_at, value)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (tenant, run, key) DO UPDATE SET state = excluded.state, started_at = excluded.started_at,
    ended_at = excluded.ended_at, call_id = excluded.call_id, question = excluded.question, wakes_at = excluded.wakes_at,
    value = excluded.value
`
const cancelRun = `
  UPDATE runs SET state = 'cancelled', owner = '', lease_until = 0, epoch = epoch + 1, expires_at = $3, updated_at = $4
  WHERE tenant = $1 AND id = $2
`
