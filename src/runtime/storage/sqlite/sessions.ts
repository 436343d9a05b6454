import type { SQLOutputValue } from 'node:sqlite'
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
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { toStorageError } from './sqlite-error.ts'

type Row = Record<string, SQLOutputValue>

const summaries = `SELECT id, about, status, started_at, used_at,
  (SELECT count(*) FROM session_entries WHERE session = id) AS entries FROM sessions`

export function openSqliteSessions(database: Database, commits: GroupCommit): Sessions {
  const { sql } = database

  /** Throwing within the transaction would roll back other jobs of the commit, so errors are returned and thrown after it. */
  async function change<Result>(job: () => Result | Error, durable = false): Promise<Result> {
    const batch = commits.next()
    if (durable) batch.durable = true
    const result = await batch.add(job)
    if (result instanceof Error) throw result
    return result
  }

  function look<Result>(job: () => Result): Result {
    try {
      return job()
    } catch (error) {
      throw toStorageError(error, database.path)
    }
  }

  function exists(id: string): boolean {
    return sql('SELECT 1 FROM sessions WHERE id = ?').get(id) !== undefined
  }

  /** Orders sessions by use even if the clock stops or moves back. */
  function use(id: string, now: number): boolean {
    const next = '(SELECT coalesce(max(turn), 0) + 1 FROM sessions)'
    return sql(`UPDATE sessions SET used_at = ?, turn = ${next} WHERE id = ?`).run(now, id).changes === 1
  }

  function drop(id: string) {
    sql('DELETE FROM session_entries WHERE session = ?').run(id)
    sql('DELETE FROM session_images WHERE session = ?').run(id)
    sql('DELETE FROM sessions WHERE id = ?').run(id)
  }

  return {
    begin: ({ id, workspace, title }, now) =>
      change(() => {
        const known: Error = new ToolpactError(
          'exists_already',
          `A session ${id} exists already. Begin one with another id.`,
        )
        if (exists(id)) return known
        // As JSON, because SQLite truncates text at a NUL character.
        sql('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, 0)').run(
          ...([id, JSON.stringify({ workspace, title }), 'idle', now, now] as const),
        )
        use(id, now)
        const old = sql('SELECT id FROM sessions ORDER BY turn DESC LIMIT -1 OFFSET ?').all(maxSessions)
        for (const { id } of old) drop(id as string)
      }),
    append: (id, entry, now) =>
      change(() => {
        const next = 'SELECT coalesce(max(seq) + 1, 0) AS count FROM session_entries WHERE session = ?'
        const { count } = sql(next).get(id) as Row
        if (!use(id, now)) return toNoSession(id)
        try {
          const text = toEntryText(entry, count as number)
          sql('INSERT INTO session_entries VALUES (?, ?, ?)').run(id, count as number, text)
        } catch (error) {
          return error as Error
        }
      }),
    setStatus: (id, status, now) =>
      change(() => {
        if (!use(id, now)) return toNoSession(id)
        sql('UPDATE sessions SET status = ? WHERE id = ?').run(status, id)
      }),
    async read(id) {
      return look(() => {
        if (!exists(id)) throw toNoSession(id)
        const rows = sql('SELECT text FROM session_entries WHERE session = ? ORDER BY seq').all(id)
        return rows.map(({ text }) => JSON.parse(text as string))
      })
    },
    async list({ workspace, limit } = {}) {
      const found = look(() => sql(`${summaries} ORDER BY turn DESC`).all().map(toSummary))
      return found.filter((one) => workspace === undefined || one.workspace === workspace).slice(0, limit)
    },
    async find(start) {
      const matching = `${summaries} WHERE substr(id, 1, length(?1)) = ?1 ORDER BY id = ?1 DESC, turn DESC`
      const found = look(() => sql(matching).all(start).map(toSummary))
      return found[0]?.id === start ? found.slice(0, 1) : found
    },
    remove: (id) =>
      change(() => {
        if (!exists(id)) return toNoSession(id)
        drop(id)
      }),
    keepImage: (id, step, image) =>
      change(() => {
        if (!exists(id)) return toNoSession(id)
        const size = 'SELECT coalesce(sum(length(before)), 0) AS size FROM session_images WHERE session = ?'
        const { size: ofStep } = sql(`${size} AND step = ?`).get(id, step) as Row
        const { before, state } = toColumns(image, maxImageBytes - (ofStep as number))
        sql(`INSERT INTO session_images (session, step, path, before, state, after) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (session, step, path) DO UPDATE SET after = excluded.after`).run(
          ...([id, step, JSON.stringify(image.path), before, state, image.after ?? null] as const),
        )
        const oldest = 'SELECT min(step) FROM session_images WHERE session = ?1 AND step <> ?2'
        while (((sql(size).get(id) as Row).size as number) > maxImageBytes)
          sql(`DELETE FROM session_images WHERE session = ?1 AND step = (${oldest})`).run(id, step)
      }, true),
    async lastImages(id) {
      return look(() => {
        if (!exists(id)) throw toNoSession(id)
        const { step } = sql('SELECT max(step) AS step FROM session_images WHERE session = ?').get(id) as Row
        if (step === null) return undefined
        const rows = sql('SELECT * FROM session_images WHERE session = ? AND step = ? ORDER BY seq').all(id, step!)
        return { step: step as number, images: rows.map(toImage) }
      })
    },
    forgetImages: (id, step) =>
      change(() => {
        if (!exists(id)) return toNoSession(id)
        sql('DELETE FROM session_images WHERE session = ? AND step = ?').run(id, step)
      }),
  }
}

function toSummary({ id, about, status, started_at, used_at, entries }: Row): SessionSummary {
  return {
    id: id as string,
    ...JSON.parse(about as string),
    status: status as SessionStatus,
    startedAt: started_at as number,
    usedAt: used_at as number,
    entries: entries as number,
  }
}

function toColumns({ before }: Image, room: number): { before: Uint8Array | null; state: string } {
  if (before === null) return { before, state: 'absent' }
  if (before === 'too_large' || before.length > room) return { before: null, state: 'too_large' }
  return { before, state: 'file' }
}

function toImage({ path, before, state, after }: Row): Image {
  return {
    path: JSON.parse(path as string),
    before: state === 'file' ? (before as Uint8Array) : state === 'absent' ? null : 'too_large',
    ...(after !== null && { after: after as string }),
  }
}
