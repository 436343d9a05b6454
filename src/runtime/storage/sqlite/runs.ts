import { ToolpactError } from '../../../contract/toolpact-error.ts'
import { fromStep, type StepRow, toStep } from '../run-rows.ts'
import { findRunLimit, hasRunEnded, type ReadyRun, type Runs, type StoredRun } from '../runs.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { runsVersion } from './later-schema.ts'
import { toStorageError } from './sqlite-error.ts'
import type { StateWatch } from './watch.ts'

/** What a run was started with and what its steps returned can be megabytes, so they have their own tables. */
export function openSqliteRuns(database: Database, commits: GroupCommit, watchState: StateWatch['watch']): Runs {
  const { sql } = database

  /** Older states, open for reading, have no runs. */
  function look<Result>(job: () => Result, absent: Result): Result {
    if (database.version < runsVersion) return absent
    try {
      return job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  function write<Result>(job: () => Result, durable = false): Promise<Result> {
    const batch = commits.next()
    if (durable) batch.durable = true
    return batch.add(job)
  }

  function drop(id: string) {
    sql('DELETE FROM run_texts WHERE id = ?').run(id)
    sql('DELETE FROM run_steps WHERE run = ?').run(id)
    sql('DELETE FROM runs WHERE id = ?').run(id)
  }

  function dropAll(find: string, ...parameters: number[]) {
    for (const { id } of sql(find).all(...parameters)) drop(id as string)
  }

  function findLimit(caller: string) {
    const { open } = sql(countOpen).get(caller)! as { open: number }
    const { runs } = sql('SELECT count(*) AS runs FROM runs').get()! as { runs: number }
    return findRunLimit({ open, runs })
  }

  function findRun(id: string): StoredRun | undefined {
    const row = sql(`SELECT ${columns} FROM runs WHERE id = ?`).get(id)
    return row && ({ ...row } as unknown as StoredRun)
  }

  return {
    async add({ id, workflow, contractDigest, caller, workspace, owner, leaseUntil, total, request }, now) {
      const text = JSON.stringify(request)
      const { limit, isKnown } = await write(() => {
        dropAll(`SELECT id FROM runs WHERE ${isEnded} AND expires_at <= ?`, now)
        if (findRun(id)) return { limit: undefined, isKnown: true }
        if (findLimit(caller)?.unit === 'runs') dropAll(oldestEnded)
        const limit = findLimit(caller)
        if (limit) return { limit, isKnown: false }
        sql(insertRun).run(id, workflow, contractDigest, caller, workspace, now, now, owner, leaseUntil, total)
        sql('INSERT INTO run_texts VALUES (?, ?, NULL)').run(id, text)
        return { limit: undefined, isKnown: false }
      }, true)
      if (isKnown) throw new ToolpactError('exists_already', `The run ${id} exists already: add each one once.`)
      return limit
    },
    async find(id) {
      return look(() => findRun(id), undefined)
    },
    async texts(id) {
      return look(() => {
        const row = sql('SELECT request, result FROM run_texts WHERE id = ?').get(id)
        if (!row) return undefined
        const result = row.result === null ? {} : { result: JSON.parse(row.result as string) }
        return { request: JSON.parse(row.request as string), ...result }
      }, undefined)
    },
    async steps(id) {
      return look(() => (sql(findSteps).all(id) as unknown as StepRow[]).map(toStep), [])
    },
    async list({ state, workflow, caller, workspace, after, limit }) {
      const { id = '', createdAt = Number.MAX_VALUE } = after ?? {}
      const conditions = [state, workflow, caller, workspace].map((value) => value ?? null)
      const rows = look(() => sql(listRuns).all(createdAt, id, ...conditions, limit), [])
      return rows.map((row) => ({ ...row }) as unknown as StoredRun)
    },
    async ready(workspace, now) {
      return look(
        () => {
          const running = sql(findRunning).all(workspace).map((row) => toReady(row, (row.leaseUntil as number) <= now)) // biome-ignore format: one line
          const due = sql(findDue)
            .all(workspace, now)
            .map((row) => toReady(row, true))
          const { waiting } = sql(countWaiting).get(workspace)! as { waiting: number }
          const { nextAt } = sql(findNext).get(now)! as { nextAt: number | null }
          return { runs: [...running, ...due], waiting, ...(nextAt !== null && waiting > 0 && { nextAt }) }
        },
        { runs: [], waiting: 0 },
      )
    },
    async claim(id, { owner, until, epoch, state, isOwnerDead = false }, now) {
      return write(() => {
        const run = sql(claimRun).run(owner, until, now, id, epoch, state, Number(isOwnerDead), now)
        return run.changes === 1 ? findRun(id) : undefined
      })
    },
    async renew({ owner, until }) {
      const extend = `UPDATE runs SET lease_until = ? WHERE state = 'running' AND owner = ?`
      await write(() => sql(extend).run(until, owner))
    },
    async change(id, { owner, epoch, steps = [], reset = [], done, durable, end }, now) {
      const rows = steps.map(fromStep)
      const result = end?.result === undefined ? null : JSON.stringify(end.result)
      return write(() => {
        const { state = 'running', expiresAt = 0 } = end ?? {}
        const kept = sql(changeRun).run(state, expiresAt, done ?? null, now, id, owner, epoch)
        if (kept.changes === 0) return false
        for (const key of reset) sql('DELETE FROM run_steps WHERE run = ? AND key = ?').run(id, key)
        for (const row of rows) sql(putStep).run(id, ...row)
        if (end) sql('UPDATE run_texts SET result = ? WHERE id = ?').run(result, id)
        return true
      }, durable)
    },
    async cancel(id, result, { now, expiresAt }) {
      const text = JSON.stringify(result)
      return write(() => {
        const before = findRun(id)
        if (!before || hasRunEnded(before.state)) return before
        sql(cancelRun).run(expiresAt, now, id)
        sql('UPDATE run_texts SET result = ? WHERE id = ?').run(text, id)
        return before
      }, true)
    },
    watch(onChange) {
      if (database.version < runsVersion) return () => {}
      const version = () => sql('SELECT version FROM runs_version').get()!.version
      return watchState({ version }, onChange)
    },
  }
}

function toReady(row: object, isDue: boolean): ReadyRun {
  const { id, state, owner, epoch } = row as StoredRun
  return { id, state, owner, epoch, isDue }
}

const columns = `id, workflow, contract_digest AS contractDigest, caller, workspace, state, created_at AS createdAt,
  updated_at AS updatedAt, expires_at AS expiresAt, owner, epoch, lease_until AS leaseUntil, done, total`

const isEnded = `state IN ('completed', 'failed', 'cancelled')`

/** Several at once, so that not every further run deletes one. */
const oldestEnded = `SELECT id FROM runs WHERE ${isEnded} ORDER BY created_at LIMIT 100`

const countOpen = `SELECT count(*) AS open FROM runs WHERE caller = ? AND state IN ('running', 'waiting', 'needs_person')`

const insertRun = `
  INSERT INTO runs (id, workflow, contract_digest, caller, workspace, state, created_at, updated_at, expires_at, owner, epoch,
    lease_until, done, total) VALUES (?, ?, ?, ?, ?, 'running', ?, ?, 0, ?, 1, ?, 0, ?)
`

const findSteps = `
  SELECT key, state, started_at AS startedAt, ended_at AS endedAt, call_id AS callId, question AS questionId,
    wakes_at AS wakesAt, value FROM run_steps WHERE run = ? ORDER BY started_at, rowid
`

const listRuns = `
  SELECT ${columns} FROM runs WHERE (created_at, id) < (?1, ?2) AND (?3 IS NULL OR state = ?3)
    AND (?4 IS NULL OR workflow = ?4) AND (?5 IS NULL OR caller = ?5) AND (?6 IS NULL OR workspace = ?6)
  ORDER BY created_at DESC, id DESC LIMIT ?7
`

const findRunning = `SELECT id, state, owner, epoch, lease_until AS leaseUntil FROM runs WHERE state = 'running' AND workspace = ?`

const countWaiting = `SELECT count(*) AS waiting FROM runs WHERE state = 'waiting' AND workspace = ?`

/** Due by a time, or because a question is no longer pending. */
const findDue = `
  SELECT id, state, owner, epoch FROM runs WHERE state = 'waiting' AND workspace = ?1 AND id IN (
    SELECT run FROM run_steps WHERE state = 'waiting' AND wakes_at <= ?2
    UNION ALL
    SELECT step.run FROM run_steps AS step LEFT JOIN questions AS asked ON asked.id = step.question
    WHERE step.state = 'waiting' AND step.question IS NOT NULL
      AND (asked.id IS NULL OR asked.answer IS NOT NULL OR asked.is_over = 1 OR asked.expires_at <= ?2)
  )
`

const findNext = `SELECT min(wakes_at) AS nextAt FROM run_steps WHERE state = 'waiting' AND wakes_at > ?`

const claimRun = `
  UPDATE runs SET state = 'running', owner = ?, lease_until = ?, updated_at = ?, epoch = epoch + 1
  WHERE id = ? AND epoch = ? AND state = ? AND (state <> 'running' OR ? = 1 OR lease_until <= ?)
`

const changeRun = `
  UPDATE runs SET state = ?1, expires_at = ?2, done = coalesce(?3, done), updated_at = ?4,
    owner = CASE WHEN ?1 = 'running' THEN owner ELSE '' END, lease_until = CASE WHEN ?1 = 'running' THEN lease_until ELSE 0 END
  WHERE id = ?5 AND owner = ?6 AND epoch = ?7 AND state = 'running'
`

/** Not replaced as a row, so that it keeps its place. */
const putStep = `
  INSERT INTO run_steps (run, key, state, started_at, ended_at, call_id, question, wakes_at, value)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run, key) DO UPDATE SET state = excluded.state, started_at = excluded.started_at, ended_at = excluded.ended_at,
    call_id = excluded.call_id, question = excluded.question, wakes_at = excluded.wakes_at, value = excluded.value
`

const cancelRun = `
  UPDATE runs SET state = 'cancelled', owner = '', lease_until = 0, epoch = epoch + 1, expires_at = ?, updated_at = ? WHERE id = ?
`
