import { maxSignIns, type SignIns, type StoredSignIn } from '../sign-ins.ts'
import type { Database } from './database.ts'
import type { GroupCommit } from './group-commit.ts'
import { signInsVersion } from './later-schema.ts'
import { toStorageError } from './sqlite-error.ts'

export function openSqliteSignIns(database: Database, commits: GroupCommit): SignIns {
  return {
    async add({ kind, hash, expiresAt, ...about }, now) {
      await commits.next().add(() => {
        database.sql('DELETE FROM sign_ins WHERE expires_at <= ?').run(now)
        database.sql(dropOldest).run(kind, maxSignIns - 1)
        database
          .sql('INSERT INTO sign_ins (kind, hash, about, expires_at) VALUES (?, ?, ?, ?)')
          .run(kind, hash, JSON.stringify(about), expiresAt)
      })
    },
    async find({ kind, hash }, now) {
      if (database.version < signInsVersion) return undefined
      try {
        return toSignIn(database.sql(`SELECT ${columns} FROM sign_ins WHERE ${isLive}`).get(kind, hash, now))
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
    async list(kind, now) {
      if (database.version < signInsVersion) return []
      try {
        const rows = database.sql(`SELECT ${columns} FROM sign_ins WHERE kind = ? AND expires_at > ? ORDER BY seq`)
        return rows.all(kind, now).map((row) => toSignIn(row)!)
      } catch (error) {
        throw toStorageError(error, database.path)
      }
    },
    async renew({ kind, hash, expiresAt, ...about }, now) {
      const change = `UPDATE sign_ins SET about = ?4, expires_at = ?5 WHERE ${isLive}`
      const text = JSON.stringify(about)
      return commits.next().add(() => database.sql(change).run(kind, hash, now, text, expiresAt).changes > 0)
    },
    async take({ kind, hash }, now) {
      const drop = `DELETE FROM sign_ins WHERE ${isLive} RETURNING ${columns}`
      return commits.next().add(() => toSignIn(database.sql(drop).get(kind, hash, now)))
    },
  }
}

/** `about` is JSON, because SQLite truncates text at a NUL character. */
const columns = 'kind, hash, about, expires_at'
const isLive = 'kind = ?1 AND hash = ?2 AND expires_at > ?3'
const dropOldest = `
  DELETE FROM sign_ins WHERE kind = ?1
  AND seq <= (SELECT seq FROM sign_ins WHERE kind = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)
`

function toSignIn(row: { readonly [column: string]: unknown } | undefined): StoredSignIn | undefined {
  if (!row) return undefined
  const { kind, hash, about, expires_at: expiresAt } = row
  return { kind, hash, ...JSON.parse(about as string), expiresAt }
}
