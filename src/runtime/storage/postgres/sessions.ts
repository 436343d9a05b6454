import type { Image } from '../../../contract/image.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import {
  maxImageBytes,
  maxSessions,
  type SessionStatus,
  type SessionSummary,
  type Sessions,
  toEntryText,
  toNoSession,
} from '../sessions.ts'
import type { Connection, Query } from './connection.ts'

const summaries = `
  SELECT id, workspace, title, status, started_at AS "startedAt", used_at AS "usedAt",
  (SELECT count(*) FROM session_entries AS entry WHERE entry.tenant = sessions.tenant AND entry.session = sessions.id) AS entries
  FROM sessions WHERE tenant = $1
`

export function openPostgresSessions({ tenant, query, transaction }: Connection): Sessions {
  let last: Promise<unknown> = Promise.resolve()

  /** Changes of one process keep their order. */
  function inTurn<Result>(job: (query: Query) => Promise<Result>): Promise<Result> {
    const next = last.then(() => transaction(job))
    last = next.catch(() => {})
    return next
  }

  /** Runs in a transaction that holds the lock of the session. */
  function change<Result>(id: string, job: (query: Query) => Promise<Result>): Promise<Result> {
    return inTurn(async (query) => {
      const lock = 'SELECT 1 FROM sessions WHERE tenant = $1 AND id = $2 FOR UPDATE'
      if ((await query(lock, tenant, id)).length === 0) throw toNoSession(id)
      return job(query)
    })
  }

  async function mustExist(id: string) {
    const found = await query('SELECT 1 FROM sessions WHERE tenant = $1 AND id = $2', tenant, id)
    if (found.length === 0) throw toNoSession(id)
  }

  /** Orders sessions by use even if the clock stops or moves back. */
  function use(query: Query, id: string, now: number) {
    const next = '(SELECT coalesce(max(turn), 0) + 1 FROM sessions WHERE tenant = $1)'
    return query(`UPDATE sessions SET used_at = $3, turn = ${next} WHERE tenant = $1 AND id = $2`, tenant, id, now)
  }

  async function drop(query: Query, id: string) {
    for (const table of ['session_entries', 'session_images'])
      await query(`DELETE FROM ${table} WHERE tenant = $1 AND session = $2`, tenant, id)
    await query('DELETE FROM sessions WHERE tenant = $1 AND id = $2', tenant, id)
  }

  return {
    begin: ({ id, workspace, title }, now) =>
      inTurn(async (query) => {
        // One at a time, so that together they stay within the limit.
        await query("SELECT 1 FROM documents WHERE tenant = $1 AND name = 'sessions' FOR UPDATE", tenant)
        const insert = `INSERT INTO sessions VALUES ($1, $2, $3, $4, 'idle', $5, $5, 0) ON CONFLICT DO NOTHING RETURNING true AS added`
        if ((await query(insert, tenant, id, workspace, title, now)).length === 0)
          throw new ToolpactError('exists_already', `A session ${id} exists already. Begin one with another id.`)
        await use(query, id, now)
        const find = 'SELECT id FROM sessions WHERE tenant = $1 ORDER BY turn DESC OFFSET $2'
        for (const { id } of await query<{ id: string }>(find, tenant, maxSessions)) await drop(query, id)
      }),
    append: (id, entry, now) =>
      change(id, async (query) => {
        const next = 'SELECT coalesce(max(seq) + 1, 0) AS count FROM session_entries WHERE tenant = $1 AND session = $2'
        const [{ count } = { count: 0 }] = await query<{ count: number }>(next, tenant, id)
        const text = toEntryText(entry, count)
        await query('INSERT INTO session_entries VALUES ($1, $2, $3, $4)', tenant, id, count, text)
        await use(query, id, now)
      }),
    setStatus: (id, status, now) =>
      change(id, async (query) => {
        await query('UPDATE sessions SET status = $3 WHERE tenant = $1 AND id = $2', tenant, id, status)
        await use(query, id, now)
      }),
    async read(id) {
      await mustExist(id)
      const find = 'SELECT text FROM session_entries WHERE tenant = $1 AND session = $2 ORDER BY seq'
      return (await query<{ text: string }>(find, tenant, id)).map(({ text }) => JSON.parse(text))
    },
    async list({ workspace, limit } = {}) {
      const where = workspace === undefined ? '' : 'AND workspace = $2'
      const values = workspace === undefined ? [] : [workspace]
      const rows = await query<SessionSummary>(`${summaries} ${where} ORDER BY turn DESC`, tenant, ...values)
      return rows.slice(0, limit).map(toSummary)
    },
    async find(start) {
      const matching = `${summaries} AND starts_with(id, $2) ORDER BY id = $2 DESC, turn DESC`
      const found = (await query<SessionSummary>(matching, tenant, start)).map(toSummary)
      return found[0]?.id === start ? found.slice(0, 1) : found
    },
    remove: (id) => change(id, (query) => drop(query, id)),
    keepImage: (id, step, image) =>
      change(id, async (query) => {
        const own = 'FROM session_images WHERE tenant = $1 AND session = $2'
        const size = `SELECT coalesce(sum(length(before)), 0)::bigint AS size ${own}`
        const [ofStep] = await query<{ size: number }>(`${size} AND step = $3`, tenant, id, step)
        const { before, state } = toColumns(image, maxImageBytes - ofStep!.size)
        const keep = `
          INSERT INTO session_images (tenant, session, step, path, turn, before, state, after)
          VALUES ($1, $2, $3, $4, (SELECT coalesce(max(turn), 0) + 1 ${own}), $5, $6, $7)
          ON CONFLICT (tenant, session, step, path) DO UPDATE SET after = excluded.after`
        await query(keep, tenant, id, step, image.path, before, state, image.after ?? null)
        const dropOldest = `DELETE ${own} AND step = (SELECT min(step) ${own} AND step <> $3) RETURNING step`
        for (;;) {
          const [total] = await query<{ size: number }>(size, tenant, id)
          if (total!.size <= maxImageBytes || (await query(dropOldest, tenant, id, step)).length === 0) return
        }
      }),
    async lastImages(id) {
      await mustExist(id)
      const find = `
        SELECT step, path, before, state, after FROM session_images WHERE tenant = $1 AND session = $2
        AND step = (SELECT max(step) FROM session_images WHERE tenant = $1 AND session = $2) ORDER BY turn`
      const rows = await query<ImageRow>(find, tenant, id)
      return rows.length === 0 ? undefined : { step: rows[0]!.step, images: rows.map(toImage) }
    },
    forgetImages: (id, step) =>
      change(id, async (query) => {
        await query('DELETE FROM session_images WHERE tenant = $1 AND session = $2 AND step = $3', tenant, id, step)
      }),
  }
}

interface ImageRow {
  readonly step: number
  readonly path: string
  readonly before: Uint8Array | null
  readonly state: string
  readonly after: string | null
}

function toSummary({ id, workspace, title, status, startedAt, usedAt, entries }: SessionSummary): SessionSummary {
  return { id, workspace, title, status: status as SessionStatus, startedAt, usedAt, entries }
}

function toColumns({ before }: Image, room: number): { before: Uint8Array | null; state: string } {
  if (before === null) return { before, state: 'absent' }
  if (before === 'too_large' || before.length > room) return { before: null, state: 'too_large' }
  return { before, state: 'file' }
}

function toImage({ path, before, state, after }: ImageRow): Image {
  return {
    path,
    before: state === 'file' ? before! : state === 'absent' ? null : 'too_large',
    ...(after !== null && { after }),
  }
}
